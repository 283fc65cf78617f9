// Package resolvers answers the fields of the schema that the generated executor cannot read off an entity: one file a
// field, named after type and field, so that a listing of this folder is the part of the schema that costs requests.
//
// A resolver that reads asks the operation's loaders for the read of its access pattern. The plan has primed it by
// then; without a plan the loader fetches it. A resolver that writes calls the table, then says what it wrote.
//
// It must not know plans, budgets, HTTP, or DynamoDB.
package resolvers
