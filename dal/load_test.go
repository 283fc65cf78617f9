package dal_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/dal"
)

// crowd fills the table with an order of many lines and one thing of each other type, and gives the reads of all.
func (s *shop) crowd(lines int) []dal.Read {
	s.t.Helper()
	s.fill(
		aCustomer(s.t, "42"), anOrder(s.t, "42", "A17", lines), aProduct(s.t, "X"), aWarehouse("north"),
	)
	reads := []dal.Read{
		dal.CustomerByID("42"), dal.OrderByID("A17"), dal.ProductBySKU("X"), dal.WarehouseByID("north"),
		dal.OwnerByEmail(email(s.t, "C42@example.com")),
	}
	for line := 1; line <= lines; line++ {
		reads = append(reads, dal.ItemByID("A17", line))
	}
	return reads
}

func TestLoadMergesAllTypes(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1)
	reads := s.crowd(3)
	reads = append(reads, dal.CustomerByID("nobody"))
	results, calls := s.recorded(dal.LoadOptions{}, append(reads, reads...)...)

	sent := s.wire.take()
	require.Equal(t, []string{"BatchGetItem"}, operations(sent))
	require.Len(t, sent[0].keys(t), len(reads), "no key is asked for twice")
	require.Len(t, results, len(reads))
	for _, r := range reads[:len(reads)-1] {
		require.NoError(t, results[r].Err)
		require.Len(t, results[r].Entities, 1)
		require.False(t, results[r].More)
	}
	require.Equal(t, dal.Result{}, results[dal.CustomerByID("nobody")])
	require.IsType(t, &dal.Customer{}, results[reads[0]].Entities[0])
	require.IsType(t, &dal.Order{}, results[reads[1]].Entities[0])
	require.IsType(t, &dal.Product{}, results[reads[2]].Entities[0])
	require.IsType(t, &dal.Warehouse{}, results[reads[3]].Entities[0])
	require.IsType(t, &dal.EmailOwner{}, results[reads[4]].Entities[0])
	require.IsType(t, &dal.OrderItem{}, results[reads[5]].Entities[0])

	require.Len(t, calls, 1)
	require.Equal(t, []dal.Pattern{
		"customer-by-email", "customer-by-id", "item-by-id", "order-by-id", "product-by-id", "warehouse-by-id",
	}, calls[0].Patterns)
	require.Equal(t, len(reads), calls[0].Keys)
	require.Equal(t, 1, calls[0].Round)
	require.InDelta(t, 0.5*float64(len(reads)), calls[0].ReadUnits, 0)
	require.False(t, calls[0].Retry)
	require.Zero(t, calls[0].Retries)
}

func TestLoadOfOneItemIsGetItem(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1)
	s.crowd(1)
	line := dal.LinesOfOrder(&dal.Order{ID: "A17", ItemCount: 1}, dal.LineWindow{Count: 1})[0]
	same := dal.ItemByID("A17", 1)
	results := s.load(dal.LoadOptions{}, same, line, same)
	require.Equal(t, []string{"GetItem"}, operations(s.wire.take()), "two patterns ask for one key")
	require.Same(t, results[same].Entities[0], results[line].Entities[0])
}

func TestLoadInChunks(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1)
	for _, c := range []struct{ keys, requests int }{{0, 0}, {1, 1}, {2, 1}, {100, 1}, {101, 2}, {200, 2}, {201, 3}, {500, 5}} {
		reads := make([]dal.Read, c.keys)
		for i := range reads {
			reads[i] = dal.ProductBySKU(dal.SKU(strconv.Itoa(i)))
		}
		_, calls := s.recorded(dal.LoadOptions{}, reads...)
		sent := s.wire.take()
		require.Len(t, sent, c.requests)
		require.Equal(t, c.requests, dal.BatchRequests(c.keys))
		keys := 0
		for i, call := range calls {
			require.LessOrEqual(t, call.Keys, 100)
			require.Equal(t, 1, call.Round, "chunks do not wait for each other")
			keys += calls[i].Keys
		}
		require.Equal(t, c.keys, keys)
	}
}

