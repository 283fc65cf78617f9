// Package loaders answers the reads of one operation: what the plan has primed at once, anything else together with
// whatever else is asked for in the same moment.
//
// A [Loaders] belongs to one operation and is never shared: no answer outlives it, and no batch mixes two clients.
// The batching itself is github.com/graph-gophers/dataloader, behind the one file adapter.go.
//
// It must not know GraphQL, the schema, plans, or how a read is sent.
package loaders
