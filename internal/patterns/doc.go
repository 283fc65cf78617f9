// Package patterns writes the access patterns down: one row a pattern, made of what the schema says of its fields and
// of what dal's catalogue says of its keys and costs, so that the documentation cannot drift from either.
//
// It must not know how a pattern is read or resolved.
package patterns

//go:generate go run ./generate
