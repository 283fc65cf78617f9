package app_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/internal/app"
	"example.com/keyfirst/internal/config"
	"example.com/keyfirst/internal/engine"
	"example.com/keyfirst/plan"
)

// ask posts a query to the handler and gives the answer.
func ask(t *testing.T, handler http.Handler, query string) *httptest.ResponseRecorder {
	t.Helper()
	body := strings.NewReader(`{"query":"` + strings.ReplaceAll(query, `"`, `\"`) + `"}`)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", body)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/graphql-response+json")
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}

func health(t *testing.T, handler http.Handler) int {
	t.Helper()
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/healthz", http.NoBody))
	return w.Code
}

// open makes an app that is closed with the test.
func open(t *testing.T, cfg app.Config) *app.App {
	t.Helper()
	a, err := app.New(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, a.Close()) })
	return a
}

const annsName = `{customer(id:"cust_42"){name}}`

func TestTheZeroConfigIsAnEmptyServerInMemory(t *testing.T) {
	t.Parallel()
	a := open(t, app.Config{})
	require.Empty(t, a.URL())
	require.Equal(t, http.StatusOK, health(t, a.Handler()))
	require.JSONEq(t, `{"data":{"customer":null}}`, ask(t, a.Handler(), annsName).Body.String())
	require.EqualError(t, a.Run(t.Context()), "the server has no address to listen at")
	require.NoError(t, a.Close())
	require.NoError(t, a.Close(), "closing twice is closing once")
}

func TestAGivenEngine(t *testing.T) {
	t.Parallel()
	e, err := engine.Open(engine.Config{})
	require.NoError(t, err)
	a, err := app.New(t.Context(), app.Config{Serve: config.Serve{Demo: true}, Engine: e})
	require.NoError(t, err)
	require.NoError(t, a.Close())

	again := open(t, app.Config{Engine: e})
	require.JSONEq(t, `{"data":{"customer":{"name":"Ann"}}}`, ask(t, again.Handler(), annsName).Body.String(), "the engine stays open")
	require.NoError(t, e.Close())
}

func TestDev(t *testing.T) {
	t.Parallel()
	const introspection = `{__schema{queryType{name}}}`
	require.Equal(t, http.StatusBadRequest, ask(t, open(t, app.Config{}).Handler(), introspection).Code)
	dev := open(t, app.Config{Serve: config.Serve{Dev: true}})
	require.JSONEq(t, `{"data":{"__schema":{"queryType":{"name":"Query"}}}}`, ask(t, dev.Handler(), introspection).Body.String())
}

func TestBudget(t *testing.T) {
	t.Parallel()
	a := open(t, app.Config{Serve: config.Serve{Budget: config.Budget{Rounds: 1}}})
	require.JSONEq(t, `{"data":{"customer":null}}`, ask(t, a.Handler(), annsName).Body.String())
	w := ask(t, a.Handler(), `{customer(id:"cust_42"){orders(first:20){nodes{items(first:5){nodes{name}}}}}}`)
	require.Equal(t, "BUDGET_EXCEEDED", codeOf(t, w))
}

// TestTheBudgetOfTheCommandLine holds the command line to the budget that the planner recommends.
func TestTheBudgetOfTheCommandLine(t *testing.T) {
	t.Parallel()
	command, err := config.Parse(nil, func(string) (string, bool) { return "", false })
	require.NoError(t, err)
	require.Equal(t, plan.DefaultBudget(), plan.Budget(command.(config.Serve).Budget))
}

// TestLatency makes the engine slower than anything waits for it otherwise.
func TestLatency(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const latency = 3 * time.Second
		a := open(t, app.Config{Serve: config.Serve{Demo: true, Store: config.Store{Latency: latency}}})
		begin := time.Now()
		require.JSONEq(t, `{"data":{"customer":{"name":"Ann"}}}`, ask(t, a.Handler(), annsName).Body.String())
		require.Equal(t, latency, time.Since(begin))
		<-time.After(time.Minute)
		require.Equal(t, http.StatusOK, health(t, a.Handler()))
	})
}

func TestExplain(t *testing.T) {
	t.Parallel()
	a := open(t, app.Config{})
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/explain", strings.NewReader(`{"query":"{product(id:\"prod_X\"){name}}"}`))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	a.Handler().ServeHTTP(w, r)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	require.Contains(t, w.Body.String(), `"rounds":1`)
}

func TestShardsOfANewTable(t *testing.T) {
	t.Parallel()
	a := open(t, app.Config{Serve: config.Serve{Demo: true, Store: config.Store{Shards: 4}}})
	w := ask(t, a.Handler(), `{warehouse(id:"wh_north"){openOrders(first:3){nodes{id}}}}`)
	require.Equal(t, http.StatusOK, w.Code)
	require.Contains(t, w.Body.String(), `"order_A17"`, "the oldest of all shards comes first")
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = taken.Close() })
	damaged := filepath.Join(t.TempDir(), "damaged.db")
	require.NoError(t, os.WriteFile(damaged, []byte(strings.Repeat("not a database ", 1000)), 0o600))
	e, err := engine.Open(engine.Config{})
	require.NoError(t, err)

	for name, c := range map[string]struct {
		cfg  app.Config
		want string
	}{
		"settings that are wrong": {app.Config{Serve: config.Serve{Addr: "x"}}, "no host:port"},
		"a port in use":           {app.Config{Serve: config.Serve{Addr: taken.Addr().String()}}, "is in use by another program"},
		"a damaged file":          {app.Config{Serve: config.Serve{Store: config.Store{Path: damaged}}}, "the file is damaged"},
		"no folder":               {app.Config{Serve: config.Serve{Store: config.Store{Path: "/no/such/folder/k.db"}}}, "no such file or directory"},
		"an engine and a path":    {app.Config{Engine: e, Serve: config.Serve{Store: config.Store{Path: "x"}}}, "an engine is given"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, err := app.New(t.Context(), c.cfg)
			require.ErrorContains(t, err, c.want)
			require.NotContains(t, err.Error(), "\n")
			require.Nil(t, a)
		})
	}
}

// TestAFailedNewLeavesNothingOpen takes the port that the failed server had.
func TestAFailedNewLeavesNothingOpen(t *testing.T) {
	t.Parallel()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	addr := free.Addr().String()
	require.NoError(t, free.Close())
	_, err = app.New(t.Context(), app.Config{Serve: config.Serve{Addr: addr, Store: config.Store{Path: "/no/such/folder/k.db"}}})
	require.Error(t, err)
	again, err := net.Listen("tcp", addr)
	require.NoError(t, err)
	require.NoError(t, again.Close())
}

func TestAFileHasOneOwner(t *testing.T) {
	t.Parallel()
	store := config.Store{Path: filepath.Join(t.TempDir(), "k.db")}
	open(t, app.Config{Serve: config.Serve{Store: store}})
	_, err := app.New(t.Context(), app.Config{Serve: config.Serve{Store: store}})
	require.ErrorContains(t, err, "the file is in use by another process")
}

func TestACanceledStart(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := app.New(ctx, app.Config{})
	require.ErrorIs(t, err, context.Canceled)
}
