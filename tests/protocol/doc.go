// Package protocol speaks the JSON 1.0 protocol of DynamoDB without an SDK, so that tests can send what no SDK would
// and see the reply as it is.
//
// It must not know which engine answers, nor what requests and replies mean.
package protocol
