// Package conformance holds what the documentation of DynamoDB says that it does, as cases for any engine: the embedded
// one, in memory and in a file, and the one at DYNAMODB_ENDPOINT. testdata/cases has them as scripts (script_test.go says
// how they read); those that a script cannot tell are written in Go. testdata/known lists by engine the cases that fail,
// and why: a case that fails without being listed fails the test, and so does a listed one that passes.
//
// It must not know how an engine is made, nor what the program asks of it.
package conformance
