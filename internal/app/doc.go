// Package app puts the program together, and runs it: [Main] for a command line, [New] for the server alone. It opens
// the embedded engine or a client of AWS, makes the table, fills the demo in, builds the schema with its plan and
// resolvers, and serves them.
//
// Only it knows all parts at once, so that each part is given what it needs and can be tested alone.
//
// It must not know how anything is done: no key, no request to the table, no rule of GraphQL and no flag is found
// here, only who is given what, when it starts and when it ends.
package app
