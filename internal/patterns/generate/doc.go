// Command generate writes the table of access patterns into README.md and docs/access-patterns.md.
//
// It must not know more of the project than where these pages are.
package main
