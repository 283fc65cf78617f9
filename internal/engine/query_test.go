package engine_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// seed puts ten items S#0 to S#9 into partition P, and neighbours around them.
func (d *db) seed() {
	for i := range 10 {
		d.put(it("PK", "P", "SK", fmt.Sprintf("S#%d", i), "v", i, "g", "G", "gs", strconv.Itoa(i/3), "due", 100-i, "m", it("a", i)))
	}
	d.put(key("P", "A"), key("P", "T"), key("P2", "S#1"), key("O", "S#1"), key("P\x00", "S#1"), key("P\x00S#1", "x"))
}

func sequence(from, to int) []string {
	var all []string
	for i := from; i <= to; i++ {
		all = append(all, fmt.Sprintf("S#%d", i))
	}
	return all
}

func TestKeyConditions(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create()
		d.seed()
		for condition, want := range map[string][]string{
			"PK = :p":                           append(append([]string{"A"}, sequence(0, 9)...), "T"),
			"PK = :p AND SK = :b":               sequence(3, 3),
			"PK = :p AND SK < :b":               append([]string{"A"}, sequence(0, 2)...),
			"PK = :p AND SK <= :b":              append([]string{"A"}, sequence(0, 3)...),
			"PK = :p AND SK > :b":               append(sequence(4, 9), "T"),
			"PK = :p AND SK >= :b":              append(sequence(3, 9), "T"),
			"PK = :p AND SK BETWEEN :b AND :c":  sequence(3, 5),
			"PK = :p AND begins_with(SK, :s)":   sequence(0, 9),
			"SK = :b AND PK = :p":               sequence(3, 3),
			":b < SK AND PK = :p":               append(sequence(4, 9), "T"),
			"(PK = :p) AND begins_with(SK, :b)": sequence(3, 3),
		} {
			values := it(":p", "P")
			for name, v := range map[string]string{":b": "S#3", ":c": "S#5", ":s": "S#"} {
				if strings.Contains(condition, name) {
					values[name] = attribute(v)
				}
			}
			out := d.query(condition, values)
			require.Equal(d.t, want, texts(out.Items, "SK"), condition)
			require.EqualValues(d.t, len(want), out.Count)
			require.Nil(d.t, out.LastEvaluatedKey)

			back := texts(d.query(condition, values, descending()).Items, "SK")
			for i := range want {
				require.Equal(d.t, want[i], back[len(back)-1-i])
			}
		}
	})
}

func TestKeyConditionErrors(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create()
		for _, c := range []struct {
			condition string
			values    item
			words     string
		}{
			{"SK = :s", it(":s", "x"), "Query condition missed key schema element: PK"},
			{"PK > :p", it(":p", "x"), "Query key condition not supported"},
			{"PK = :p AND v = :v", it(":p", "P", ":v", 1), "Query condition missed key schema element: SK"},
			{"PK = :p AND SK = :v", it(":p", "P", ":v", 1), "Condition parameter type does not match schema type"},
			{"PK = :p", it(":p", ""), "cannot contain an empty string value. Key: PK"},
			{"PK = :p AND begins_with(SK, :s)", it(":p", "P", ":s", ""), "cannot contain an empty string value. Key: SK"},
			{"PK = :p AND SK > :a AND SK < :a", it(":p", "P", ":a", "A"), "must only contain one condition per key"},
		} {
			_, err := d.tryQuery(c.condition, c.values)
			requireInvalid(d.t, err, c.words)
		}
		_, err := d.Query(d.ctx(), &dynamodb.QueryInput{TableName: aws.String(table)})
		requireInvalid(d.t, err, "Either the KeyConditions or KeyConditionExpression parameter must be specified")
		_, err = d.tryQuery("PK = :p", it(":p", "P"), limit(0))
		requireInvalid(d.t, err, "Member must have value greater than or equal to 1")
		_, err = d.tryQuery("PK = :p", it(":p", "P"), filter("SK = :p"))
		requireInvalid(d.t, err, "Filter Expression can only contain non-primary key attributes: Primary key attribute: SK")
	})
}

func TestLimitCountsBeforeTheFilter(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create()
		d.seed()
		out := d.query("PK = :p AND begins_with(SK, :s)", it(":p", "P", ":s", "S#", ":v", 8), filter("v >= :v"), limit(4))
		require.Zero(d.t, out.Count)
		require.EqualValues(d.t, 4, out.ScannedCount)
		require.Equal(d.t, key("P", "S#3"), out.LastEvaluatedKey)
		out = d.query("PK = :p AND begins_with(SK, :s)", it(":p", "P", ":s", "S#", ":v", 8), filter("v >= :v"), after(out.LastEvaluatedKey))
		require.Equal(d.t, sequence(8, 9), texts(out.Items, "SK"))
		require.EqualValues(d.t, 6, out.ScannedCount)
	})
}

