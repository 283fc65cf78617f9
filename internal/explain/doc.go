// Package explain says what the operations of GraphQL documents cost, without running them: for people a tree of the
// fields that cost something, for programs what the server answers at /explain.
//
//   - [Explainer.Explain] plans every operation of a document, or says where the document is wrong.
//   - [Text] and [JSON] write the answers.
//
// It must not know where documents come from, HTTP, or the table.
package explain
