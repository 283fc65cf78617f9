package httpapi_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// request is a POST of a JSON body.
func request(body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	return r
}

func TestBodyLimit(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(newServer(t, newStub(t, nil), nil).handler)
	t.Cleanup(srv.Close)
	tests := map[string]struct {
		size    int
		chunked bool
		status  int
	}{
		"at the limit":        {256 << 10, false, 200},
		"one byte more":       {256<<10 + 1, false, 413},
		"chunked, at limit":   {256 << 10, true, 200},
		"chunked, one more":   {256<<10 + 1, true, 413},
		"5 MB":                {5 << 20, false, 413},
		"5 MB, chunked":       {5 << 20, true, 413},
		"longer than drained": {9 << 20, true, 413},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := []byte(`{"query":"{hello}"}`)
			text = append(text, bytes.Repeat([]byte(" "), test.size-len(text))...)
			var body io.Reader = bytes.NewReader(text)
			if test.chunked {
				body = io.MultiReader(body) // its length is not known to the client
			}
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL+"/graphql", body)
			require.NoError(t, err)
			r.Header.Set("Content-Type", "application/json")
			got, err := srv.Client().Do(r)
			if err != nil && name == "longer than drained" {
				return // the connection was closed while it still sent
			}
			require.NoError(t, err)
			t.Cleanup(func() { _ = got.Body.Close() })
			require.Equal(t, test.status, got.StatusCode)
			answer, err := io.ReadAll(got.Body)
			require.NoError(t, err)
			if test.status != http.StatusOK {
				require.JSONEq(t, `{"errors":[{"message":"The request body is too large.","extensions":{"code":"BAD_USER_INPUT"}}]}`, string(answer))
			}
		})
	}
}

func TestExpectContinueIsNotGiven(t *testing.T) {
	t.Parallel()
	r := request("")
	r.Header.Set("Expect", "100-continue")
	r.ContentLength = 1 << 40
	r.Body = io.NopCloser(unreadable{t})
	got := newServer(t, newStub(t, nil), nil).do(r)
	require.Equal(t, http.StatusRequestEntityTooLarge, got.Code)
	require.Equal(t, "close", got.Header().Get("Connection"))
}

// unreadable is a body that must not be asked for.
type unreadable struct{ t *testing.T }

func (u unreadable) Read([]byte) (int, error) {
	u.t.Error("the body was read")
	return 0, io.EOF
}

func TestMergeGuardAllowsWhatPeopleWrite(t *testing.T) {
	t.Parallel()
	var query strings.Builder
	for i := range 300 {
		query.WriteString(strings.Repeat("a", i%20+1) + strings.Repeat("b", i/20) + ": hello ")
	}
	got := newServer(t, newStub(t, nil), nil).post(`{"query":"{` + query.String() + `}"}`)
	require.Equal(t, http.StatusOK, got.Code, got.Body)
}

func TestMergeGuardCountsSpreadsOfAnyName(t *testing.T) {
	t.Parallel()
	var query strings.Builder
	for i := range 1500 {
		query.WriteString("...f" + strconv.Itoa(i) + " ")
	}
	got := newServer(t, newStub(t, nil), nil).post(`{"query":"{` + query.String() + `}"}`)
	require.Equal(t, http.StatusBadRequest, got.Code)
	require.Contains(t, got.Body.String(), "spreads fragments, too often")
}

// A fault at the end of a chain of fragments is found once for each fragment in front of it.
func TestErrorsAreBounded(t *testing.T) {
	t.Parallel()
	var query strings.Builder
	query.WriteString("{...f0} ")
	for i := range 150 {
		query.WriteString("fragment f" + strconv.Itoa(i) + " on Query{...f" + strconv.Itoa(i+1) + " none} ")
	}
	got := newServer(t, newStub(t, nil), nil).post(`{"query":"` + query.String() + `"}`)
	require.Equal(t, http.StatusBadRequest, got.Code)
	require.Equal(t, 101, strings.Count(got.Body.String(), `"code":"GRAPHQL_VALIDATION_FAILED"`))
	require.Contains(t, got.Body.String(), `"There are more errors than these."`)
	require.Less(t, got.Body.Len(), 20_000)
}
