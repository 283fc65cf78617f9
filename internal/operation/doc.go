// Package operation runs one GraphQL operation from its plan to its report: it binds the plan, gives the operation its
// loaders and its recorder, lets the plan read before any resolver runs, and tells a client that asks what it cost.
//
// It must not know HTTP, DynamoDB, or any field of the schema.
package operation
