package tests

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"
)

// breakage is one way in which a table fails.
type breakage struct {
	name string
	// answer takes the engine's place.
	answer answer
	// code is what a client is told, retryable whether it may try again.
	code      string
	retryable bool
}

// answer answers a request in the engine's place, or with its help.
type answer func(r *http.Request, next aws.HTTPClient) (*http.Response, error)

// always answers everything the same.
func always(status int, body string) answer {
	return func(*http.Request, aws.HTTPClient) (*http.Response, error) { return reply(status, body), nil }
}

func breakages() []breakage {
	const arn = "arn:aws:dynamodb:eu-central-1:123456789012:table/secret"
	return []breakage{
		{"throttled", always(http.StatusBadRequest, faultBody("ProvisionedThroughputExceededException", "rate exceeded for "+arn)), "THROTTLED", true},
		{"throttled on demand", always(http.StatusBadRequest, faultBody("ThrottlingException", "rate exceeded for "+arn)), "THROTTLED", true},
		{"limited", always(http.StatusBadRequest, faultBody("RequestLimitExceeded", "rate exceeded for "+arn)), "THROTTLED", true},
		{"unprocessed for ever", unprocessed(func(int) int { return 0 }), "THROTTLED", true},
		{"failing", always(http.StatusInternalServerError, faultBody("InternalServerError", "at "+arn)), "UNAVAILABLE", true},
		{"not available", always(http.StatusServiceUnavailable, "<html>nginx at 10.0.0.7</html>"), "UNAVAILABLE", true},
		{"refusing", func(r *http.Request, _ aws.HTTPClient) (*http.Response, error) {
			return nil, &url.Error{Op: "Post", URL: r.URL.String(), Err: &net.OpError{
				Op: "dial", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(10, 0, 0, 7), Port: 8000}, Err: syscall.ECONNREFUSED,
			}}
		}, "UNAVAILABLE", true},
		{"hanging up", func(r *http.Request, _ aws.HTTPClient) (*http.Response, error) {
			return nil, &url.Error{Op: "Post", URL: r.URL.String(), Err: io.EOF}
		}, "UNAVAILABLE", true},
		{"cutting replies", cut, "UNAVAILABLE", true},
		{"answering garbage", always(http.StatusOK, "<html>captive portal of 10.0.0.7</html>"), "INTERNAL_SERVER_ERROR", false},
		{"without the table", always(http.StatusBadRequest, faultBody("ResourceNotFoundException", "no resource "+arn)), "UNAVAILABLE", false},
		{"forbidding", always(http.StatusBadRequest, faultBody("AccessDeniedException", "User: arn:aws:iam::123456789012:user/x is not authorized")), "INTERNAL_SERVER_ERROR", false},
		{"refusing the request", always(http.StatusBadRequest, faultBody("ValidationException", "the key CUST#42 is bad")), "INTERNAL_SERVER_ERROR", false},
		{"silent", func(r *http.Request, _ aws.HTTPClient) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		}, "TIMEOUT", true},
	}
}

// cut loses the second half of the engine's reply. The program's own client reads replies to their end before it hands
// them on, and so has an error in their place.
func cut(r *http.Request, next aws.HTTPClient) (*http.Response, error) {
	if _, err := next.Do(r); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("read the reply of 10.0.0.7: %w", io.ErrUnexpectedEOF)
}

// unprocessed answers a BatchGetItem for only so many of its keys, and leaves the rest unprocessed, as DynamoDB may at
// any time.
func unprocessed(answered func(keys int) int) answer {
	return func(r *http.Request, next aws.HTTPClient) (*http.Response, error) {
		if operationOf(r) != "BatchGetItem" {
			return next.Do(r)
		}
		var batch struct {
			RequestItems map[string]map[string]json.RawMessage
		}
		if err := json.Unmarshal(peek(r), &batch); err != nil {
			return nil, err
		}
		left := map[string]any{}
		for table, asked := range batch.RequestItems {
			var keys []json.RawMessage
			if err := json.Unmarshal(asked["Keys"], &keys); err != nil {
				return nil, err
			}
			n := answered(len(keys))
			rest := maps.Clone(asked)
			rest["Keys"], _ = json.Marshal(keys[n:])
			asked["Keys"], _ = json.Marshal(keys[:n])
			if n < len(keys) {
				left[table] = rest
			}
			if n == 0 {
				delete(batch.RequestItems, table)
			}
		}
		merged := map[string]any{"Responses": map[string]any{}, "ConsumedCapacity": []any{}}
		if len(batch.RequestItems) > 0 {
			body, err := json.Marshal(map[string]any{"RequestItems": batch.RequestItems, "ReturnConsumedCapacity": "TOTAL"})
			if err != nil {
				return nil, err
			}
			part := r.Clone(r.Context())
			part.Body, part.ContentLength = io.NopCloser(strings.NewReader(string(body))), int64(len(body))
			response, err := next.Do(part)
			if err != nil {
				return nil, err
			}
			if err := json.NewDecoder(response.Body).Decode(&merged); err != nil {
				return nil, err
			}
		}
		merged["UnprocessedKeys"] = left
		body, err := json.Marshal(merged)
		return reply(http.StatusOK, string(body)), err
	}
}

