package httpapi_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/internal/httpapi"
)

func sha(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// budgetError is an error of another package.
type budgetError struct{}

func (budgetError) Error() string              { return "The operation needs 9 rounds; 5 are allowed." }
func (budgetError) Code() string               { return "BUDGET_EXCEEDED" }
func (budgetError) Extensions() map[string]any { return map[string]any{"limit": 5} }

// errLeak is what no client may see.
var errLeak = errors.New("arn:aws:dynamodb:eu-central-1:123:table/keyfirst *types.AttributeValueMemberS")

func TestPresenter(t *testing.T) {
	t.Parallel()
	table := func(kind dal.Kind) error { return &dal.Error{Op: "GetItem", Kind: kind, Err: errLeak} }
	tests := map[string]struct {
		err                      error
		code, message, extension string
		masked                   bool
	}{
		"invalid":     {&dal.Error{Kind: dal.KindInvalid, Reason: "not an id", Err: errLeak}, "BAD_USER_INPUT", "not an id", "", false},
		"no reason":   {&dal.Error{Kind: dal.KindInvalid, Err: errLeak}, "BAD_USER_INPUT", "The request asks for something that cannot be.", "", false},
		"throttled":   {table(dal.KindThrottled), "THROTTLED", "The table is at its capacity. Try again in a moment.", `"retryable":true,`, true},
		"timeout":     {table(dal.KindTimeout), "TIMEOUT", "The operation took too long and was given up.", `"retryable":true,`, true},
		"canceled":    {table(dal.KindCanceled), "TIMEOUT", "The operation took too long and was given up.", `"retryable":true,`, true},
		"deadline":    {fmt.Errorf("x: %w", context.DeadlineExceeded), "TIMEOUT", "The operation took too long and was given up.", `"retryable":true,`, true},
		"unavailable": {table(dal.KindUnavailable), "UNAVAILABLE", "The table cannot be reached. Try again in a moment.", `"retryable":true,`, true},
		"no table":    {table(dal.KindNoTable), "UNAVAILABLE", "The table does not exist yet: `keyfirst table create` makes it.", "", true},
		"conflict":    {table(dal.KindConflict), "CONFLICT", "Another write came first. Try again.", `"retryable":true,`, true},
		"internal":    {table(dal.KindInternal), "INTERNAL_SERVER_ERROR", internalText, "", true},
		"corrupt":     {fmt.Errorf("x: %w", table(dal.KindCorrupt)), "INTERNAL_SERVER_ERROR", internalText, "", true},
		"unknown":     {errLeak, "INTERNAL_SERVER_ERROR", internalText, "", true},
		"gqlerror":    {gqlerror.Wrap(errLeak), "INTERNAL_SERVER_ERROR", internalText, "", true},
		"coded":       {fmt.Errorf("x: %w", budgetError{}), "BUDGET_EXCEEDED", budgetError{}.Error(), `"limit":5,`, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, newStub(t, map[string]resolver{"hello": fails(test.err)}), nil)
			got := s.post(`{"query":"{a: hello b: hello}"}`)
			require.Equal(t, http.StatusOK, got.Code)
			id := ""
			if test.masked {
				id = `"requestId":"req-1",`
			}
			one := func(path string, column int) string {
				return fmt.Sprintf(`{"message":%q,"path":[%q],"locations":[{"line":1,"column":%d}],"extensions":{%s%s"code":%q}}`,
					test.message, path, column, id, test.extension, test.code)
			}
			require.JSONEq(t, `{"errors":[`+one("a", 2)+`,`+one("b", 11)+`],"data":{"a":null,"b":null}}`, got.Body.String())
			lines := map[bool]int{true: 2, false: 1} // the masked cause once, and the operation
			require.Equal(t, lines[test.masked], strings.Count(s.log.String(), "\n"), s.log)
		})
	}
}

const internalText = "Something went wrong here. The server's log has more under the request id."

func fails(err error) resolver {
	return func(context.Context) (any, error) { return nil, err }
}

func TestSharedErrorIsNotChanged(t *testing.T) {
	t.Parallel()
	shared := &gqlerror.Error{Message: "Not that one.", Extensions: map[string]any{"code": "BAD_USER_INPUT"}}
	s := newServer(t, newStub(t, map[string]resolver{"hello": fails(shared)}), nil)
	got := s.post(`{"query":"{a: hello b: hello}"}`).Body.String()
	require.Contains(t, got, `"path":["a"]`)
	require.Contains(t, got, `"path":["b"]`)
	require.Equal(t, map[string]any{"code": "BAD_USER_INPUT"}, shared.Extensions)
}

func TestPanicOfAResolver(t *testing.T) {
	t.Parallel()
	s := newServer(t, newStub(t, map[string]resolver{"hello": func(context.Context) (any, error) { panic("secret") }}), nil)
	got := s.post(`{"query":"{hello must}"}`)
	require.Equal(t, http.StatusOK, got.Code)
	require.JSONEq(t, `{"errors":[{"message":"`+internalText+`","path":["hello"],"locations":[{"line":1,"column":2}],
		"extensions":{"code":"INTERNAL_SERVER_ERROR","requestId":"req-1"}}],"data":{"hello":null,"must":"must"}}`, got.Body.String())
	require.Contains(t, s.log.String(), "presenter_test.go", "the stack")
	require.Equal(t, 1, strings.Count(s.log.String(), `"panic":"secret"`))
}

