package engine_test

import (
	"context"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"example.com/keyfirst/internal/engine"
)

// faulty is an engine with the table, and a client of it.
func faulty(t *testing.T, options ...option) (*engine.Engine, *db) {
	t.Helper()
	e := open(t, engine.Config{})
	d := connect(t, e)
	d.create(options...)
	return e, d
}

func (d *db) tryPut(i item) error {
	_, err := d.PutItem(d.ctx(), &dynamodb.PutItemInput{TableName: aws.String(table), Item: i})
	return err
}

func (d *db) tryGet(k item) error {
	_, err := d.GetItem(d.ctx(), &dynamodb.GetItemInput{TableName: aws.String(table), Key: k})
	return err
}

func TestFaultsAreChecked(t *testing.T) {
	t.Parallel()
	e := open(t, engine.Config{})
	for want, f := range map[string]engine.Fault{
		`no fault ""`:                 {},
		`no fault "burn"`:             {Kind: "burn"},
		`cannot befall "GetItem"`:     {Kind: engine.FaultUnprocessed, Operations: []string{"GetItem"}},
		`cannot befall "Get"`:         {Kind: engine.FaultThrottle, Operations: []string{"Get"}},
		"not from 0 to 1":             {Kind: engine.FaultThrottle, Rate: 1.5},
		"rate of a fault":             {Kind: engine.FaultThrottle, Rate: math.NaN()},
		"is negative":                 {Kind: engine.FaultThrottle, Count: -1},
		"Applied is not":              {Kind: engine.FaultThrottle, Applied: true},
		"Index is not":                {Kind: engine.FaultThrottle, Index: "by-g"},
		"needs Delay":                 {Kind: engine.FaultSlow},
		"either Delay or Writes":      {Kind: engine.FaultLag, Delay: 1, Writes: 1},
		"Delay and Writes are not":    {Kind: engine.FaultCut, Delay: 1},
		"Writes are not for the faul": {Kind: engine.FaultSlow, Delay: 1, Writes: 1},
	} {
		require.ErrorContains(t, e.Inject(engine.Fault{Kind: engine.FaultCut}, f), want)
	}
	require.Empty(t, e.Faults(), "one that is wrong keeps the others out")
}

func TestThrottleByCountAndOperation(t *testing.T) {
	t.Parallel()
	e, d := faulty(t)
	require.NoError(t, e.Inject(engine.Fault{Kind: engine.FaultThrottle, Operations: []string{"PutItem"}, Count: 2}))
	require.NoError(t, d.tryGet(key("a", "1")))
	for range 2 {
		var throttled *types.ProvisionedThroughputExceededException
		require.ErrorAs(t, d.tryPut(key("a", "1")), &throttled)
	}
	require.Nil(t, d.get(key("a", "1")))
	require.NoError(t, d.tryPut(key("a", "1")))
	require.Equal(t, 2, e.Faults()[0].Struck)
}

func TestMalformedRequestsKeepTheirErrors(t *testing.T) {
	t.Parallel()
	e, d := faulty(t)
	require.NoError(t, e.Inject(engine.Fault{Kind: engine.FaultThrottle}))
	requireCode(t, d.tryGet(it("PK", "a")), "ValidationException")
	_, err := d.tryQuery("nonsense", nil)
	requireCode(t, err, "ValidationException")
	require.Zero(t, e.Faults()[0].Struck)
}

func TestFaultByKey(t *testing.T) {
	t.Parallel()
	e, d := faulty(t, global("by-g", projectAll(), "g"))
	require.NoError(t, e.Inject(engine.Fault{Kind: engine.FaultThrottle, Partition: "CUST#*", Sort: "2"}, engine.Fault{Kind: engine.FaultThrottle, Partition: "x"}))
	require.NoError(t, d.tryPut(key("CUST#1", "1")))
	require.NoError(t, d.tryPut(key("PROD#1", "2")))
	requireCode(t, d.tryPut(key("CUST#1", "2")), "ProvisionedThroughputExceededException")
	requireCode(t, d.tryGet(key("CUST#9", "2")), "ProvisionedThroughputExceededException")
	requireCode(t, d.transact("", txPut(key("a", "1")), txPut(key("CUST#1", "2"))), "ProvisionedThroughputExceededException")
	_, err := d.tryQuery("PK = :p", it(":p", "x"))
	requireCode(t, err, "ProvisionedThroughputExceededException")
	_, err = d.tryQuery("g = :g", it(":g", "x"), on("by-g"))
	requireCode(t, err, "ProvisionedThroughputExceededException")
	_, err = d.tryQuery("PK = :p", it(":p", "CUST#1"))
	require.NoError(t, err, "a Query has no sort key")
	_, err = d.Scan(d.ctx(), &dynamodb.ScanInput{TableName: aws.String(table)})
	require.NoError(t, err)
	e.Clear()
	require.NoError(t, d.tryPut(key("CUST#1", "2")))
}