// TestLoadAsksForAnItemOnce also when the patterns that ask for it would fall into different chunks.
func TestLoadAsksForAnItemOnce(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1)
	s.fill(anOrder(t, "42", "A17", dal.MaxLines))
	var reads []dal.Read
	for line := 1; line <= dal.MaxLines; line++ {
		reads = append(reads, dal.ItemByID("A17", line))
	}
	reads = append(reads, dal.LinesOfOrder(&dal.Order{ID: "A17", ItemCount: dal.MaxLines}, dal.LineWindow{Count: dal.MaxLines})...)
	results := s.load(dal.LoadOptions{}, reads...)
	require.Len(t, s.wire.take(), 1)
	for _, r := range reads {
		require.Len(t, results[r].Entities, 1)
	}
}

func TestLoadSendsPagesBesideItems(t *testing.T) {
	t.Parallel()
	s := openShop(t, 3)
	s.crowd(2)
	_, calls := s.recorded(dal.LoadOptions{},
		dal.CustomerByID("42"), dal.OrderByID("A17"), dal.LatestOrder("42"),
		dal.OpenOrdersByWarehouse("north", dal.OrderWindow{Count: 5}))
	require.Len(t, calls, 1+1+3, "a batch, a page, and a page of three shards")
	for _, c := range calls {
		require.Equal(t, 1, c.Round)
	}
}

// TestLoadBoundsParallelRequests counts, under a slow engine, how many requests are under way at once.
func TestLoadBoundsParallelRequests(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := openShop(t, 4, func(c *dal.Config) { c.Parallel = 3 })
		under, most := 0, 0
		slow := &slowWire{engine: s.wire.engine, begin: func() { under++; most = max(most, under) }, end: func() { under-- }}
		s.wire.engine = slow
		reads := []dal.Read{dal.OpenOrdersByWarehouse("a", dal.OrderWindow{Count: 5}), dal.OpenOrdersByWarehouse("b", dal.OrderWindow{Count: 5})}
		for i := range 250 {
			reads = append(reads, dal.ProductBySKU(dal.SKU(strconv.Itoa(i))))
		}
		results, calls := s.recorded(dal.LoadOptions{}, reads...)
		require.Len(t, results, len(reads))
		require.Len(t, calls, 3+2*4)
		require.Equal(t, 3, most)
		for _, c := range calls {
			require.Equal(t, 1, c.Round, "a request that waited for a slot is none of a later round")
		}
	})
}

func TestLoadConsistency(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1)
	s.crowd(2)
	page, index := dal.LatestOrder("42"), dal.OpenOrdersByWarehouse("north", dal.OrderWindow{Count: 5})
	byEmail := dal.CustomerByEmail(email(t, "c42@example.com"))
	byStatus := dal.OrdersByStatus("42", dal.OrderWindow{Count: 5}, dal.OrderCriteria{Status: dal.StatusPending})
	reads := []dal.Read{dal.CustomerByID("42"), dal.OrderByID("A17"), page, index, byEmail, byStatus}
	consistent := func(requests []request) (strong, all int) {
		for _, r := range requests {
			var in struct {
				ConsistentRead bool
				RequestItems   map[string]struct{ ConsistentRead bool }
			}
			require.NoError(t, json.Unmarshal(r.body, &in))
			all++
			if in.ConsistentRead || in.RequestItems[dal.DefaultTable].ConsistentRead {
				strong++
			}
		}
		return strong, all
	}

	results := s.load(dal.LoadOptions{}, reads...)
	strong, all := consistent(s.wire.take())
	require.Equal(t, 0, strong)
	require.Equal(t, 5, all)
	for _, r := range reads {
		require.NoError(t, results[r].Err)
		require.Len(t, results[r].Entities, 1)
	}

	results = s.load(dal.LoadOptions{Consistency: dal.Strong}, reads...)
	strong, all = consistent(s.wire.take())
	require.Equal(t, 3, strong)
	require.Equal(t, 3, all, "what cannot be read strongly is not sent")
	for _, r := range []dal.Read{index, byEmail} {
		require.Equal(t, dal.KindInvalid, kindOf(t, results[r].Err))
		require.Contains(t, dal.ReasonOf(results[r].Err), string(r.Pattern()))
		require.False(t, r.Sent(dal.Strong))
	}
	require.NoError(t, results[page].Err)
	require.NoError(t, results[byStatus].Err, "a local index can be read strongly")

	results = s.load(dal.LoadOptions{Consistency: dal.StrongButIndexes}, reads...)
	strong, all = consistent(s.wire.take())
	require.Equal(t, 3, strong)
	require.Equal(t, 5, all)
	for _, r := range reads {
		require.NoError(t, results[r].Err)
	}
}

