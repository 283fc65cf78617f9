package tests

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/internal/app"
	"example.com/keyfirst/internal/config"
)

// TestUnreliableEndpoint talks to the engine over a socket, through the client that the program makes for an endpoint,
// while every other reply is lost in one way or another. What is retried is not seen by the client; what never comes
// is UNAVAILABLE.
func TestUnreliableEndpoint(t *testing.T) { // not parallel: it sets the environment
	t.Setenv("AWS_ACCESS_KEY_ID", "local")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "local")
	losses := map[string]func(http.ResponseWriter, []byte){
		"cut in the middle": func(w http.ResponseWriter, body []byte) {
			w.Header().Set("Content-Length", "100000")
			_, _ = w.Write(body[:len(body)/2])
		},
		"connection closed": func(http.ResponseWriter, []byte) { panic(http.ErrAbortHandler) },
		"status 500":        func(w http.ResponseWriter, _ []byte) { w.WriteHeader(http.StatusInternalServerError) },
		"status 503 of a proxy": func(w http.ResponseWriter, _ []byte) {
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = io.WriteString(w, "<html>nginx</html>")
		},
	}
	for name, lose := range losses {
		t.Run(name, func(t *testing.T) {
			var requests, always atomic.Int64
			proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				r.RequestURI = ""
				r.URL.Scheme, r.URL.Host = "http", "engine.invalid"
				response, err := backend().Do(r)
				if err != nil {
					panic(http.ErrAbortHandler)
				}
				defer response.Body.Close() //nolint:errcheck // it is read to its end
				body, err := io.ReadAll(response.Body)
				if err != nil {
					panic(http.ErrAbortHandler)
				}
				if always.Load() > 0 || requests.Add(1)%2 == 0 {
					lose(w, body)
					return
				}
				w.Header().Set("Content-Type", response.Header.Get("Content-Type"))
				w.WriteHeader(response.StatusCode)
				_, _ = w.Write(body)
			}))
			defer proxy.Close()
			table := newTable(t, 1, parseSeed(t, []byte(readGoldens(t)["place-order"].file("seed"))))
			a, err := app.New(t.Context(), app.Config{Serve: config.Serve{
				Store: config.Store{Kind: config.StoreEndpoint, Endpoint: proxy.URL, Table: table},
			}})
			require.NoError(t, err)
			defer func() { require.NoError(t, a.Close()) }()
			s := &server{handler: a.Handler(), table: table, secrets: []string{strings.TrimPrefix(proxy.URL, "http://")}}

			for range 4 {
				got := s.ask(t.Context(), t, `{ customer(id: "cust_1") { name latestOrder { id } } order(id: "order_o2") { total { amount } } }`, nil)
				require.Empty(t, got.Errors, "%s", got.body)
				require.JSONEq(t, `{"customer":{"name":"Ada","latestOrder":{"id":"order_o5"}},"order":{"total":{"amount":"10.1"}}}`, string(got.Data))
				require.Equal(t, 2, got.actual(t).Requests)
			}
			// A write that is sent again because its reply was lost happens once.
			for i := range 4 {
				got := s.ask(t.Context(), t, `mutation { placeOrder(input: {customerId: "cust_3", warehouseId: "wh_n", lines: [{sku: "TEA", quantity: 1}]}) {
					order { customer { orderCount orders { nodes { itemCount } } } } } }`, nil)
				require.Empty(t, got.Errors, "%s", got.body)
				require.Contains(t, string(got.Data), fmt.Sprintf(`"orderCount":%d`, i+1))
			}

			always.Store(1)
			got := s.ask(t.Context(), t, `{ customer(id: "cust_1") { name } }`, nil)
			require.Equal(t, []string{"UNAVAILABLE"}, got.codes(), "%s", got.body)
			require.Equal(t, true, got.Errors[0].Extensions["retryable"])
		})
	}
}
