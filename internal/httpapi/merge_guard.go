package httpapi

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
)

// maxMergePairs bounds how many pairs of fields validation may have to compare. The rule "overlapping fields can be
// merged" compares each field with every other of the same name and parent: 4,000 times `id` is 12 KB of text, within
// every other limit, and 1.5 s of CPU. 250,000 pairs are 500 repetitions of one field, and some 50 ms. Spreads are
// compared each with each, whatever their names: 1,800 of them are another second.
const maxMergePairs = 250_000

// mergeGuard refuses a document whose validation would take long, after parsing it and before validating it. It looks
// only at documents that are not cached yet.
type mergeGuard struct {
	documents *lru[*ast.QueryDocument]
	maxTokens int
}

// ExtensionName names the extension for gqlgen.
func (mergeGuard) ExtensionName() string { return "MergeGuard" }

// Validate accepts every schema.
func (mergeGuard) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationParameters refuses the document, or leaves it alone. What does not parse is the executor's to report.
func (g mergeGuard) MutateOperationParameters(ctx context.Context, params *graphql.RawParams) *gqlerror.Error {
	if _, cached := g.documents.Get(ctx, params.Query); cached {
		return nil
	}
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: params.Query}, g.maxTokens)
	if err != nil {
		return nil //nolint:nilerr // the executor parses again and reports it with its place
	}
	if mergePairs(doc) > maxMergePairs {
		return newError(codeValidationFailed, "The document repeats one field, or spreads fragments, too often.")
	}
	return nil
}

// mergePairs over-estimates the pairs of fields that may have to be merged: the squares of how often each response
// name comes below each parent.
func mergePairs(doc *ast.QueryDocument) int {
	counts := make(map[mergeName]int)
	for _, op := range doc.Operations {
		countNames(counts, string(op.Operation), op.SelectionSet)
	}
	for _, fragment := range doc.Fragments {
		countNames(counts, fragment.TypeCondition, fragment.SelectionSet)
	}
	pairs := 0
	for _, n := range counts {
		pairs += n * n
	}
	return pairs
}

// mergeName is what fields share that may have to be merged.
type mergeName struct{ parent, alias string }

// countNames walks a selection once; inline fragments belong to the selection around them.
func countNames(counts map[mergeName]int, parent string, selections ast.SelectionSet) {
	for _, selection := range selections {
		switch s := selection.(type) {
		case *ast.Field:
			counts[mergeName{parent: parent, alias: s.Alias}]++
			countNames(counts, s.Name, s.SelectionSet)
		case *ast.InlineFragment:
			countNames(counts, parent, s.SelectionSet)
		case *ast.FragmentSpread:
			counts[mergeName{parent: parent, alias: "..."}]++
		}
	}
}
