// Package expr parses and evaluates the expressions of DynamoDB: conditions, filters, key conditions, projections and
// updates. One lexer, one parser and one set of placeholders serve them all
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.html).
//
// It works on items. It must not know of tables, of which attributes are keys, or of requests.
package expr
