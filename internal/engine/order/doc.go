// Package order encodes keys so that the order of bytes is the order of DynamoDB: partitions apart from each other, and
// within one the sort key as UTF-8 bytes, raw bytes or numbers.
//
// It must not know of items, tables or storage; it turns values into bytes and ranges of bytes.
package order
