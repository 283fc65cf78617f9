package tests

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/internal/app"
	"example.com/keyfirst/internal/config"
	"example.com/keyfirst/internal/demo"
	"example.com/keyfirst/internal/engine"
)

// These tests run over the embedded engine, or, when DYNAMODB_ENDPOINT names one, over the engine at that address.
// REQUIRE_DYNAMODB=1 is how CI says that there must be one.
func externalEndpoint() string {
	return os.Getenv("DYNAMODB_ENDPOINT") //nolint:forbidigo // which engine is tested is not a setting of the program
}

func TestMain(m *testing.M) {
	if err := checkEngine(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// checkEngine fails where tests would run over another engine than they are meant to.
func checkEngine() error {
	endpoint := externalEndpoint()
	if endpoint == "" {
		if os.Getenv("REQUIRE_DYNAMODB") == "1" { //nolint:forbidigo // see externalEndpoint
			return errors.New("tests: REQUIRE_DYNAMODB is set, but DYNAMODB_ENDPOINT is not")
		}
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	to, err := redirect(endpoint)
	if err != nil {
		return fmt.Errorf("tests: DYNAMODB_ENDPOINT: %w", err)
	}
	if _, err := newClient(to).ListTables(ctx, &dynamodb.ListTablesInput{}); err != nil {
		return fmt.Errorf("tests: nothing answers at DYNAMODB_ENDPOINT: %w", err)
	}
	return nil
}

// embeddedOnly is called first by a test that cannot run over an external engine, and says why. Over the embedded
// engine, where CI runs every test, nothing is ever left out.
func embeddedOnly(t *testing.T, reason string) {
	t.Helper()
	if externalEndpoint() != "" {
		t.Skip("only over the embedded engine: " + reason)
	}
}

// backend is the engine under test, as an HTTP client of its own.
var backend = sync.OnceValue(func() aws.HTTPClient {
	if externalEndpoint() != "" {
		to, err := redirect(externalEndpoint())
		if err != nil {
			panic(err)
		}
		return to
	}
	e, err := engine.Open(engine.Config{})
	if err != nil {
		panic(err)
	}
	return e
})

// redirected sends every request to one endpoint, whatever address the program was given. An engine that runs on the
// developer's machine does not look at signatures.
type redirected struct {
	to     *url.URL
	client *http.Client
}

func redirect(endpoint string) (*redirected, error) {
	to, err := url.Parse(endpoint)
	if err != nil {
		return nil, err
	}
	return &redirected{to, &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 512}}}, nil
}

// Do implements aws.HTTPClient. It reads the reply to its end, as the program's own client does.
func (c *redirected) Do(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host, r.Host = c.to.Scheme, c.to.Host, c.to.Host
	response, err := c.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close() //nolint:errcheck // it is read to its end
	body, err := io.ReadAll(response.Body)
	response.Body = io.NopCloser(bytes.NewReader(body))
	return response, err
}

// newClient is a DynamoDB client over whatever answers.
func newClient(over aws.HTTPClient) *dynamodb.Client {
	return dal.NewClient(aws.Config{
		Region: "us-east-1", HTTPClient: over,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "local", SecretAccessKey: "local"}, nil
		}),
	}, func(o *dynamodb.Options) { o.BaseEndpoint = aws.String("http://engine.invalid") })
}

var tables atomic.Int64

// newTable makes a table of its own and fills it; the test's end removes it.
func newTable(tb testing.TB, shards int, records []dal.Record) string {
	tb.Helper()
	name := fmt.Sprintf("kf-%d-%d", time.Now().UnixNano(), tables.Add(1))
	fill(tb, name, shards, records)
	tb.Cleanup(func() {
		_, err := newClient(backend()).DeleteTable(context.Background(), &dynamodb.DeleteTableInput{TableName: &name})
		require.NoError(tb, err)
	})
	return name
}

func fill(t require.TestingT, name string, shards int, records []dal.Record) {
	table := dal.New(newClient(backend()), dal.Config{Name: name, Parallel: 8})
	require.NoError(t, table.Create(context.Background(), shards))
	require.NoError(t, table.Fill(context.Background(), records))
}

// demoShards is how many shards the demo's table has in these tests: the default of the command line.
const demoShards = 1

var demoOnce struct {
	sync.Once

	table string
}

// demoTable is the one table with the demo in it. It is made once for all tests, which only read it.
func demoTable(tb testing.TB) string {
	tb.Helper()
	demoOnce.Do(func() {
		records, err := demo.Records()
		require.NoError(tb, err)
		name := fmt.Sprintf("kf-%d-demo", time.Now().UnixNano())
		fill(tb, name, demoShards, records)
		demoOnce.table = name
	})
	require.NotEmpty(tb, demoOnce.table, "the demo's table could not be made")
	return demoOnce.table
}

// server is the whole program, over a table.
type server struct {
	handler http.Handler
	wire    *wire
	table   string
	// secrets are what no response may contain, beside the names of everybody's internals.
	secrets []string
}

// setup says how a server is made. The zero setup serves the demo at full speed.
type setup struct {
	// table is the table to serve. Default: the demo's.
	table string
	// latency is added to each DynamoDB request.
	latency time.Duration
	// hook stands in for the engine once the server runs.
	hook hook
}

