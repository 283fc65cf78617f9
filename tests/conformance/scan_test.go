package conformance

import (
	"fmt"
	"strings"

	"github.com/stretchr/testify/require"
)

// scanCases are about what an engine may put in any order, and a script can therefore not tell.
func scanCases() []testCase {
	return []testCase{
		{"scan/pages and segments have every item once", scanInSegments},
		{"query/pages of equal sort keys have every item once", pageEqualSortKeys},
		{"query/a page goes on after its last item left the table or the index", pageAfterItemIsGone},
	}
}

// pages reads a Query or a Scan to its end. members are those of the request, but for the start. Between the pages it calls
// between, unless that is nil.
func (p *probe) pages(operation, members string, between func(last object)) []object {
	var items []object
	start := ""
	for range 1000 {
		body := p.must(operation, "{"+members+start+"}")
		for _, item := range body["Items"].([]any) {
			items = append(items, item.(object))
		}
		last, more := body["LastEvaluatedKey"].(object)
		if !more {
			return items
		}
		if between != nil {
			between(last)
		}
		start = `,"ExclusiveStartKey":` + jsonText(last)
	}
	require.Fail(p, "the pages do not end")
	return nil
}

func (p *probe) putMany(table string, n int, item func(i int) string) {
	for i := range n {
		p.must("PutItem", `{"TableName":"`+table+`","Item":{`+item(i)+`}}`)
	}
}

// text is the content of a string attribute.
func text(item object, name string) string { return item[name].(object)["S"].(string) }

// requireOnce checks that the attribute of the items has each value once: n of them.
func requireOnce(p *probe, n int, items []object, name string) {
	seen := map[string]bool{}
	for _, item := range items {
		value := text(item, name)
		require.False(p, seen[value], "%s comes twice", value)
		seen[value] = true
	}
	require.Len(p, seen, n)
}

func scanInSegments(p *probe) {
	const partitions, segments = 60, 4
	table := p.newTable("plain")
	p.putMany(table, partitions, func(i int) string { return fmt.Sprintf(`"PK":{"S":"p%d"},"SK":{"S":"1"}`, i) })
	requireOnce(p, partitions, p.pages("Scan", `"TableName":"`+table+`","Limit":7`, nil), "PK")
	var all []object
	for segment := range segments {
		part := p.pages("Scan", fmt.Sprintf(`"TableName":"%s","Limit":7,"Segment":%d,"TotalSegments":%d`, table, segment, segments), nil)
		require.Less(p, len(part), partitions, "one segment has everything")
		all = append(all, part...)
	}
	requireOnce(p, partitions, all, "PK")
}

func pageEqualSortKeys(p *probe) {
	const items = 25
	table := p.newTable("indexed")
	p.putMany(table, items, func(i int) string {
		return fmt.Sprintf(`"PK":{"S":"p%d"},"SK":{"S":"s%d"},"g":{"S":"g"},"gs":{"S":"%d"}`, i%2, i, i/4)
	})
	for _, forward := range []string{"true", "false"} {
		members := `"TableName":"` + table + `","IndexName":"all","KeyConditionExpression":"g = :g","ExpressionAttributeValues":{":g":{"S":"g"}},"Limit":3,"ScanIndexForward":` + forward
		found := p.pages("Query", members, nil)
		requireOnce(p, items, found, "SK")
		for i := range found[1:] {
			order := strings.Compare(text(found[i], "gs"), text(found[i+1], "gs"))
			require.True(p, forward == "true" && order <= 0 || forward == "false" && order >= 0, "%s before %s", text(found[i], "gs"), text(found[i+1], "gs"))
		}
	}
}

// pageAfterItemIsGone deletes the item that each page ends with, before it asks for the next one.
func pageAfterItemIsGone(p *probe) {
	const items = 10
	for _, read := range []struct{ shape, members string }{
		{"indexed", `"KeyConditionExpression":"PK = :v"`},
		{"indexed", `"IndexName":"all","KeyConditionExpression":"g = :v"`},
		{"indexed", `"IndexName":"keys","KeyConditionExpression":"g = :v"`},
		{"local", `"IndexName":"due","KeyConditionExpression":"PK = :v"`},
	} {
		for _, forward := range []string{"true", "false"} {
			table := p.newTable(read.shape)
			p.putMany(table, items, func(i int) string {
				return fmt.Sprintf(`"PK":{"S":"v"},"SK":{"S":"%d"},"g":{"S":"v"},"gs":{"S":"%d"},"due":{"N":"%d"}`, i, i%3, i%3)
			})
			members := `"TableName":"` + table + `","Limit":3,"ScanIndexForward":` + forward + `,"ExpressionAttributeValues":{":v":{"S":"v"}},` + read.members
			found := p.pages("Query", members, func(last object) {
				p.must("DeleteItem", fmt.Sprintf(`{"TableName":"%s","Key":{"PK":{"S":"v"},"SK":{"S":"%s"}}}`, table, text(last, "SK")))
			})
			requireOnce(p, items, found, "SK")
		}
	}
}
