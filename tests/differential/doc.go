// Package differential runs random operations on the embedded engine and on AWS DynamoDB Local side by side, and
// compares the replies. Whatever differs is either a fault of ours or a line of the table of known differences, which says
// why. It runs when DYNAMODB_ENDPOINT names a DynamoDB Local.
//
// It must not know what a right answer is: that is for tests/conformance, where every fault found here has its case.
package differential