// newServer puts the program together as main does, but for its listener, and with the wire in front of the engine
// under test. It works in a bubble of synctest too.
func newServer(tb testing.TB, with setup) *server {
	tb.Helper()
	s := &server{table: with.table, wire: &wire{next: backend()}}
	if s.table == "" {
		s.table = demoTable(tb)
	}
	if host := strings.TrimPrefix(externalEndpoint(), "http://"); host != "" {
		s.secrets = append(s.secrets, host)
	}
	a, err := app.New(context.Background(), app.Config{
		Serve: config.Serve{
			Store: config.Store{Kind: config.StoreEmbedded, Table: s.table},
			Budget: config.Budget{
				Rounds: config.DefaultMaxRounds, Requests: config.DefaultMaxRequests,
				ReadUnits: config.DefaultMaxReadUnits, WriteUnits: config.DefaultMaxWriteUnits,
			},
		},
		Engine: s.wire,
	})
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, a.Close()) })
	s.handler = a.Handler()
	s.wire.take()
	s.wire.latency = with.latency
	s.wire.breakWith(with.hook)
	return s
}

// response is what a client got.
type response struct {
	Data       json.RawMessage `json:"data"`
	Errors     []responseError `json:"errors"`
	Extensions struct {
		Explain *struct {
			Plan   bounds `json:"plan"`
			Actual actual `json:"actual"`
		} `json:"explain"`
	} `json:"extensions"`

	status int
	header http.Header
	body   []byte
}

type responseError struct {
	Message    string         `json:"message"`
	Path       []any          `json:"path,omitempty"`
	Extensions map[string]any `json:"extensions"`
}

func (e responseError) code() string {
	code, _ := e.Extensions["code"].(string)
	return code
}

// bounds is what the operation may cost at most, as its plan says.
type bounds struct {
	Rounds     int     `json:"rounds"`
	Requests   int     `json:"requests"`
	ReadUnits  float64 `json:"readUnits"`
	WriteUnits float64 `json:"writeUnits"`
}

// actual is the report of what an operation cost, as a client reads it.
type actual struct {
	Rounds     int     `json:"rounds"`
	Requests   int     `json:"requests"`
	Retries    int     `json:"retries"`
	ReadUnits  float64 `json:"readUnits"`
	WriteUnits float64 `json:"writeUnits"`
	Calls      []call  `json:"calls"`
}

type call struct {
	Operation  string  `json:"operation"`
	Pattern    string  `json:"pattern"`
	Keys       int     `json:"keys"`
	Round      int     `json:"round"`
	ReadUnits  float64 `json:"readUnits"`
	WriteUnits float64 `json:"writeUnits"`
}

// actual is the operation's report.
func (r *response) actual(t require.TestingT) actual {
	require.NotNil(t, r.Extensions.Explain, "no report in: %s", r.body)
	return r.Extensions.Explain.Actual
}

// codes are the codes of the errors, in order.
func (r *response) codes() []string {
	codes := make([]string, len(r.Errors))
	for i, e := range r.Errors {
		codes[i] = e.code()
	}
	return codes
}

// ask sends an operation and asks for its report.
func (s *server) ask(ctx context.Context, t require.TestingT, query string, variables any) *response {
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	require.NoError(t, err)
	return s.post(ctx, t, body)
}

// post sends a body as it is.
func (s *server) post(ctx context.Context, t require.TestingT, body []byte) *response {
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/graphql", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/graphql-response+json")
	r.Header.Set("X-Explain", "1")
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	got := &response{status: w.Code, header: w.Header(), body: w.Body.Bytes()}
	requireNoLeak(t, s, got.header, got.body)
	require.NoError(t, json.Unmarshal(got.body, got), "%s", got.body)
	for _, e := range got.Errors {
		require.Contains(t, codes, e.code(), "%s", got.body)
		require.NotEmpty(t, e.Message)
	}
	return got
}

// codes are all that extensions.code may say.
var codes = []string{
	"GRAPHQL_PARSE_FAILED", "GRAPHQL_VALIDATION_FAILED", "BAD_USER_INPUT", "UNAUTHENTICATED", "FORBIDDEN",
	"BUDGET_EXCEEDED", "THROTTLED", "TIMEOUT", "UNAVAILABLE", "CONFLICT", "INTERNAL_SERVER_ERROR",
	"PERSISTED_QUERY_NOT_FOUND",
}

// requireReported fails when the report disagrees with what went over the wire, or is more than was planned. It takes
// the wire's notes.
func (s *server) requireReported(t require.TestingT, got *response) []request {
	sent := s.wire.take()
	if got.Extensions.Explain == nil {
		require.Empty(t, sent, "requests of an operation that was refused")
		return sent
	}
	report := got.actual(t)
	require.Len(t, sent, report.Requests+report.Retries, "the report and the wire disagree")
	plan := got.Extensions.Explain.Plan
	require.LessOrEqual(t, report.Rounds, plan.Rounds, "rounds")
	require.LessOrEqual(t, report.Requests, plan.Requests, "requests")
	if externalEndpoint() == "" && report.Retries == 0 {
		require.LessOrEqual(t, report.ReadUnits, plan.ReadUnits, "read units")
		require.LessOrEqual(t, report.WriteUnits, plan.WriteUnits, "write units")
	}
	for _, r := range sent {
		require.LessOrEqual(t, r.keys, 100)
	}
	return sent
}