func TestRateIsDeterministic(t *testing.T) {
	t.Parallel()
	pattern := func(seed uint64) string {
		e, d := faulty(t)
		require.NoError(t, e.Inject(engine.Fault{Kind: engine.FaultInternal, Operations: []string{"GetItem"}, Rate: 0.3, Seed: seed}))
		var b strings.Builder
		for range 200 {
			if d.tryGet(key("a", "1")) != nil {
				b.WriteByte('x')
			} else {
				b.WriteByte('.')
			}
		}
		return b.String()
	}
	one := pattern(7)
	require.Equal(t, one, pattern(7))
	require.NotEqual(t, one, pattern(8))
	require.InDelta(t, 60, strings.Count(one, "x"), 25)
}

func TestConflictAppliesNothing(t *testing.T) {
	t.Parallel()
	e, d := faulty(t)
	require.NoError(t, e.Inject(engine.Fault{Kind: engine.FaultConflict, Sort: "2"}))
	err := d.transact("", txPut(key("a", "1")), txPut(key("a", "2")), txPut(key("a", "3")))
	var cancelled *types.TransactionCanceledException
	require.ErrorAs(t, err, &cancelled)
	require.Equal(t, "TransactionConflict", *cancelled.CancellationReasons[1].Code)
	require.Equal(t, "None", *cancelled.CancellationReasons[0].Code)
	require.Zero(t, *d.describe().ItemCount)
	var single *types.TransactionConflictException
	require.ErrorAs(t, d.tryPut(key("a", "2")), &single)
	require.NoError(t, d.tryPut(key("a", "1")))
	require.NoError(t, d.tryGet(key("a", "2")), "a read alone conflicts with nothing")

	e.Clear()
	require.NoError(t, e.Inject(engine.Fault{Kind: engine.FaultConflict, Count: 1}))
	require.ErrorAs(t, d.transact("", txPut(key("a", "1")), txPut(key("a", "2"))), &cancelled)
	require.Equal(t, "TransactionConflict", *cancelled.CancellationReasons[0].Code)
	require.NoError(t, d.transact("", txPut(key("a", "1")), txPut(key("a", "2"))))
}

func TestInternalErrorWithAndWithoutEffect(t *testing.T) {
	t.Parallel()
	e, d := faulty(t)
	require.NoError(t, e.Inject(
		engine.Fault{Kind: engine.FaultInternal, Operations: []string{"PutItem"}, Sort: "1"},
		engine.Fault{Kind: engine.FaultInternal, Operations: []string{"PutItem"}, Sort: "2", Applied: true}))
	for _, sort := range []string{"1", "2"} {
		var internal *types.InternalServerError
		require.ErrorAs(t, d.tryPut(key("a", sort)), &internal)
	}
	require.Nil(t, d.get(key("a", "1")))
	require.NotNil(t, d.get(key("a", "2")))
}

func TestCutReplies(t *testing.T) {
	t.Parallel()
	e, d := faulty(t)
	server := httptest.NewServer(e)
	defer server.Close()
	for name, client := range map[string]*db{
		"in the process": d, "over HTTP": {newClient(doer(server.URL)), t}, "over our server": {newClient(doer(serveFaulty(t, e))), t},
	} {
		e.Clear()
		require.NoError(t, e.Inject(
			engine.Fault{Kind: engine.FaultCut, Operations: []string{"PutItem"}, Sort: "lost"},
			engine.Fault{Kind: engine.FaultCut, Operations: []string{"PutItem", "GetItem"}, Sort: "cut", Applied: true}))
		require.Error(t, client.tryPut(key(name, "lost")))
		require.Error(t, client.tryPut(key(name, "cut")))
		require.Error(t, client.tryGet(key(name, "cut")))
		e.Clear()
		require.Nil(t, client.get(key(name, "lost")), name)
		require.NotNil(t, client.get(key(name, "cut")), name)
	}
}

