// Keyfirst serves GraphQL over one DynamoDB table. `keyfirst --help` lists its commands.
//
// It must not know what any of them does: a signal's context, the command line and the exit status are all it passes
// on to package app.
package main