// partly answers the first so many batches with all their keys but the first unprocessed.
func partly(t *testing.T, s *shop, times int) {
	t.Helper()
	s.wire.fault = func(r request) *answer {
		if r.operation != "BatchGetItem" || r.try > times || len(r.keys(t)) < 2 {
			return nil
		}
		keys := r.keys(t)
		raw := s.get(keys[0].PK, keys[0].SK)
		return &answer{status: http.StatusOK, body: batchReply(t, raw, keys[1:])}
	}
}

func batchReply(t *testing.T, found item, unprocessed []dal.Key) string {
	t.Helper()
	attributes := map[string]map[string]string{}
	for name, v := range found {
		attributes[name] = attribute(t, v)
	}
	var responses, keys []any
	if found != nil {
		responses = append(responses, attributes)
	}
	for _, k := range unprocessed {
		keys = append(keys, map[string]any{"PK": map[string]string{"S": k.PK}, "SK": map[string]string{"S": k.SK}})
	}
	reply := map[string]any{
		"Responses":        map[string]any{dal.DefaultTable: responses},
		"ConsumedCapacity": []any{map[string]any{"TableName": dal.DefaultTable, "CapacityUnits": 0.5}},
	}
	if len(keys) > 0 {
		reply["UnprocessedKeys"] = map[string]any{dal.DefaultTable: map[string]any{"Keys": keys}}
	}
	body, err := json.Marshal(reply)
	require.NoError(t, err)
	return string(body)
}

func TestUnprocessedKeysAreAskedForAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := openShop(t, 1)
		reads := append(s.crowd(4), dal.CustomerByID("nobody"))
		partly(t, s, 4)
		start := time.Now()
		results, calls := s.recorded(dal.LoadOptions{}, reads...)
		sent := s.wire.take()
		require.Len(t, sent, 5)
		for i := 1; i < len(sent); i++ {
			require.Equal(t, sent[i-1].keys(t)[1:], sent[i].keys(t), "only what is left is asked for again")
		}
		for _, r := range reads[:len(reads)-1] {
			require.NoError(t, results[r].Err)
			require.Len(t, results[r].Entities, 1, "answers add up over the tries")
		}
		require.Equal(t, dal.Result{}, results[dal.CustomerByID("nobody")])
		require.Positive(t, time.Since(start), "it waited in between")
		require.Len(t, calls, 1)
		require.Equal(t, 4, calls[0].Retries)
		require.False(t, calls[0].Retry)
		require.Equal(t, 1, calls[0].Round)
		require.InDelta(t, 0.5*float64(len(reads)), calls[0].ReadUnits, 0, "units add up over the tries")
	})
}

func TestKeysThatStayUnprocessedAreThrottled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := openShop(t, 1, func(c *dal.Config) { c.Retries = 2 })
		reads := s.crowd(6)
		partly(t, s, 100)
		start := time.Now()
		results, calls := s.recorded(dal.LoadOptions{}, reads...)
		require.Len(t, s.wire.take(), 3, "a bounded number of tries")
		answered := 0
		for _, r := range reads {
			if results[r].Err == nil {
				require.Len(t, results[r].Entities, 1, "unprocessed is never missing")
				answered++
				continue
			}
			require.Equal(t, dal.KindThrottled, kindOf(t, results[r].Err))
			require.Empty(t, results[r].Entities)
		}
		require.Equal(t, 3, answered, "what did come is an answer")
		require.Less(t, time.Since(start), 3*time.Second)
		require.Equal(t, 2, calls[0].Retries)
	})
}

