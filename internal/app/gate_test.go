package app_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/internal/app"
	"example.com/keyfirst/internal/config"
	"example.com/keyfirst/internal/engine"
)

// How long a server may take to notice that its table is back, and how often it is asked.
const (
	waitFor = 10 * time.Second
	tick    = 50 * time.Millisecond
)

// codeOf is the code of the only error.
func codeOf(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	var body struct {
		Errors []struct {
			Extensions struct{ Code string }
		}
	}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &body), w.Body)
	require.Len(t, body.Errors, 1, w.Body)
	return body.Errors[0].Extensions.Code
}

func atEndpoint(url string) app.Config {
	return app.Config{Serve: config.Serve{Store: config.Store{Kind: config.StoreEndpoint, Endpoint: url}}}
}

// TestAnEndpointWithoutTheTable starts before the table exists, and serves as soon as it does.
func TestAnEndpointWithoutTheTable(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "local")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "local")
	e, err := engine.Open(engine.Config{})
	require.NoError(t, err)
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	handler := open(t, atEndpoint(server.URL)).Handler()

	require.Equal(t, http.StatusServiceUnavailable, health(t, handler))
	w := ask(t, handler, annsName)
	require.Equal(t, "UNAVAILABLE", codeOf(t, w))
	require.Contains(t, w.Body.String(), "keyfirst table create")
	require.JSONEq(t, `{"data":{"__typename":"Query"}}`, ask(t, handler, `{__typename}`).Body.String())
	require.Equal(t, "UNAVAILABLE", codeOf(t, ask(t, handler, `{...f} fragment f on Query {product(id:"prod_X"){name}}`)))
	require.Equal(t, "UNAVAILABLE", codeOf(t, ask(t, handler,
		`mutation {createCustomer(input:{name:"Bo",email:"bo@example.com"}){customer{id}}}`)))

	require.Zero(t, keyfirst(t, "table", "create", "--endpoint", server.URL).status)
	require.Eventually(t, func() bool { return health(t, handler) == http.StatusOK }, waitFor, tick)
	require.JSONEq(t, `{"data":{"customer":null}}`, ask(t, handler, annsName).Body.String())
}

// TestAnEndpointThatComesAndGoes is reachable later, and then no more.
func TestAnEndpointThatComesAndGoes(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "local")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "local")
	e, err := engine.Open(engine.Config{})
	require.NoError(t, err)
	open(t, app.Config{Engine: e}) // makes the table
	var up atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !up.Load() {
			panic(http.ErrAbortHandler)
		}
		e.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	handler := open(t, atEndpoint(server.URL)).Handler()
	require.Equal(t, http.StatusServiceUnavailable, health(t, handler))
	require.Equal(t, "UNAVAILABLE", codeOf(t, ask(t, handler, annsName)))

	up.Store(true)
	require.Eventually(t, func() bool { return health(t, handler) == http.StatusOK }, waitFor, tick)
	require.JSONEq(t, `{"data":{"customer":null}}`, ask(t, handler, annsName).Body.String())

	up.Store(false)
	require.Equal(t, "UNAVAILABLE", codeOf(t, ask(t, handler, annsName)))
	require.Eventually(t, func() bool { return health(t, handler) == http.StatusServiceUnavailable }, waitFor, tick)
}