func TestNullInNonNullField(t *testing.T) {
	t.Parallel()
	s := newServer(t, newStub(t, map[string]resolver{"must": fails(errLeak)}), nil)
	got := s.post(`{"query":"{must}"}`)
	require.Equal(t, http.StatusOK, got.Code, "the operation ran: there is a data entry")
	require.Contains(t, got.Body.String(), `"data":null`)
}

func TestPanicOutsideOfResolvers(t *testing.T) {
	t.Parallel()
	s := newServer(t, newStub(t, nil), func(c *httpapi.Config) {
		c.Extensions = []graphql.HandlerExtension{hook(func(context.Context, *graphql.OperationContext) *gqlerror.Error { panic("secret") })}
	})
	got := s.post(`{"query":"{hello}"}`)
	require.Equal(t, http.StatusInternalServerError, got.Code)
	require.JSONEq(t, `{"errors":[{"message":"`+internalText+`","extensions":{"code":"INTERNAL_SERVER_ERROR","requestId":"req-1"}}]}`,
		got.Body.String())
}

// hook is an extension that sees each operation before it runs.
type hook func(context.Context, *graphql.OperationContext) *gqlerror.Error

func (hook) ExtensionName() string                   { return "Hook" }
func (hook) Validate(graphql.ExecutableSchema) error { return nil }
func (h hook) MutateOperationContext(ctx context.Context, op *graphql.OperationContext) *gqlerror.Error {
	return h(ctx, op)
}

func TestExtensionRefusesAnOperation(t *testing.T) {
	t.Parallel()
	s := newServer(t, newStub(t, nil), func(c *httpapi.Config) {
		c.Extensions = []graphql.HandlerExtension{hook(func(context.Context, *graphql.OperationContext) *gqlerror.Error {
			return gqlerror.Wrap(budgetError{})
		})}
	})
	got := s.post(`{"query":"{hello}"}`)
	require.Equal(t, http.StatusBadRequest, got.Code)
	require.JSONEq(t, `{"errors":[{"message":"The operation needs 9 rounds; 5 are allowed.",
		"extensions":{"code":"BUDGET_EXCEEDED","limit":5}}]}`, got.Body.String())
}

func TestCoercion(t *testing.T) {
	t.Parallel()
	at := func(steps ...any) func(context.Context, map[string]any) (map[string]any, error) {
		return func(ctx context.Context, _ map[string]any) (map[string]any, error) {
			for _, step := range steps {
				switch s := step.(type) {
				case string:
					ctx = graphql.WithPathContext(ctx, graphql.NewPathWithField(s))
				case int:
					ctx = graphql.WithPathContext(ctx, graphql.NewPathWithIndex(s))
				}
			}
			return nil, graphql.ErrorOnPath(ctx, errors.New("json.Number is not a secret"))
		}
	}
	tests := map[string]struct {
		path []any
		want string
	}{
		"argument":     {[]any{"first"}, `Argument "first" is not a valid Int.`},
		"input field":  {[]any{"filter", "from"}, `Argument "filter.from" is not a valid DateTime.`},
		"list element": {[]any{"filter", "ids", 2}, `Argument "filter.ids[2]" is not a valid ID.`},
		"nowhere":      {[]any{"filter", "ids", 2, 3}, `An argument of field "list" is not valid.`},
		"no path":      {nil, `An argument of field "list" is not valid.`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stub := newStub(t, nil)
			stub.args = at(test.path...)
			got := newServer(t, stub, nil).post(`{"query":"{list(first: 1)}"}`)
			message, err := json.Marshal(test.want)
			require.NoError(t, err)
			require.JSONEq(t, `{"errors":[{"message":`+string(message)+`,"path":["list"],"locations":[{"line":1,"column":2}],
				"extensions":{"code":"BAD_USER_INPUT"}}],"data":{"list":null}}`, got.Body.String())
		})
	}
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, newStub(t, map[string]resolver{"hello": func(ctx context.Context) (any, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}}), func(c *httpapi.Config) { c.Timeout = 3 * time.Second })
		start := time.Now()
		got := s.post(`{"query":"{hello}"}`)
		require.Equal(t, 3*time.Second, time.Since(start))
		require.Contains(t, got.Body.String(), `"code":"TIMEOUT"`)
		require.Contains(t, got.Body.String(), `"retryable":true`)
	})
}

func TestClientThatWentAway(t *testing.T) {
	t.Parallel()
	s := newServer(t, newStub(t, nil), nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := request(`{"query":"{hello}"}`).WithContext(ctx)
	r.Header.Set("Accept", "application/graphql-response+json")
	got := s.do(r)
	require.Equal(t, http.StatusGatewayTimeout, got.Code)
	require.Contains(t, got.Body.String(), `"code":"TIMEOUT"`)
}

func TestConfig(t *testing.T) {
	t.Parallel()
	_, err := httpapi.New(httpapi.Config{
		MaxBodyBytes: -1, MaxTokens: -1, Timeout: -1, Extensions: []graphql.HandlerExtension{nil, noHook{}},
	})
	for _, part := range []string{"Schema", "MaxBodyBytes", "MaxTokens", "Timeout", "Extensions[0]: is nil", "NoHook hooks into nothing"} {
		require.ErrorContains(t, err, part)
	}
}

// noHook is an extension that does nothing.
type noHook struct{}

func (noHook) ExtensionName() string                   { return "NoHook" }
func (noHook) Validate(graphql.ExecutableSchema) error { return nil }
