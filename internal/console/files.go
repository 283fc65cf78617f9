package console

import "embed"

// embedded is what a browser gets, and the examples.
//
//go:embed page.html console.css console.js examples/*.graphql
var embedded embed.FS

// files is the one way to them.
func files() embed.FS { return embedded }
