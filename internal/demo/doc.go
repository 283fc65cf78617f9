// Package demo is the data that a new embedded table starts with: a shop of home goods with two years of orders, and
// Ann (`cust_42`), whose two orders are small enough to read in a document or a terminal.
//
// The data is the same on every machine and on every day: no clock, and a random source with a fixed seed. It is
// also consistent, as if the API had written it: totals are sums of lines, counters count, and a line keeps the price
// its product had on the day of the order.
//
// It must not know keys, indexes or DynamoDB: it makes records and leaves to package dal how they are stored.
package demo
