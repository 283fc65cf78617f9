// Keyfirst serves GraphQL over one DynamoDB table. `keyfirst --help` lists its commands.
//
// It must not know what any of them does: a signal's context, the command line and the exit status are all it passes
// on to package app.
package main

// The code of the schema comes before everything that is generated of it: go generate begins here.
//go:generate go tool gqlgen generate
