// Package console is the page at "/": an editor for operations, examples of every access pattern, the result, and a
// picture of the requests to the table that an operation made.
//
// The page is ours to the last byte: it loads nothing from elsewhere, and its content security policy would not let
// it. page.html, console.css and console.js are what a browser gets; examples/ holds one operation for each access
// pattern, in the order of the list, named by the pattern.
//
// It must not know the schema, the plan or the server it is served by: it is a client of /graphql like any other,
// and what it draws comes from the extensions of the answer.
package console