func TestCancelDuringBackoffEndsAtOnce(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]struct {
		context func(context.Context) (context.Context, context.CancelFunc)
		kind    dal.Kind
	}{
		"deadline": {func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, 3*time.Millisecond)
		}, dal.KindTimeout},
		"cancel": {func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(3*time.Millisecond, cancel)
			return ctx, cancel
		}, dal.KindCanceled},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := openShop(t, 1, func(c *dal.Config) { c.Retries = 1000 })
				reads := s.crowd(2)
				s.wire.fault = func(r request) *answer {
					return &answer{status: http.StatusOK, body: batchReply(t, nil, r.keys(t))}
				}
				ctx, cancel := end.context(t.Context())
				defer cancel()
				start := time.Now()
				results := s.table.Load(ctx, reads, dal.LoadOptions{})
				require.Equal(t, 3*time.Millisecond, time.Since(start))
				for _, r := range reads {
					require.Equal(t, end.kind, kindOf(t, results[r].Err))
				}
			})
		})
	}
}

// TestBackoffIsJitteredAndBounded looks at the waits between the tries of many loads.
func TestBackoffIsJitteredAndBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		waits := map[int]map[time.Duration]bool{}
		for range 20 {
			s := openShop(t, 1)
			reads := s.crowd(2)
			last := time.Now()
			s.wire.fault = func(r request) *answer {
				if waits[r.try] == nil {
					waits[r.try] = map[time.Duration]bool{}
				}
				waits[r.try][time.Since(last)] = true
				last = time.Now()
				return &answer{status: http.StatusOK, body: batchReply(t, nil, r.keys(t))}
			}
			s.load(dal.LoadOptions{}, reads...)
			require.Len(t, s.wire.take(), 9, "the default bound")
		}
		for try := 2; try <= 9; try++ {
			require.Greater(t, len(waits[try]), 15, "wait %d is not the same for all", try)
			for wait := range waits[try] {
				require.LessOrEqual(t, wait, time.Second)
			}
		}
		for wait := range waits[2] {
			require.LessOrEqual(t, wait, 25*time.Millisecond, "the first wait is short")
		}
	})
}

func TestAWholeRequestFails(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1)
	reads := s.crowd(1)
	page := dal.LatestOrder("42")
	s.wire.fault = func(r request) *answer {
		if r.operation == "BatchGetItem" {
			return refusal("ResourceNotFoundException")
		}
		return nil
	}
	results, calls := s.recorded(dal.LoadOptions{}, append(reads, page)...)
	for _, r := range reads {
		require.Equal(t, dal.KindNoTable, kindOf(t, results[r].Err))
		require.Empty(t, results[r].Entities)
	}
	require.Equal(t, []dal.OrderID{"A17"}, ids(t, results[page]), "the page beside it is answered")
	failed := 0
	for _, c := range calls {
		if c.Failed {
			failed++
		}
	}
	require.Equal(t, 1, failed)
}

// TestALaterTryFails keeps what the first try found.
func TestALaterTryFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := openShop(t, 1)
		reads := s.crowd(2)
		partly(t, s, 1)
		first := s.wire.fault
		s.wire.fault = func(r request) *answer {
			if r.try == 2 {
				return refusal("ValidationException")
			}
			return first(r)
		}
		results := s.load(dal.LoadOptions{}, reads...)
		failed := 0
		for _, r := range reads {
			if results[r].Err != nil {
				require.Equal(t, dal.KindInternal, kindOf(t, results[r].Err))
				failed++
			} else {
				require.Len(t, results[r].Entities, 1)
			}
		}
		require.Equal(t, len(reads)-1, failed)
	})
}

