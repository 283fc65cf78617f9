// Package tests holds the tests of the whole program: they build it as main does, talk to it as a client does, and
// look at the requests that reach the table. With DYNAMODB_ENDPOINT set, they run against the engine at that address.
//
// It must not know how anything below internal/app is made: what can be tested inside one package is tested there.
package tests