// A full last page has a key to go on from, with nothing behind it.
func TestPaging(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create()
		d.seed()
		for _, backwards := range []bool{false, true} {
			var options []queryOption
			if backwards {
				options = append(options, descending())
			}
			var seen []string
			var start item
			for pages := 0; pages == 0 || start != nil; pages++ {
				out := d.query("PK = :p AND begins_with(SK, :s)", it(":p", "P", ":s", "S#"), append(options, limit(5), after(start))...)
				seen = append(seen, texts(out.Items, "SK")...)
				start = out.LastEvaluatedKey
				require.Equal(d.t, pages < 2, start != nil)
			}
			require.Len(d.t, seen, 10)
		}
	})
}

func TestPagingGoesOnAfterTheItemIsGone(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create(global("by-g", projectAll(), "g", "gs"))
		d.seed()
		out := d.query("g = :g", it(":g", "G"), on("by-g"), limit(4))
		last := out.LastEvaluatedKey
		require.Equal(d.t, it("PK", "P", "SK", "S#3", "g", "G", "gs", "1"), last)
		_, err := d.update(it("PK", last["PK"], "SK", last["SK"]), "REMOVE g", nil)
		require.NoError(d.t, err)
		out = d.query("g = :g", it(":g", "G"), on("by-g"), after(last))
		require.Equal(d.t, sequence(4, 9), texts(out.Items, "SK"))
	})
}

func TestStartKeysAreChecked(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create(global("by-g", projectAll(), "g", "gs"))
		_, err := d.tryQuery("g = :g", it(":g", "G"), on("by-g"), after(key("P", "S#1")))
		requireInvalid(d.t, err, "The provided starting key is invalid")
		_, err = d.tryQuery("PK = :p", it(":p", "P"), after(it("PK", "P", "SK", 1)))
		requireInvalid(d.t, err, "The provided starting key is invalid")
		_, err = d.tryQuery("PK = :p", it(":p", "P"), after(key("Q", "S#1")))
		requireInvalid(d.t, err, "outside query boundaries")
		_, err = d.tryQuery("PK = :p AND SK > :s", it(":p", "P", ":s", "T"), after(key("P", "S#1")))
		requireInvalid(d.t, err, "outside query boundaries")
	})
}

func TestPagesEndAt1MB(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create(global("by-g", projectAll(), "g", "gs"))
		for i := range 15 {
			d.put(it("PK", "P", "SK", fmt.Sprintf("%02d", i), "g", "G", "gs", fmt.Sprintf("%02d", i), "d", strings.Repeat("x", 100_000), "v", i))
		}
		for name, options := range map[string][]queryOption{
			"plain":      nil,
			"filter":     {filter("v > :v"), func(in *dynamodb.QueryInput) { in.ExpressionAttributeValues = it(":p", "P", ":v", 100) }},
			"projection": {func(in *dynamodb.QueryInput) { in.ProjectionExpression = aws.String("SK") }},
			"count":      {func(in *dynamodb.QueryInput) { in.Select = "COUNT" }},
		} {
			out := d.query("PK = :p", it(":p", "P"), options...)
			require.EqualValues(d.t, 11, out.ScannedCount, name)
			require.Equal(d.t, key("P", "10"), out.LastEvaluatedKey, name)
			out = d.query("PK = :p", it(":p", "P"), append(options, after(out.LastEvaluatedKey))...)
			require.EqualValues(d.t, 4, out.ScannedCount, name)
			require.Nil(d.t, out.LastEvaluatedKey, name)
		}
		out := d.query("g = :g", it(":g", "G"), on("by-g"))
		require.EqualValues(d.t, 11, out.Count)
	})
}

func TestSelect(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create(global("by-g", keysOnly(), "g", "gs"), local("by-due", include("v"), "due"))
		d.seed()
		choose := func(s types.Select) queryOption { return func(in *dynamodb.QueryInput) { in.Select = s } }
		project := func(p string) queryOption { return func(in *dynamodb.QueryInput) { in.ProjectionExpression = &p } }
		one := func(condition string, values item, options ...queryOption) item {
			out := d.query(condition, values, append(options, limit(1))...)
			require.Len(d.t, out.Items, 1)
			return out.Items[0]
		}
		p, g := it(":p", "P"), it(":g", "G")
		require.Equal(d.t, it("PK", "P", "SK", "S#0", "g", "G", "gs", "0"), one("g = :g", g, on("by-g")))
		require.Equal(d.t, it("SK", "S#0"), one("g = :g", g, on("by-g"), project("SK")))
		require.Equal(d.t, it("PK", "P", "SK", "S#9", "due", 91, "v", 9), one("PK = :p", p, on("by-due")))
		require.Equal(d.t, it("m", it("a", 9)), one("PK = :p", p, on("by-due"), project("m")), "a local index fetches from the table")
		require.Equal(d.t, d.get(key("P", "S#9")), one("PK = :p", p, on("by-due"), choose("ALL_ATTRIBUTES")))
		count := d.query("PK = :p", p, choose("COUNT"))
		require.EqualValues(d.t, 12, count.Count)
		require.Empty(d.t, count.Items)

		for words, options := range map[string][]queryOption{
			"Select type ALL_ATTRIBUTES is not supported for global secondary index by-g": {on("by-g"), choose("ALL_ATTRIBUTES")},
			"Global secondary index by-g does not project [m, v]":                         {on("by-g"), project("v, m, PK")},
			"Secondary index by-g does not project one or more filter attributes: [v]":    {on("by-g"), filter("v = :g")},
			"Consistent reads are not supported on global secondary indexes":              {on("by-g"), func(in *dynamodb.QueryInput) { in.ConsistentRead = aws.Bool(true) }},
			"The table does not have the specified index: none":                           {on("none")},
			"Cannot specify the ProjectionExpression when choosing to get only the Count": {choose("COUNT"), project("v")},
			"ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName":  {choose("ALL_PROJECTED_ATTRIBUTES")},
			"Must specify the AttributesToGet or ProjectionExpression":                    {choose("SPECIFIC_ATTRIBUTES")},
		} {
			_, err := d.tryQuery("g = :g", g, options...)
			requireInvalid(d.t, err, words)
		}
	})
}

