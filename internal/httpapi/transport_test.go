package httpapi_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/internal/httpapi"
)

const asJSON = "application/json"

func TestPost(t *testing.T) {
	t.Parallel()
	refused := func(message string) string {
		return `{"errors":[{"message":"` + message + `","extensions":{"code":"BAD_USER_INPUT"}}]}`
	}
	tests := map[string]struct {
		body   string
		status int
		want   string
	}{
		"query":               {`{"query":"{hello}"}`, 200, `{"data":{"hello":"hello"}}`},
		"mutation":            {`{"query":"mutation{change}"}`, 200, `{"data":{"change":"change"}}`},
		"nulls":               {`{"query":"{hello}","variables":null,"operationName":null,"extensions":null}`, 200, `{"data":{"hello":"hello"}}`},
		"unknown parameter":   {`{"query":"{hello}","id":[1]}`, 200, `{"data":{"hello":"hello"}}`},
		"other case":          {`{"query":"{hello}","QUERY":"{must}"}`, 200, `{"data":{"hello":"hello"}}`},
		"chosen operation":    {`{"query":"query A{hello} query B{must}","operationName":"B"}`, 200, `{"data":{"must":"must"}}`},
		"empty body":          {``, 400, refused("The request body is not valid JSON.")},
		"malformed":           {`{"query":"{hello}","variables":{"password":"hunter2"}`, 400, refused("The request body is not valid JSON.")},
		"not UTF-8":           {"{\"query\":\"{hello}\",\"x\":\"\xff\"}", 400, refused("The request body is not valid JSON.")},
		"batch":               {`[{"query":"{hello}"}]`, 400, refused("The request body must be one JSON object; batches are not supported.")},
		"trailing object":     {`{"query":"{hello}"}{"query":"{must}"}`, 400, refused("The request body has bytes behind the JSON object.")},
		"trailing brace":      {`{"query":"{hello}"}}`, 400, refused("The request body has bytes behind the JSON object.")},
		"parameter twice":     {`{"query":"{hello}","query":"{must}"}`, 400, refused("The request body has a parameter twice.")},
		"no query":            {`{"qeury":"{hello}"}`, 400, refused("The request has no query.")},
		"query of wrong type": {`{"query":["{hello}"]}`, 400, refused(`The parameter \"query\" has the wrong JSON type.`)},
		"variables of wrong type": {
			`{"query":"{hello}","variables":[1]}`, 400, refused(`The parameter \"variables\" has the wrong JSON type.`),
		},
		"syntax": {`{"query":"{ hello(x: \"secret\" }"}`, 400, `{"errors":[{"message":"Syntax error: Expected Name.",` +
			`"locations":[{"line":1,"column":21}],"extensions":{"code":"GRAPHQL_PARSE_FAILED"}}]}`},
		"validation": {`{"query":"{nothing}"}`, 400, `{"errors":[{"message":"Cannot query field \"nothing\" on type \"Query\".",` +
			`"locations":[{"line":1,"column":2}],"extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}`},
		"literal of wrong type": {
			`{"query":"{list(first: \"secret\")}"}`, 400, `{"errors":[{"message":"Int cannot represent non-integer value.",` +
				`"locations":[{"line":1,"column":15}],"extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}`,
		},
		"no such operation": {
			`{"query":"query A{hello} query B{must}","operationName":"secret"}`, 400, `{"errors":[{"message":` +
				`"The document has no such operation, or several and operationName does not say which.",` +
				`"extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}`,
		},
		"variable of wrong type": {
			`{"query":"query($f:Filter){list(filter:$f)}","variables":{"f":{"status":"secret"}}}`, 400,
			refused(`Variable \"$f.status\" is not a valid Status.`),
		},
		"variable missing": {
			`{"query":"query($f:Int!){list(first:$f)}"}`, 400, refused(`Variable \"$f\" must be defined.`),
		},
		"introspection": {`{"query":"{__schema{queryType{name}}}"}`, 400, `{"errors":[{"message":` +
			`"Introspection is switched off on this server.","locations":[{"line":1,"column":2}],` +
			`"extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}`},
		"subscription": {`{"query":"subscription{hello}"}`, 400, `{"errors":[{"message":` +
			`"Schema does not support operation type \"subscription\"","locations":[{"line":1,"column":1}],` +
			`"extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}`},
		"too many tokens": {
			`{"query":"{` + strings.Repeat("hello ", 5000) + `}"}`, 400,
			`{"errors":[{"message":"Syntax error: exceeded token limit of 4000.","extensions":{"code":"GRAPHQL_PARSE_FAILED"}}]}`,
		},
		"too many repetitions": {
			`{"query":"{` + strings.Repeat("hello ", 3000) + `}"}`, 400,
			`{"errors":[{"message":"The document repeats one field, or spreads fragments, too often.","extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := newServer(t, newStub(t, nil), nil).post(test.body)
			require.Equal(t, test.status, got.Code, got.Body)
			require.JSONEq(t, test.want, got.Body.String())
			require.Equal(t, "application/graphql-response+json; charset=utf-8", got.Header().Get("Content-Type"))
			require.Equal(t, "no-store", got.Header().Get("Cache-Control"))
		})
	}
}

func TestGet(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		values url.Values
		status int
		want   string
	}{
		"query":         {url.Values{"query": {"{hello}"}}, 200, `{"data":{"hello":"hello"}}`},
		"variables":     {url.Values{"query": {"query($n:Int){list(first:$n)}"}, "variables": {`{"n":1}`}}, 200, `{"data":{"list":"list"}}`},
		"bad variables": {url.Values{"query": {"{hello}"}, "variables": {`{} {}`}}, 400, ""},
		"mutation":      {url.Values{"query": {"mutation{change}"}}, 405, ""},
		"nothing":       {nil, 400, ""},
		"too long":      {url.Values{"query": {strings.Repeat(" ", 300<<10)}}, 414, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ran := false
			stub := newStub(t, map[string]resolver{"change": func(context.Context) (any, error) {
				ran = true
				return "done", nil
			}})
			got := newServer(t, stub, nil).do(httptest.NewRequest(http.MethodGet, "/graphql?"+test.values.Encode(), http.NoBody))
			require.Equal(t, test.status, got.Code, got.Body)
			require.False(t, ran, "a mutation by GET")
			if test.want != "" {
				require.JSONEq(t, test.want, got.Body.String())
				return
			}
			require.Contains(t, got.Body.String(), `"code":"BAD_USER_INPUT"`)
			if test.status == http.StatusMethodNotAllowed {
				require.Equal(t, "POST", got.Header().Get("Allow"))
			}
		})
	}
}

func TestMedia(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		contentType, accept string
		status              int
		want                string
	}{
		"no preference":        {asJSON, "", 200, asJSON},
		"anything":             {asJSON, "*/*", 200, asJSON},
		"plain":                {asJSON, asJSON, 200, asJSON},
		"graphql":              {asJSON, "application/graphql-response+json", 400, "application/graphql-response+json"},
		"both, graphql first":  {asJSON, "application/graphql-response+json, application/json", 400, "application/graphql-response+json"},
		"both, plain first":    {asJSON, "application/json, application/graphql-response+json", 200, asJSON},
		"weights":              {asJSON, "application/graphql-response+json;q=0.1, application/json;q=0.9", 200, asJSON},
		"refused by weight":    {asJSON, "application/json;q=0, */*", 400, "application/graphql-response+json"},
		"neither":              {asJSON, "text/html", 406, asJSON},
		"charset":              {"application/json; charset=UTF-8", "", 200, asJSON},
		"other charset":        {"application/json; charset=latin1", "", 415, asJSON},
		"form":                 {"application/x-www-form-urlencoded", "", 415, asJSON},
		"text":                 {"text/plain", "", 415, asJSON},
		"multipart":            {"multipart/form-data; boundary=x", "", 415, asJSON},
		"no content type":      {"", "", 415, asJSON},
		"broken content type ": {"application/json; =", "", 415, asJSON},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(`{"query":"{"}`))
			r.Header.Set("Content-Type", test.contentType)
			r.Header.Set("Accept", test.accept)
			got := newServer(t, newStub(t, nil), nil).do(r)
			require.Equal(t, test.status, got.Code, got.Body)
			require.Equal(t, test.want+"; charset=utf-8", got.Header().Get("Content-Type"))
			require.NotContains(t, got.Body.String(), `"data"`)
			require.Contains(t, got.Body.String(), `"code":`)
		})
	}
}

func TestRoutes(t *testing.T) {
	t.Parallel()
	console := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte("console " + r.URL.Path)) })
	tests := map[string]struct {
		method, path string
		status       int
		allow, body  string
	}{
		"console":        {"GET", "/", 200, "", "console /"},
		"console script": {"GET", "/console.js", 200, "", "console /console.js"},
		"console style":  {"HEAD", "/console.css", 200, "", ""},
		"post console":   {"POST", "/", 405, "GET, HEAD", ""},
		"unknown":        {"GET", "/other", 404, "", ""},
		"below graphql":  {"POST", "/graphql/x", 404, "", ""},
		"health":         {"GET", "/healthz", 200, "", `{"status":"ok"}`},
		"post health":    {"POST", "/healthz", 405, "GET, HEAD", ""},
		"put graphql":    {"PUT", "/graphql", 405, "GET, POST", `{"errors":[{"message":"GraphQL is served by POST, and for queries by GET.","extensions":{"code":"BAD_USER_INPUT"}}]}`},
		"options":        {"OPTIONS", "/graphql", 405, "GET, POST", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, newStub(t, nil), func(c *httpapi.Config) { c.Console = console })
			got := s.do(httptest.NewRequest(test.method, test.path, http.NoBody))
			require.Equal(t, test.status, got.Code)
			require.Equal(t, test.allow, got.Header().Get("Allow"))
			require.Equal(t, "nosniff", got.Header().Get("X-Content-Type-Options"))
			require.NotEmpty(t, got.Header().Get("Content-Security-Policy"))
			require.NotEmpty(t, got.Header().Get("X-Request-Id"))
			if test.body != "" {
				require.Equal(t, test.body, got.Body.String())
			}
		})
	}
}

func TestHealthHidesWhyItIsNotReady(t *testing.T) {
	t.Parallel()
	s := newServer(t, newStub(t, nil), func(c *httpapi.Config) {
		c.Ready = func(context.Context) error { return errors.New("arn:aws:dynamodb:table/secret") }
	})
	got := s.do(httptest.NewRequest(http.MethodGet, "/healthz", http.NoBody))
	require.Equal(t, http.StatusServiceUnavailable, got.Code)
	require.JSONEq(t, `{"status":"unavailable"}`, got.Body.String())
	require.Contains(t, s.log.String(), "arn:aws")
}

func TestRequestID(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		sent string
		kept bool
	}{
		"taken over":  {"abc.DEF_12-3", true},
		"longest":     {strings.Repeat("a", 64), true},
		"too long":    {strings.Repeat("a", 65), false},
		"empty":       {"", false},
		"line break":  {"a\nb", false},
		"other bytes": {"a b", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(http.MethodGet, "/graphql?query={hello}", http.NoBody)
			r.Header["X-Request-Id"] = []string{test.sent}
			got := newServer(t, newStub(t, nil), nil).do(r).Header().Get("X-Request-Id")
			require.NotEmpty(t, got)
			require.Equal(t, test.kept, got == test.sent)
		})
	}
}

func TestOneLogLinePerOperation(t *testing.T) {
	t.Parallel()
	s := newServer(t, newStub(t, nil), nil)
	s.post(`{"query":"query Named($secret:Int){list(first:$secret)}","variables":{"secret":4711}}`)
	require.Equal(t, 1, strings.Count(s.log.String(), "\n"))
	require.Contains(t, s.log.String(), `"msg":"operation","request_id":"req-1","operation":"Named","code":"OK","duration":`)
	require.NotContains(t, s.log.String(), "4711")
	require.NotContains(t, s.log.String(), "secret")
}

func TestPersistedQueries(t *testing.T) {
	t.Parallel()
	const hash = "0000000000000000000000000000000000000000000000000000000000000000"
	s := newServer(t, newStub(t, nil), nil)
	ask := func(query, hash string) *httptest.ResponseRecorder {
		return s.post(`{"query":"` + query + `","extensions":{"persistedQuery":{"version":1,"sha256Hash":"` + hash + `"}}}`)
	}
	require.Contains(t, ask("{hello}", hash).Body.String(), "is not the hash of the query")

	known := sha("{hello}")
	missing := ask("", known)
	require.Equal(t, http.StatusNotFound, missing.Code)
	require.JSONEq(t, `{"errors":[{"message":"PersistedQueryNotFound","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}`,
		missing.Body.String())
	require.Equal(t, http.StatusOK, ask("{hello}", known).Code)
	require.JSONEq(t, `{"data":{"hello":"hello"}}`, ask("", known).Body.String())
	require.Equal(t, http.StatusBadRequest, s.post(`{"extensions":{"persistedQuery":{"version":2}}}`).Code)
}