// doer is the client of a server, at the address that tests give it.
type doer string

func (d doer) Do(r *http.Request) (*http.Response, error) {
	r.URL.Host = strings.TrimPrefix(string(d), "http://")
	return http.DefaultClient.Do(r)
}

// serveFaulty serves an engine and its faults until the end of the test, and returns the URL.
func serveFaulty(t *testing.T, e *engine.Engine) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- (&engine.Server{Engine: e, Faults: true}).Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-served)
	})
	return "http://" + l.Addr().String()
}

func TestUnprocessed(t *testing.T) {
	t.Parallel()
	e, d := faulty(t)
	require.NoError(t, e.Inject(
		engine.Fault{Kind: engine.FaultUnprocessed, Operations: []string{"BatchWriteItem"}, Sort: "2", Count: 1},
		engine.Fault{Kind: engine.FaultUnprocessed, Operations: []string{"BatchGetItem"}, Rate: 0.5, Seed: 3}))
	write := &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{table: {
		{PutRequest: &types.PutRequest{Item: it("PK", "a", "SK", "1", "n", 1)}},
		{PutRequest: &types.PutRequest{Item: it("PK", "a", "SK", "2", "n", 2)}},
		{DeleteRequest: &types.DeleteRequest{Key: key("a", "3")}},
	}}}
	out, err := d.BatchWriteItem(d.ctx(), write)
	require.NoError(t, err)
	require.Equal(t, map[string][]types.WriteRequest{table: write.RequestItems[table][1:2]}, out.UnprocessedItems)
	require.Nil(t, d.get(key("a", "2")))
	require.NotNil(t, d.get(key("a", "1")))
	again, err := d.BatchWriteItem(d.ctx(), &dynamodb.BatchWriteItemInput{RequestItems: out.UnprocessedItems})
	require.NoError(t, err)
	require.Empty(t, again.UnprocessedItems)
	require.NotNil(t, d.get(key("a", "2")))

	var keys []item
	for i := range 40 {
		keys = append(keys, key("many", strconv.Itoa(i)))
	}
	d.put(keys...)
	request := map[string]types.KeysAndAttributes{table: {Keys: keys, ConsistentRead: aws.Bool(true)}}
	found, rounds := map[string]bool{}, 0
	for ; len(request) > 0; rounds++ {
		out, err := d.BatchGetItem(d.ctx(), &dynamodb.BatchGetItemInput{RequestItems: request})
		require.NoError(t, err)
		for _, sort := range texts(out.Responses[table], "SK") {
			require.False(t, found[sort])
			found[sort] = true
		}
		request = out.UnprocessedKeys
		if of, left := request[table]; left {
			require.True(t, *of.ConsistentRead)
		}
	}
	require.Len(t, found, 40)
	require.Greater(t, rounds, 2)
}

func TestSlowRepliesTakeEffectAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e, d := faulty(t)
		require.NoError(t, e.Inject(engine.Fault{Kind: engine.FaultSlow, Operations: []string{"PutItem"}, Delay: time.Second}))
		done := make(chan struct{})
		start := time.Now()
		go func() { d.put(key("a", "1")); close(done) }()
		synctest.Wait()
		require.NotNil(t, d.get(key("a", "1")))
		<-done
		require.Equal(t, time.Second, time.Since(start))
	})
}

func TestLagByWrites(t *testing.T) {
	t.Parallel()
	e, d := faulty(t, global("by-g", projectAll(), "g", "n"))
	d.put(it("PK", "a", "SK", "0", "g", "G", "n", 0))
	require.NoError(t, e.Inject(engine.Fault{Kind: engine.FaultLag, Index: "by-g", Writes: 2}))
	sorts := func() []string { return texts(d.query("g = :g", it(":g", "G"), on("by-g")).Items, "SK") }
	require.Equal(t, []string{"0"}, sorts(), "nothing is from before the injection")
	d.put(it("PK", "a", "SK", "1", "g", "G", "n", 1))
	require.Equal(t, []string{"0"}, sorts())
	d.put(it("PK", "a", "SK", "2", "g", "G", "n", 2))
	require.Equal(t, []string{"0"}, sorts())
	d.put(it("PK", "a", "SK", "0", "g", "G", "n", 9))
	require.Equal(t, []string{"0", "1"}, sorts())
	require.Equal(t, []string{"1", "0"}, texts(d.query("g = :g", it(":g", "G"), on("by-g"), descending()).Items, "SK"))
	require.Equal(t, []string{"0", "1", "2"}, texts(d.query("PK = :p", it(":p", "a")).Items, "SK"), "the table itself does not lag")
	d.put(key("b", "1"), key("b", "2"))
	require.Equal(t, []string{"1", "2", "0"}, sorts(), "writes that the index does not see count too")
	e.Clear()
	d.put(it("PK", "a", "SK", "3", "g", "G", "n", 3))
	require.Equal(t, []string{"1", "2", "3", "0"}, sorts())
}

func TestLagByTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e, d := faulty(t, global("by-g", projectAll(), "g"))
		require.NoError(t, e.Inject(engine.Fault{Kind: engine.FaultLag, Delay: time.Second}))
		d.put(it("PK", "a", "SK", "1", "g", "G"))
		require.Equal(t, 0, d.countOn("by-g", "g = :g", it(":g", "G")))
		time.Sleep(time.Second) //nolint:forbidigo // the clock of a bubble costs no time
		require.Equal(t, 1, d.countOn("by-g", "g = :g", it(":g", "G")))
	})
}

// An index that lags by n writes is what the index was n writes ago, whatever the writes were.
func TestLagIsAStateThatWas(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		lag := rapid.IntRange(1, 5).Draw(r, "lag")
		e, d := faulty(t, global("by-g", projectAll(), "g", "n"))
		require.NoError(t, e.Inject(engine.Fault{Kind: engine.FaultLag, Writes: lag}))
		past := [][]item{{}}
		for range rapid.IntRange(1, 25).Draw(r, "writes") {
			k := key("a", rapid.StringMatching("[a-d]").Draw(r, "sort"))
			switch rapid.IntRange(0, 3).Draw(r, "kind") {
			case 0:
				_, err := d.DeleteItem(d.ctx(), &dynamodb.DeleteItemInput{TableName: aws.String(table), Key: k})
				require.NoError(r, err)
				// A deletion of nothing is a write of nothing.
				if current := d.presentIndex(e, lag); len(current) == len(past[len(past)-1]) {
					continue
				}
			case 1:
				other := key("b", rapid.StringMatching("[a-d]").Draw(r, "other"))
				require.NoError(r, d.transact("", txPut(it("PK", k["PK"], "SK", k["SK"], "g", "G", "n", 5)), txPut(other)))
			default:
				d.put(it("PK", k["PK"], "SK", k["SK"], "g", "G", "n", rapid.IntRange(0, 3).Draw(r, "n"), "v", rapid.IntRange(0, 1).Draw(r, "v")))
			}
			past = append(past, d.presentIndex(e, lag))
			backwards := rapid.Bool().Draw(r, "backwards")
			want := append([]item{}, past[max(0, len(past)-1-lag)]...)
			options := []queryOption{on("by-g")}
			if backwards {
				options = append(options, descending())
				for i, j := 0, len(want)-1; i < j; i, j = i+1, j-1 {
					want[i], want[j] = want[j], want[i]
				}
			}
			require.Equal(r, want, d.query("g = :g", it(":g", "G"), options...).Items)
		}
	})
}

// presentIndex reads the index as it is: a local Scan of the table, in the order of the index.
func (d *db) presentIndex(_ *engine.Engine, _ int) []item {
	all := d.query("PK = :p", it(":p", "a")).Items
	var in []item
	for n := range 10 {
		for _, i := range all {
			if i["n"] != nil && i["n"].(*types.AttributeValueMemberN).Value == strconv.Itoa(n) {
				in = append(in, i)
			}
		}
	}
	if in == nil {
		in = []item{}
	}
	return in
}

func TestLagForgetsADroppedIndex(t *testing.T) {
	t.Parallel()
	e, d := faulty(t, global("by-g", projectAll(), "g"))
	require.NoError(t, e.Inject(engine.Fault{Kind: engine.FaultLag, Writes: 100}))
	d.put(it("PK", "a", "SK", "1", "g", "G"))
	require.NoError(t, d.dropIndex("by-g"))
	require.NoError(t, d.addIndex("by-g", "g"))
	require.Equal(t, 0, d.countOn("by-g", "g = :g", it(":g", "G")), "the new index has not caught up")
	e.Clear()
	require.Equal(t, 1, d.countOn("by-g", "g = :g", it(":g", "G")))
}

