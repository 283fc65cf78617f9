package plan

import "example.com/keyfirst/dal"

// maxResponseFields bounds the fields of a response. Reads are merged and paid for once, however often their answer is
// asked for under other names; writing it down so often is what this bounds.
const maxResponseFields = 100_000

// CheckResponse refuses an operation whose response could have too many fields. Its error is a [TooLargeError].
func (o *Operation) CheckResponse(variables map[string]any) error {
	fields := 0
	for _, s := range o.root {
		fields = saturated(fields + s.responseFields(variables, 1))
	}
	if fields > maxResponseFields {
		return TooLargeError{}
	}
	return nil
}

// responseFields is the most fields at and below the field in a response; size is the length of a list in it.
func (s *selected) responseFields(variables map[string]any, size int) int {
	if !s.selectedWith(variables) {
		return 0
	}
	a := arguments{values: s.arguments(variables)}
	values, page := 1, a.pageSize()
	switch {
	case s.object == "Query" && s.list:
		values = min(len(a.strings("ids")), dal.MaxIDs)
	case s.list:
		values = size
	}
	most := 0
	for object, leaves := range s.leaves {
		fields := leaves
		for _, next := range s.below[object] {
			fields = saturated(fields + next.responseFields(variables, page))
		}
		most = max(most, fields)
	}
	return saturated(1 + values*most)
}

// pageSize is the most entries of a page with these arguments; what is refused has none, and is bounded all the same.
func (a arguments) pageSize() int {
	switch args := a.page(); {
	case args.First != nil:
		return max(0, min(*args.First, dal.MaxPage))
	case args.Last != nil:
		return max(0, min(*args.Last, dal.MaxPage))
	}
	return dal.DefaultPage
}