func TestOneShardFails(t *testing.T) {
	t.Parallel()
	s := openShop(t, 4)
	s.crowd(1)
	s.wire.fault = func(r request) *answer {
		if strings.Contains(string(r.body), "WAREHOUSE#north#2") {
			return refusal("ValidationException")
		}
		return nil
	}
	r := dal.OpenOrdersByWarehouse("north", dal.OrderWindow{Count: 5})
	res := s.load(dal.LoadOptions{}, r)[r]
	require.Equal(t, dal.KindInternal, kindOf(t, res.Err))
	require.Empty(t, res.Entities, "never a page without the orders of one shard")
}

func TestACorruptItemFailsAlone(t *testing.T) {
	t.Parallel()
	corrupt := map[string]func(item){
		"no name":               func(it item) { delete(it, "name") },
		"a name of no string":   func(it item) { it["name"] = number("1") },
		"a version of no digit": func(it item) { it["version"] = text("x") },
		"a fraction":            func(it item) { it["version"] = number("1.5") },
		"a wrong time":          func(it item) { it["createdAt"] = text("yesterday") },
	}
	for name, spoil := range corrupt {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openShop(t, 1)
			reads := s.crowd(2)
			it := s.get("CUST#42", "PROFILE")
			spoil(it)
			s.put(it)
			results := s.load(dal.LoadOptions{}, reads...)
			require.Equal(t, dal.KindCorrupt, kindOf(t, results[reads[0]].Err))
			for _, r := range reads[1:] {
				require.NoError(t, results[r].Err)
				require.Len(t, results[r].Entities, 1)
			}
			alone := s.load(dal.LoadOptions{}, reads[0])
			require.Equal(t, dal.KindCorrupt, kindOf(t, alone[reads[0]].Err), "GetItem says the same")
		})
	}
}

func TestACorruptItemFailsItsPage(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(item){
		"another status":     func(it item) { it["status"] = text("LOST") },
		"too many lines":     func(it item) { it["itemCount"] = number("91") },
		"less than none":     func(it item) { it["itemCount"] = number("-1") },
		"another time":       func(it item) { it["placedAt"] = text("2025-03-02") },
		"an amount of text":  func(it item) { it["total"] = text("10") },
		"an amount too long": func(it item) { it["currency"] = number("1") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openShop(t, 1)
			s.crowd(1)
			it := s.get("CUST#42", "ORDER#2025-03-01T12:00:00.000Z#A17")
			require.NotNil(t, it)
			spoil(it)
			s.put(it)
			r := dal.LatestOrder("42")
			res := s.load(dal.LoadOptions{}, r)[r]
			require.Equal(t, dal.KindCorrupt, kindOf(t, res.Err))
			require.Empty(t, res.Entities)
		})
	}
}

func TestForeignKeysAreCorrupt(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1)
	s.crowd(1)
	line := s.get("ORDER#A17", "ITEM#001")
	for _, sk := range []string{"ITEM#1", "ITEM#+01", "ITEM#0001", "ITEM#091x", "ITEM#x"} {
		line["SK"] = text(sk)
		s.put(line)
		r := dal.OrderWithItems("A17", []dal.Read{dal.ItemsByOrder("A17", dal.LineWindow{Count: 20})})
		require.Equal(t, dal.KindCorrupt, kindOf(t, s.load(dal.LoadOptions{}, r)[r].Err), sk)
		s.remove("ORDER#A17", sk)
	}
}

// lagging hides a line from the first so many batches, as a replica does that has not got it yet.
func lagging(t *testing.T, s *shop, times int) {
	t.Helper()
	line := s.get("ORDER#A17", "ITEM#002")
	s.remove("ORDER#A17", "ITEM#002")
	s.wire.fault = func(r request) *answer {
		if r.operation == "GetItem" && times == 1 {
			require.Contains(t, string(r.body), `"ConsistentRead":true`)
			s.put(line)
		}
		return nil
	}
}

