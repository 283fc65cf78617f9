// Package attr holds attribute values and items: the ten data types of DynamoDB, their JSON, their sizes, equality and
// order.
//
// It must not know of tables, keys, indexes or expressions.
package attr
