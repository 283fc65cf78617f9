// Package scalars is how the schema's own scalars travel: Decimal and DateTime, each as a string.
//
// It must not know what they stand for: meaning and bounds are the table's.
package scalars
