package differential

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"example.com/keyfirst/internal/engine"
	"example.com/keyfirst/tests/protocol"
)

// operations is how many a sequence has; rapid runs 100 sequences.
const operations = 200

// maxPages ends a read of many pages that does not end by itself.
const maxPages = 200

// TestMain makes the runs of the gate the same: a difference that nobody has met before shall not stop a change that has
// nothing to do with it. `go test ./tests/differential -rapid.seed=N` runs others.
func TestMain(m *testing.M) {
	flag.Parse()
	chosen := map[string]string{"rapid.seed": "1", "rapid.nofailfile": "true"}
	flag.Visit(func(f *flag.Flag) { delete(chosen, f.Name) })
	for name, value := range chosen {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// dynamoDBLocal is the endpoint of the reference engine. Another engine that the tests run on is no reference.
func dynamoDBLocal(t *testing.T) string {
	t.Helper()
	endpoint := os.Getenv("DYNAMODB_ENDPOINT") //nolint:forbidigo // what to compare with is not a setting of the program
	name := os.Getenv("CONFORMANCE_ENGINE")    //nolint:forbidigo // as above
	switch {
	case endpoint == "" && os.Getenv("REQUIRE_DYNAMODB") == "1": //nolint:forbidigo // as above
		t.Fatal("REQUIRE_DYNAMODB is set, but DYNAMODB_ENDPOINT is not")
	case endpoint == "":
		t.Skip("DYNAMODB_ENDPOINT names no DynamoDB Local to compare with")
	case name != "" && name != "dynamodb-local":
		t.Skip("only DynamoDB Local is compared with, and this is " + name)
	case testing.Short():
		t.Skip("it is long")
	}
	return endpoint
}

// pair is the two engines that get the same requests.
type pair struct {
	ours, theirs *protocol.Client
}

func newPair(t *testing.T) pair {
	t.Helper()
	endpoint := dynamoDBLocal(t)
	embedded, err := engine.Open(engine.Config{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, embedded.Close()) })
	transport := &http.Transport{MaxIdleConnsPerHost: 4}
	t.Cleanup(transport.CloseIdleConnections)
	client := &http.Client{Transport: transport, Timeout: time.Minute}
	return pair{protocol.NewClient(embedded, "http://engine.invalid"), protocol.NewClient(client, endpoint)}
}

func TestEnginesAgree(t *testing.T) {
	engines := newPair(t)
	var tables atomic.Int64
	rapid.Check(t, func(t *rapid.T) {
		g := generator{T: t}
		g.shape = g.drawShape()
		name := fmt.Sprintf("differential-%d-%d", time.Now().UnixNano(), tables.Add(1))
		require.Empty(t, engines.differ(t, g.shape, request{"CreateTable", g.shape.create(name)}, "TableDescription"))
		defer engines.both(t, request{"DeleteTable", object{"TableName": name}})
		for range operations {
			r := g.request(name)
			if difference, together := engines.run(t, g.shape, r); difference != "" {
				t.Fatal(difference)
			} else if !together {
				return // the tables are no longer the same
			}
		}
		engines.compareContent(t, g.shape, name)
	})
}

// compareContent reads the table and all its indexes.
func (p pair) compareContent(t *rapid.T, s shape, table string) {
	require.Empty(t, p.differ(t, s, request{"Scan", object{"TableName": table}}))
	for _, ix := range s.indexes() {
		require.Empty(t, p.differ(t, s, request{"Scan", object{"TableName": table, "IndexName": ix.name}}))
	}
}

// differ is what run says; the members named are not compared.
func (p pair) differ(t *rapid.T, s shape, r request, ignored ...string) string {
	ours, theirs := p.both(t, r)
	return describe(s, r, ours, theirs, ignored)
}

// run sends a request to both engines, and says in what the outcomes differ if they should not. The engines are no longer
// together when one of them has written, and the other has not.
func (p pair) run(t *rapid.T, s shape, r request) (difference string, together bool) {
	ours, theirs := p.both(t, r)
	together = isRead(r) || ours.refused() == theirs.refused()
	var ignored []string
	for _, known := range differences() {
		if !known.applies(r, ours, theirs) {
			continue
		}
		if known.ignored == nil {
			return "", together
		}
		ignored = append(ignored, known.ignored...)
	}
	return describe(s, r, ours, theirs, ignored), together
}

func describe(s shape, r request, ours, theirs outcome, ignored []string) string {
	explain := func(what string) string {
		return fmt.Sprintf("%s differs after %s %s\nours:   %v\ntheirs: %v", what, r.operation, jsonText(r.parameters), ours.pages, theirs.pages)
	}
	if ours.pages[0].code != theirs.pages[0].code {
		return explain("the error code")
	}
	if ours.refused() && ours.pages[0].message != theirs.pages[0].message {
		if !sameWords(ours.pages[0].message, theirs.pages[0].message) {
			return explain("the message")
		}
		return "" // they have found another fault each, or word it differently
	}
	a, b := ours.comparable(r, s), theirs.comparable(r, s)
	for _, member := range membersOf(a, b) {
		if !slices.Contains(ignored, member) && jsonText(a[member]) != jsonText(b[member]) {
			return explain(member)
		}
	}
	return ""
}

func membersOf(objects ...object) []string {
	var names []string
	for _, of := range objects {
		for name := range of {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (p pair) both(t *rapid.T, r request) (ours, theirs outcome) {
	return outcomeOf(t, p.ours, r), outcomeOf(t, p.theirs, r)
}

// outcomeOf reads all pages of a Query or a Scan, each from where the engine's own page before it ended.
func outcomeOf(t *rapid.T, client *protocol.Client, r request) outcome {
	var o outcome
	parameters := maps.Clone(r.parameters)
	for range maxPages {
		sent, err := client.Send(context.Background(), r.operation, []byte(jsonText(parameters)))
		require.NoError(t, err)
		page, err := newReply(sent)
		require.NoError(t, err)
		o.pages = append(o.pages, page)
		next, hasNext := page.body["LastEvaluatedKey"]
		if !hasNext {
			return o
		}
		parameters["ExclusiveStartKey"] = next
	}
	t.Fatalf("%s does not end: %s", r.operation, jsonText(r.parameters))
	return o
}