// TestBrokenTable breaks the table in every way while the goldens run. A response may lack what could not be read, but
// then it says so: each null where data would be has an error at or below it, with the one code of what happened, and
// everything else is as if nothing had been.
func TestBrokenTable(t *testing.T) {
	embeddedOnly(t, "retries take their time, which only a bubble of synctest makes short")
	t.Parallel()
	table := demoTable(t)
	goldens := readGoldens(t)
	for _, b := range breakages() {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			for _, name := range slices.Sorted(maps.Keys(goldens)) {
				g := goldens[name]
				for _, operation := range []string{"GetItem", "BatchGetItem", "Query"} {
					if !g.demo() || !strings.Contains(g.file("calls"), " "+operation+" ") {
						continue
					}
					synctest.Test(t, func(t *testing.T) {
						s := newServer(t, setup{table: table, hook: func(sent string, r *http.Request, next aws.HTTPClient) (*http.Response, error) {
							if sent != operation {
								return next.Do(r)
							}
							return b.answer(r, next)
						}})
						s.requireExplained(t, name+", "+operation, g, b)
					})
				}
			}
		})
	}
}

func (s *server) requireExplained(t *testing.T, name string, g *golden, b breakage) {
	t.Helper()
	start := time.Now()
	got := s.ask(t.Context(), t, g.file("query.graphql"), g.variables(t))
	require.LessOrEqual(t, time.Since(start), 11*time.Second, "%s: an answer within the operation's deadline", name)
	if b.code == "TIMEOUT" { // by then it is too late for any data
		require.Equal(t, http.StatusGatewayTimeout, got.status, "%s: %s", name, got.body)
		require.Equal(t, []string{b.code}, got.codes(), name)
		return
	}
	require.Equal(t, http.StatusOK, got.status, name)
	var whole, data any
	var wanted response
	require.NoError(t, json.Unmarshal([]byte(g.file("response.json")), &wanted))
	require.NoError(t, json.Unmarshal(wanted.Data, &whole))
	require.NoError(t, json.Unmarshal(got.Data, &data), "%s: %s", name, got.body)
	own := map[string]bool{} // errors that the operation has in good times
	for _, e := range wanted.Errors {
		own[pathOf(e.Path)] = true
	}
	paths := []string{}
	for _, e := range got.Errors {
		paths = append(paths, pathOf(e.Path))
		if own[pathOf(e.Path)] && e.code() == "BAD_USER_INPUT" {
			continue
		}
		require.Equal(t, b.code, e.code(), "%s: %s", name, got.body)
		retryable, _ := e.Extensions["retryable"].(bool)
		require.Equal(t, b.retryable, retryable, name)
		require.NotEmpty(t, e.Extensions["requestId"], name)
	}
	requireSameButNull(t, name, "", whole, data, paths)
}

func pathOf(path []any) string {
	var text strings.Builder
	for _, step := range path {
		fmt.Fprintf(&text, ".%v", step)
	}
	return text.String()
}

// requireSameButNull compares two responses, of which the second may have nulls that an error explains.
func requireSameButNull(t *testing.T, name, path string, whole, data any, explained []string) {
	t.Helper()
	if data == nil && whole != nil {
		require.True(t, slices.ContainsFunc(explained, func(p string) bool { return p == path || strings.HasPrefix(p, path+".") }),
			"%s: a null without an error at %q; errors are at %v", name, path, explained)
		return
	}
	switch whole := whole.(type) {
	case map[string]any:
		object, _ := data.(map[string]any)
		require.Len(t, object, len(whole), "%s: %s", name, path)
		for key := range whole {
			requireSameButNull(t, name, path+"."+key, whole[key], object[key], explained)
		}
	case []any:
		list, _ := data.([]any)
		require.Len(t, list, len(whole), "%s: a shorter list at %s", name, path)
		for i := range whole {
			requireSameButNull(t, name, fmt.Sprintf("%s.%d", path, i), whole[i], list[i], explained)
		}
	default:
		require.Equal(t, whole, data, "%s: %s", name, path)
	}
}

