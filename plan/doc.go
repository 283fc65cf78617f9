// Package plan compiles an operation to rounds of merged reads, and does the reading before any resolver runs.
//
//   - [Compile] merges the selections of an operation into a tree of the fields that matter, without its variables.
//   - [Operation.Bind] puts the variables in: every reading field becomes a step that knows its access pattern, its
//     round and the most it can cost.
//   - [Plan.Run] reads: round by round it collects the reads of every step over all parents, sends them as one merged
//     set, and primes the loaders, where the resolvers find them. No timer decides what merges.
//
// The file fields.go is the one place that says how the reads of a field follow from its parent and its arguments; the
// reads themselves are made by the functions of dal's access patterns, the same that resolvers call.
//
// It must not know the resolvers, gqlgen, HTTP, or how a read is sent.
package plan