func TestAnAbsentLineIsReadOnceMore(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1)
	s.crowd(3)
	lagging(t, s, 1)
	reads := dal.LinesOfOrder(&dal.Order{ID: "A17", ItemCount: 3}, dal.LineWindow{Count: 3})
	results, calls := s.recorded(dal.LoadOptions{Round: 4}, append(reads, dal.CustomerByID("42"))...)
	require.Equal(t, []string{"BatchGetItem", "GetItem"}, operations(s.wire.take()))
	for i, r := range reads {
		require.NoError(t, results[r].Err)
		require.Equal(t, i+1, results[r].Entities[0].(*dal.OrderItem).Line)
	}
	require.Len(t, calls, 2)
	require.False(t, calls[0].Retry)
	require.True(t, calls[1].Retry)
	require.Equal(t, 4, calls[1].Round, "a retry belongs to its request's round")
}

func TestALineThatStaysAbsentIsUnavailable(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1)
	s.crowd(3)
	lagging(t, s, 0)
	reads := dal.LinesOfOrder(&dal.Order{ID: "A17", ItemCount: 3}, dal.LineWindow{Count: 3})
	results := s.load(dal.LoadOptions{}, reads...)
	require.Equal(t, []string{"BatchGetItem", "GetItem"}, operations(s.wire.take()), "once more, not for ever")
	require.NoError(t, results[reads[0]].Err)
	require.Equal(t, dal.KindUnavailable, kindOf(t, results[reads[1]].Err))
	require.NoError(t, results[reads[2]].Err)

	other := dal.ItemByID("A17", 2)
	require.Equal(t, dal.Result{}, s.load(dal.LoadOptions{}, other)[other], "asked for by its id it is just not there")
}

// TestALineThatCannotBeReadAgain fails with the reason, not as absent.
func TestALineThatCannotBeReadAgain(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1)
	s.crowd(3)
	lagging(t, s, 0)
	s.wire.fault = func(r request) *answer {
		if r.operation == "GetItem" {
			return refusal("ValidationException")
		}
		return nil
	}
	reads := dal.LinesOfOrder(&dal.Order{ID: "A17", ItemCount: 3}, dal.LineWindow{Count: 3})
	results := s.load(dal.LoadOptions{}, reads...)
	require.Equal(t, dal.KindInternal, kindOf(t, results[reads[1]].Err))
}

func TestRereadInChunks(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1)
	var reads []dal.Read
	for n := range 3 {
		id := dal.OrderID(fmt.Sprint("A", n))
		s.fill(anOrder(t, "42", id, 50))
		reads = append(reads, dal.LinesOfOrder(&dal.Order{ID: id, ItemCount: 51}, dal.LineWindow{Count: 90})...)
	}
	results := s.table.Reread(t.Context(), reads, 1)
	require.Len(t, s.wire.take(), 2)
	require.Len(t, results, 153)
	absent := 0
	for _, res := range results {
		if res.Err != nil {
			require.Equal(t, dal.KindUnavailable, kindOf(t, res.Err))
			absent++
		}
	}
	require.Equal(t, 3, absent)
}

// TestACutPageIsContinued answers a Query in three parts, as DynamoDB does at 1 MB.
func TestACutPageIsContinued(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1)
	for n := range 7 {
		o := anOrder(t, "42", dal.OrderID(fmt.Sprint("A", n)), 0)
		o.Order.PlacedAt = noon.Add(time.Duration(n) * time.Hour)
		s.fill(o)
	}
	cut := &cuttingWire{engine: s.wire.engine}
	s.wire.engine = cut
	for _, c := range []struct {
		count, requests int
		more            bool
	}{{3, 2, true}, {5, 3, true}, {6, 4, true}, {7, 4, false}} {
		r := dal.OrdersByCustomer("42", dal.OrderWindow{Count: c.count}, dal.OrderCriteria{})
		results, calls := s.recorded(dal.LoadOptions{}, r)
		require.Len(t, results[r].Entities, c.count)
		require.Equal(t, c.more, results[r].More)
		require.Equal(t, dal.OrderID("A6"), results[r].Entities[0].(*dal.Order).ID)
		require.Len(t, s.wire.take(), c.requests)
		require.Len(t, calls, 1)
		require.Equal(t, c.requests-1, calls[0].Retries)
		require.LessOrEqual(t, calls[0].Keys, r.Bound(dal.Eventual, 1).Keys)
	}
}