// TestThrottledField has one of two reads throttled: the other's data are there.
func TestThrottledField(t *testing.T) {
	t.Parallel()
	s := newServer(t, setup{hook: func(operation string, r *http.Request, next aws.HTTPClient) (*http.Response, error) {
		if operation == "Query" {
			return reply(http.StatusBadRequest, faultBody("ProvisionedThroughputExceededException", "slow down")), nil
		}
		return next.Do(r)
	}})
	got := s.ask(t.Context(), t, `{ node(id: "cust_42") { ... on Customer { name latestOrder { id } } } product(id: "prod_MUG-PLUM") { name } }`, nil)
	require.JSONEq(t, `{"node":{"name":"Ann","latestOrder":null},"product":{"name":"Stoneware Mug, Plum"}}`, string(got.Data))
	require.Equal(t, []string{"THROTTLED"}, got.codes())
	require.Equal(t, []any{"node", "latestOrder"}, got.Errors[0].Path)
	require.Equal(t, true, got.Errors[0].Extensions["retryable"])
	report := got.actual(t)
	require.Equal(t, 2, report.Requests)
	require.Positive(t, report.Retries)
	s.requireReported(t, got)
}

// TestUnprocessedKeys leaves keys of every BatchGetItem unprocessed for a while: the answer is whole, and what was sent
// again counts as retries, not as requests.
func TestUnprocessedKeys(t *testing.T) {
	t.Parallel()
	goldens := readGoldens(t)
	for _, name := range []string{"screen", "nodes-250", "nodes-mixed", "customer-by-id-aliases", "open-orders-customers"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := goldens[name]
			alone := newServer(t, setup{}).ask(t.Context(), t, g.file("query.graphql"), g.variables(t)).actual(t)
			var left atomic.Int64
			left.Store(4)
			s := newServer(t, setup{hook: func(_ string, r *http.Request, next aws.HTTPClient) (*http.Response, error) {
				if left.Add(-1) < 0 {
					return next.Do(r)
				}
				return unprocessed(func(keys int) int { return (keys + 1) / 2 })(r, next)
			}})
			got := s.ask(t.Context(), t, g.file("query.graphql"), g.variables(t))
			require.JSONEq(t, g.file("response.json"), settled(t, got))
			report := got.actual(t)
			require.Equal(t, alone.Requests, report.Requests)
			require.Equal(t, alone.Rounds, report.Rounds)
			require.Positive(t, report.Retries)
			s.requireReported(t, got)
		})
	}
}

// TestTableGone deletes the table under a running server: the answer says what to do about it.
func TestTableGone(t *testing.T) {
	t.Parallel()
	name := fmt.Sprintf("kf-%d-gone", time.Now().UnixNano())
	fill(t, name, 1, nil)
	s := newServer(t, setup{table: name})
	_, err := newClient(backend()).DeleteTable(t.Context(), &dynamodb.DeleteTableInput{TableName: &name})
	require.NoError(t, err)
	got := s.ask(t.Context(), t, `{ customer(id: "cust_42") { name } }`, nil)
	require.Equal(t, []string{"UNAVAILABLE"}, got.codes())
	require.Contains(t, got.Errors[0].Message, "keyfirst table create")
	require.JSONEq(t, `{"customer":null}`, string(got.Data))
}

// TestEndpointGone sends requests to a port at which nobody listens any more.
func TestEndpointGone(t *testing.T) {
	t.Parallel()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	nobody, err := redirect("http://" + listener.Addr().String())
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	s := newServer(t, setup{hook: func(_ string, r *http.Request, _ aws.HTTPClient) (*http.Response, error) { return nobody.Do(r) }})
	s.secrets = append(s.secrets, listener.Addr().String())
	start := time.Now()
	got := s.ask(t.Context(), t, `{ customer(id: "cust_42") { name } }`, nil)
	require.Less(t, time.Since(start), 10*time.Second)
	require.Equal(t, []string{"UNAVAILABLE"}, got.codes())
	require.Equal(t, true, got.Errors[0].Extensions["retryable"])
}

// TestBrokenWrites fails the transaction of each mutation: an error with a code, and no payload that claims success.
func TestBrokenWrites(t *testing.T) {
	embeddedOnly(t, "retries take their time, which only a bubble of synctest makes short")
	t.Parallel()
	goldens := readGoldens(t)
	for _, name := range []string{"create-customer", "put-product-old", "put-warehouse-new", "place-order"} {
		table := goldens[name].table(t)
		for _, b := range breakages() {
			t.Run(name+"/"+b.name, func(t *testing.T) {
				t.Parallel()
				if b.name == "unprocessed for ever" || b.name == "cutting replies" {
					return // the one is not for writes, the other lets them happen
				}
				synctest.Test(t, func(t *testing.T) {
					s := newServer(t, setup{table: table, hook: func(sent string, r *http.Request, next aws.HTTPClient) (*http.Response, error) {
						if sent != "TransactWriteItems" {
							return next.Do(r)
						}
						return b.answer(r, next)
					}})
					start := time.Now()
					got := s.ask(t.Context(), t, goldens[name].file("query.graphql"), goldens[name].variables(t))
					require.LessOrEqual(t, time.Since(start), 11*time.Second)
					require.Regexp(t, `^\{"\w+":null\}$`, string(got.Data), "%s", got.body)
					require.Equal(t, []string{b.code}, got.codes(), "%s", got.body)
					// What may have happened all the same does not invite to do it twice.
					_, retryable := got.Errors[0].Extensions["retryable"]
					require.Equal(t, b.code == "THROTTLED", retryable, "%s", got.body)
				})
			})
		}
	}
}