func TestNumberKeysAreInNumericOrder(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create(local("by-n", projectAll(), "n"))
		for _, n := range []string{"10", "9", "-1", "-10", "0", "0.5", "1E2", "-0.5"} {
			d.put(it("PK", "P", "SK", n, "n", number(n)))
		}
		out := d.query("PK = :p", it(":p", "P"), on("by-n"))
		require.Equal(d.t, []string{"-10", "-1", "-0.5", "0", "0.5", "9", "10", "1E2"}, texts(out.Items, "SK"))
		out = d.query("PK = :p AND n BETWEEN :a AND :b", it(":p", "P", ":a", number("-0.75"), ":b", number("9.0")), on("by-n"))
		require.Equal(d.t, []string{"-0.5", "0", "0.5", "9"}, texts(out.Items, "SK"))
	})
}

func TestTextKeysAreInByteOrder(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create()
		want := []string{"\x00", "\x00\x00", "a", "a\x00", "a\x00b", "a#", "ab", "é", "\uffff", "😀"}
		for i := range want {
			d.put(key("P", want[len(want)-1-i]))
		}
		require.Equal(d.t, want, texts(d.query("PK = :p", it(":p", "P")).Items, "SK"))
		require.Equal(d.t, want[2:7], texts(d.query("PK = :p AND begins_with(SK, :a)", it(":p", "P", ":a", "a")).Items, "SK"))
		require.Equal(d.t, want[3:5], texts(d.query("PK = :p AND begins_with(SK, :a)", it(":p", "P", ":a", "a\x00")).Items, "SK"))
	})
}

func TestScan(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create(global("by-g", projectAll(), "g"))
		for i := range 200 {
			i2 := it("PK", fmt.Sprintf("P%d", i), "SK", "1", "v", i)
			if i < 50 {
				i2["g"] = attribute(strconv.Itoa(i % 7))
			}
			d.put(i2)
		}
		scan := func(change func(*dynamodb.ScanInput)) (seen map[string]int, scanned int32) {
			seen = map[string]int{}
			in := &dynamodb.ScanInput{TableName: aws.String(table), Limit: aws.Int32(7)}
			change(in)
			for {
				out, err := d.Scan(d.ctx(), in)
				require.NoError(d.t, err)
				scanned += out.ScannedCount
				for _, pk := range texts(out.Items, "PK") {
					seen[pk]++
				}
				if in.ExclusiveStartKey = out.LastEvaluatedKey; in.ExclusiveStartKey == nil {
					return seen, scanned
				}
			}
		}
		all, _ := scan(func(*dynamodb.ScanInput) {})
		require.Len(d.t, all, 200)
		indexed, _ := scan(func(in *dynamodb.ScanInput) { in.IndexName = aws.String("by-g") })
		require.Len(d.t, indexed, 50)
		filtered, scanned := scan(func(in *dynamodb.ScanInput) {
			in.FilterExpression, in.ExpressionAttributeValues = aws.String("v < :v"), it(":v", 5)
		})
		require.Len(d.t, filtered, 5)
		require.EqualValues(d.t, 200, scanned)

		together := map[string]int{}
		for s := range int32(4) {
			part, _ := scan(func(in *dynamodb.ScanInput) { in.Segment, in.TotalSegments = aws.Int32(s), aws.Int32(4) })
			require.InDelta(d.t, 50, len(part), 30)
			for pk, n := range part {
				together[pk] += n
			}
		}
		require.Equal(d.t, all, together, "segments are disjoint and complete")

		for _, in := range []*dynamodb.ScanInput{{Segment: aws.Int32(4), TotalSegments: aws.Int32(4)}, {Segment: aws.Int32(0)}, {TotalSegments: aws.Int32(1)}} {
			in.TableName = aws.String(table)
			_, err := d.Scan(d.ctx(), in)
			requireInvalid(d.t, err)
		}
	})
}
