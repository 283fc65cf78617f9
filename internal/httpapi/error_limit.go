package httpapi

import "github.com/vektah/gqlparser/v2/gqlerror"

// maxRequestErrors is how many faults of one document are told. Validation finds those of a fragment once for each
// fragment that leads to it: 13 KB of text can have 77,000, which make an answer of 12 MB.
const maxRequestErrors = 100

// firstErrors cuts a list of errors, and says so.
func firstErrors(errs gqlerror.List) gqlerror.List {
	if len(errs) <= maxRequestErrors {
		return errs
	}
	more := newError(codeOf(errs), "There are more errors than these.")
	return append(errs[:maxRequestErrors:maxRequestErrors], more)
}
