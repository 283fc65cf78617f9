// Package decimal holds the numbers of DynamoDB: decimal, exact, at most 38 significant digits, magnitude between
// 1E-130 and 9.9999999999999999999999999999999999999E+125
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html).
//
// It parses, adds, compares, prints, measures and encodes them. It must not know of attributes, items or keys.
package decimal
