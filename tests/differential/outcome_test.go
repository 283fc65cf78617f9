package differential

import (
	"slices"
	"strings"
)

// outcome is what came of a request on one engine, page by page where there are pages.
type outcome struct {
	pages []reply
}

func (o outcome) refused() bool { return o.pages[0].code != "" }

func (o outcome) says(start string) bool { return strings.HasPrefix(o.pages[0].message, start) }

// cancelledFor tells whether a transaction was cancelled, and the reasons have the code.
func (o outcome) cancelledFor(code string) bool {
	return o.pages[0].code == "TransactionCanceledException" && strings.Contains(o.pages[0].message, code)
}

// mayReadNothing tells whether the outcome is that of a read that may have looked at no item, or asked for one that is
// not there.
func (o outcome) mayReadNothing() bool {
	return slices.ContainsFunc(o.pages, func(page reply) bool {
		_, batch := page.body["Responses"]
		return batch || page.body["ScannedCount"] != nil && integer(page.body["ScannedCount"]) == 0
	})
}

// comparable is the outcome without what an engine may choose: the order of sets, of a batch, of a scan, and of index
// entries with the same key.
func (o outcome) comparable(r request, s shape) object {
	first := o.pages[0]
	if o.refused() {
		return object{"code": first.code, "body": normalized(first.body)}
	}
	switch r.operation {
	case "Query", "Scan":
		return o.comparablePages(r, s)
	}
	body := normalized(first.body).(object)
	if r.operation == "BatchGetItem" {
		responses := body["Responses"].(object)
		for table, items := range responses {
			responses[table] = sorted(items.([]any))
		}
	}
	return body
}

func (o outcome) comparablePages(r request, s shape) object {
	var items, capacities, lastKeys []any
	var counts [][2]any
	ix := s.indexNamed(r.parameters["IndexName"])
	for i, page := range o.pages {
		body := normalized(page.body).(object)
		if i > 0 && integer(body["ScannedCount"]) == 0 {
			// Whether a page that ends where the range ends has a next one is the engine's to say.
			lastKeys[i-1] = nil
			continue
		}
		if of, has := body["Items"].([]any); has {
			items = append(items, of...)
		}
		capacities = append(capacities, body["ConsumedCapacity"])
		lastKeys = append(lastKeys, body["LastEvaluatedKey"])
		counts = append(counts, [2]any{body["Count"], body["ScannedCount"]})
	}
	switch {
	case r.operation == "Scan":
		items, capacities = sorted(items), sorted(capacities)
	case ix != nil:
		items, capacities = sortedTies(items, ix.sort), sorted(capacities)
	default:
		return object{"items": items, "capacity": capacities, "last": lastKeys, "counts": counts}
	}
	return object{"items": items, "capacity": capacities, "pages": len(o.pages), "total": total(counts)}
}

// total adds the counts of all pages.
func total(counts [][2]any) any {
	var sum [2]int64
	for _, of := range counts {
		for i, n := range of {
			sum[i] += integer(n)
		}
	}
	return sum
}

// sortedTies orders items that have the same sort key, or none that shows.
func sortedTies(items []any, sortKey string) []any {
	of := func(item any) string { return jsonText(item.(object)[sortKey]) }
	ordered := []any{}
	for len(items) > 0 {
		n := slices.IndexFunc(items, func(item any) bool { return of(item) != of(items[0]) })
		if n < 0 {
			n = len(items)
		}
		ordered = append(ordered, sorted(items[:n])...)
		items = items[n:]
	}
	return ordered
}