func (d *db) dropIndex(name string) error {
	_, err := d.UpdateTable(d.ctx(), &dynamodb.UpdateTableInput{TableName: aws.String(table), GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{
		{Delete: &types.DeleteGlobalSecondaryIndexAction{IndexName: &name}},
	}})
	return err
}

func (d *db) addIndex(name, attribute string) error {
	all := projectAll()
	_, err := d.UpdateTable(d.ctx(), &dynamodb.UpdateTableInput{
		TableName:            aws.String(table),
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: &attribute, AttributeType: "S"}},
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{
			{Create: &types.CreateGlobalSecondaryIndexAction{IndexName: &name, KeySchema: keys(attribute), Projection: &all}},
		},
	})
	return err
}

func TestFaultsOverHTTP(t *testing.T) {
	t.Parallel()
	e, d := faulty(t)
	url := serveFaulty(t, e)
	send := func(method, body string) (int, string) {
		r, err := http.NewRequestWithContext(t.Context(), method, url+engine.FaultsPath, strings.NewReader(body))
		require.NoError(t, err)
		response, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		answer, err := io.ReadAll(response.Body)
		require.NoError(t, errors.Join(err, response.Body.Close()))
		return response.StatusCode, string(answer)
	}
	status, body := send("PUT", `[{"kind":"throttle","operations":["GetItem"],"count":1},{"kind":"slow","delay":"1ms","partition":"a"}]`)
	require.Equal(t, http.StatusOK, status, body)
	requireCode(t, d.tryGet(key("b", "1")), "ProvisionedThroughputExceededException")
	require.NoError(t, d.tryGet(key("a", "1")))
	_, body = send("GET", "")
	require.JSONEq(t, `[{"kind":"throttle","operations":["GetItem"],"count":1,"struck":1},{"kind":"slow","delay":"1ms","partition":"a","struck":1}]`, body)
	for want, bad := range map[string]string{
		"no fault": `[{"kind":"burn"}]`, "no duration": `[{"kind":"slow","delay":"5"}]`, "unknown field": `[{"kind":"cut","often":1}]`,
		"no JSON array": `{"kind":"cut"}`, "follows": `[] []`,
	} {
		status, body = send("PUT", bad)
		require.Equal(t, http.StatusBadRequest, status)
		require.Contains(t, body, want)
	}
	require.Len(t, e.Faults(), 2, "what is refused changes nothing")
	status, body = send("DELETE", "")
	require.Equal(t, http.StatusOK, status)
	require.JSONEq(t, `[]`, body)
	status, _ = send("POST", "[]")
	require.Equal(t, http.StatusMethodNotAllowed, status)
	require.Empty(t, e.Faults())
}

func TestFaultsLeaveDurabilityAlone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "tables.db")
	e, err := engine.Open(engine.Config{Path: path})
	require.NoError(t, err)
	d := connect(t, e)
	d.create(global("by-g", projectAll(), "g"))
	require.NoError(t, e.Inject(
		engine.Fault{Kind: engine.FaultConflict, Rate: 0.3, Seed: 1},
		engine.Fault{Kind: engine.FaultCut, Operations: []string{"TransactWriteItems", "PutItem"}, Rate: 0.3, Seed: 2, Applied: true},
		engine.Fault{Kind: engine.FaultCut, Operations: []string{"TransactWriteItems", "PutItem"}, Rate: 0.3, Seed: 3}))
	var acknowledged []string
	for i := range 60 {
		n := strconv.Itoa(i)
		if d.transact("", txPut(it("PK", "a", "SK", n, "g", "G")), txPut(it("PK", "b", "SK", n, "g", "G"))) == nil {
			acknowledged = append(acknowledged, n)
		}
	}
	require.NoError(t, e.Close())
	d = connect(t, open(t, engine.Config{Path: path}))
	a, b := texts(d.query("PK = :p", it(":p", "a")).Items, "SK"), texts(d.query("PK = :p", it(":p", "b")).Items, "SK")
	require.Equal(t, a, b, "no transaction is torn")
	require.Subset(t, a, acknowledged)
	require.Greater(t, len(a), len(acknowledged), "some took effect that nobody heard of")
	require.Less(t, len(a), 60, "some had no effect")
	require.Equal(t, len(a)+len(b), d.countOn("by-g", "g = :g", it(":g", "G")))
}