func TestKindsOfFailure(t *testing.T) {
	t.Parallel()
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	cancelled := func(codes ...string) *answer {
		var reasons []string
		for _, code := range codes {
			reasons = append(reasons, `{"Code":"`+code+`"}`)
		}
		return &answer{status: 400, body: `{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",` +
			`"message":"no","CancellationReasons":[` + strings.Join(reasons, ",") + `]}`}
	}
	for name, c := range map[string]struct {
		answer *answer
		want   dal.Kind
		tries  int
	}{
		"connection refused":       {&answer{err: refused}, dal.KindUnavailable, 4},
		"refused, as net/http":     {&answer{err: &url.Error{Op: "Post", URL: "http://x", Err: refused}}, dal.KindUnavailable, 4},
		"connection reset":         {&answer{err: &net.OpError{Op: "read", Err: syscall.ECONNRESET}}, dal.KindUnavailable, 4},
		"closed connection":        {&answer{err: errors.New("use of closed network connection")}, dal.KindUnavailable, 4},
		"anything on the way":      {&answer{err: errors.New("tls: handshake failure")}, dal.KindUnavailable, 4},
		"no such host":             {&answer{err: &url.Error{Op: "Post", Err: &net.DNSError{IsNotFound: true}}}, dal.KindUnavailable, 1},
		"a name server that fails": {&answer{err: &net.DNSError{IsTemporary: true}}, dal.KindUnavailable, 4},
		"a timeout of the client":  {&answer{err: &url.Error{Op: "Post", Err: timeout{}}}, dal.KindTimeout, 4},
		"no table":                 {refusal("ResourceNotFoundException"), dal.KindNoTable, 1},
		"throttled":                {refusal("ThrottlingException"), dal.KindThrottled, 4},
		"provisioned":              {refusal("ProvisionedThroughputExceededException"), dal.KindThrottled, 4},
		"limit":                    {refusal("RequestLimitExceeded"), dal.KindThrottled, 4},
		"429":                      {&answer{status: 429, body: `{}`}, dal.KindThrottled, 4},
		"invalid":                  {refusal("ValidationException"), dal.KindInternal, 1},
		"denied":                   {refusal("AccessDeniedException"), dal.KindInternal, 1},
		"unknown token":            {refusal("UnrecognizedClientException"), dal.KindInternal, 1},
		"in progress":              {refusal("TransactionInProgressException"), dal.KindConflict, 4},
		"one conflict":             {refusal("TransactionConflictException"), dal.KindConflict, 1},
		"internal error":           {&answer{status: 500, body: `{"__type":"InternalServerError"}`}, dal.KindUnavailable, 4},
		"500 of another name":      {&answer{status: 500, body: `{"__type":"InternalFailure"}`}, dal.KindUnavailable, 4},
		"503":                      {&answer{status: 503, body: `{"__type":"ServiceUnavailable"}`}, dal.KindUnavailable, 4},
		"a gateway's page":         {&answer{status: 502, body: `<html>Bad Gateway</html>`}, dal.KindUnavailable, 4},
		"an unusual status":        {&answer{status: 507, body: `{}`}, dal.KindUnavailable, 1},
		"no JSON":                  {&answer{status: 200, body: `<html>`}, dal.KindInternal, 1},
		"conflict":                 {cancelled("None", "TransactionConflict"), dal.KindConflict, 4},
		"throttled transaction":    {cancelled("ThrottlingError", "None"), dal.KindThrottled, 4},
		"mixed, retryable":         {cancelled("TransactionConflict", "ProvisionedThroughputExceeded"), dal.KindConflict, 4},
		"mixed, not retryable":     {cancelled("TransactionConflict", "ValidationError"), dal.KindConflict, 1},
		"validation":               {cancelled("None", "ValidationError"), dal.KindInternal, 1},
		"collection too large":     {cancelled("ItemCollectionSizeLimitExceeded"), dal.KindInternal, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := openShop(t, 1)
				s.wire.fault = func(request) *answer { return c.answer }
				start := time.Now()
				ctx, recorder := inContext(t)
				_, _, err := s.table.CreateCustomer(ctx, dal.NewCustomer{Name: "Ann", Email: email(t, "ann@example.com")})
				require.Equal(t, c.want, kindOf(t, err), "%v", err)
				require.Empty(t, dal.ReasonOf(err), "nothing of it is for a client")
				require.Len(t, s.wire.take(), c.tries)
				require.LessOrEqual(t, time.Since(start), 3*time.Second, "waits are bounded")
				require.Equal(t, c.tries-1, recorder.Calls()[0].Retries)
				require.True(t, recorder.Calls()[0].Failed)

				r := dal.LatestOrder("42")
				require.Equal(t, c.want, kindOf(t, s.load(dal.LoadOptions{}, r)[r].Err), "a Query says the same")
			})
		})
	}
}

