// Package dal is the table: its keys, its items and its access patterns, one file a pattern, so that a listing of
// this folder is the catalogue. It is the only package that speaks to DynamoDB and the only one that looks at an
// SDK error.
//
// A caller states what it wants as [Read] values, each made by the function of one access pattern, and [Table.Load]
// answers any number of them with the fewest requests: all single items of all types share BatchGetItem requests,
// each page of an item collection is one Query, and everything is sent at once.
//
// It must not know GraphQL, HTTP, loaders, plans or budgets.
package dal