// TestCancelledRequest has the client go away while the table is silent: nothing of the request stays behind, which is
// what a bubble of synctest insists on.
func TestCancelledRequest(t *testing.T) {
	embeddedOnly(t, "a bubble of synctest must not wait for a socket")
	t.Parallel()
	table := demoTable(t)
	for _, name := range []string{"screen", "nodes-250", "open-orders-customers", "customer-two-with-orders"} {
		g := readGoldens(t)[name]
		for _, after := range []time.Duration{0, time.Millisecond, 3 * time.Millisecond} {
			synctest.Test(t, func(t *testing.T) {
				s := newServer(t, setup{table: table, latency: 4 * time.Millisecond})
				ctx, cancel := context.WithTimeout(t.Context(), after)
				defer cancel()
				got := s.ask(ctx, t, g.file("query.graphql"), g.variables(t))
				require.NotEmpty(t, got.Errors)
				require.Subset(t, []string{"TIMEOUT"}, got.codes())
				synctest.Wait()
			})
		}
	}
}

// TestSlowTable answers each request only just in time, or only just too late, for the operation's deadline.
func TestSlowTable(t *testing.T) {
	embeddedOnly(t, "it takes ten seconds, which only a bubble of synctest makes short")
	t.Parallel()
	table := demoTable(t)
	for _, c := range []struct {
		latency time.Duration
		codes   []string
	}{{3333 * time.Millisecond, []string{}}, {5001 * time.Millisecond, []string{"TIMEOUT"}}} {
		synctest.Test(t, func(t *testing.T) {
			s := newServer(t, setup{table: table, latency: c.latency})
			start := time.Now()
			got := s.ask(t.Context(), t, `{ order(id: "order_A17") { customer { id name } } }`, nil)
			require.Equal(t, c.codes, got.codes())
			require.LessOrEqual(t, time.Since(start), 10*time.Second)
		})
	}
}

// TestLostItem removes a line that its order counts: an error on that path, after one more read, never a shorter list.
func TestLostItem(t *testing.T) {
	t.Parallel()
	g := readGoldens(t)["order-of-deleted-customer"]
	table := g.table(t)
	s := newServer(t, setup{table: table, hook: hideItems})
	for query, retries := range map[string]int{
		`{ order(id: "order_g1") { id items { nodes { line } } } }`:                     1,
		`{ order(id: "order_g1") { id items(last: 2) { nodes { line } } } }`:            1,
		`{ nodes(ids: ["order_g1"]) { id ... on Order { items { nodes { line } } } } }`: 1,
		`{ order(id: "order_g1") { id itemCount total { amount } } }`:                   0,
	} {
		got := s.ask(t.Context(), t, query, nil)
		require.Equal(t, retries, got.actual(t).Retries, query)
		s.requireReported(t, got)
		if retries == 0 {
			require.Empty(t, got.Errors)
			continue
		}
		require.Equal(t, []string{"UNAVAILABLE"}, got.codes(), "%s: %s", query, got.body)
		require.NotContains(t, string(got.Data), "nodes\":[]")
	}
}

// hideItems answers as if the lines of orders were not there.
func hideItems(_ string, r *http.Request, next aws.HTTPClient) (*http.Response, error) {
	response, err := next.Do(r)
	if err != nil {
		return nil, err
	}
	var answer map[string]any
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return nil, err
	}
	isLine := func(item any) bool {
		text, _ := json.Marshal(item)
		return strings.Contains(string(text), "ITEM#")
	}
	if answer["Item"] != nil && isLine(answer["Item"]) {
		delete(answer, "Item")
	}
	if items, ok := answer["Items"].([]any); ok {
		answer["Items"] = slices.DeleteFunc(items, isLine)
	}
	if tables, ok := answer["Responses"].(map[string]any); ok {
		for table, items := range tables {
			tables[table] = slices.DeleteFunc(items.([]any), isLine)
		}
	}
	body, err := json.Marshal(answer)
	return reply(response.StatusCode, string(body)), err
}