// timeout is a network timeout.
type timeout struct{}

func (timeout) Error() string   { return "too slow" }
func (timeout) Timeout() bool   { return true }
func (timeout) Temporary() bool { return true }

// TestRetriesThatHelp is about requests that fail at first: what comes is the answer, and the retries are counted.
func TestRetriesThatHelp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := openShop(t, 1)
		s.crowd(2)
		s.wire.fault = func(r request) *answer {
			if r.try <= 3 {
				return refusal("ThrottlingException")
			}
			return nil
		}
		results, calls := s.recorded(dal.LoadOptions{}, dal.CustomerByID("42"), dal.LatestOrder("42"), dal.OrderByID("A17"))
		for _, res := range results {
			require.NoError(t, res.Err)
			require.Len(t, res.Entities, 1)
		}
		require.Len(t, calls, 2)
		for _, c := range calls {
			require.Equal(t, 3, c.Retries)
		}
	})
}

// TestAConflictIsRetriedAsTheSameTransaction so that it cannot be applied twice.
func TestAConflictIsRetriedAsTheSameTransaction(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := openShop(t, 1)
		s.wire.fault = func(r request) *answer {
			if r.try <= 2 {
				return &answer{status: 400, body: `{"__type":"x#TransactionCanceledException",` +
					`"CancellationReasons":[{"Code":"TransactionConflict"},{"Code":"None"}]}`}
			}
			return nil
		}
		c, rejections, err := s.table.CreateCustomer(t.Context(), dal.NewCustomer{Name: "Ann", Email: email(t, "ann@example.com")})
		require.NoError(t, err)
		require.Empty(t, rejections)
		require.NotNil(t, c)
		sent := s.wire.take()
		require.Len(t, sent, 3)
		require.Equal(t, string(sent[0].body), string(sent[2].body))
		require.Contains(t, string(sent[0].body), "ClientRequestToken")
	})
}

func TestADeadlineIsATimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := openShop(t, 1)
		reads := append(s.crowd(1), dal.LatestOrder("42"))
		s.wire.engine = &slowWire{engine: s.wire.engine}
		ctx, cancel := context.WithTimeout(t.Context(), time.Microsecond)
		defer cancel()
		for _, res := range s.table.Load(ctx, reads, dal.LoadOptions{}) {
			require.Equal(t, dal.KindTimeout, kindOf(t, res.Err))
		}
		ctx, cancel = context.WithCancel(t.Context())
		cancel()
		for _, res := range s.table.Load(ctx, reads, dal.LoadOptions{}) {
			require.Equal(t, dal.KindCanceled, kindOf(t, res.Err))
		}
	})
}
