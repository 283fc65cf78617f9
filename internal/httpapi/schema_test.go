package httpapi_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"example.com/keyfirst/internal/httpapi"
)

const testSchema = `
scalar DateTime
enum Status { PENDING PAID }
input Filter { status: Status, from: DateTime, ids: [ID!], statuses: [Status!], sizes: [Int] }
type Query {
  hello: String
  must: String!
  list(first: Int, filter: Filter): String
}
type Mutation { change: String }
`

// resolver is what a test lets a field do.
type resolver func(ctx context.Context) (any, error)

// stubSchema executes root fields the way gqlgen's generated code does.
type stubSchema struct {
	schema    *ast.Schema
	resolvers map[string]resolver
	// args reads the arguments of a field that has some; its context has the field, and none has read them yet.
	args func(ctx context.Context, raw map[string]any) (map[string]any, error)
}

func newStub(t *testing.T, resolvers map[string]resolver) *stubSchema {
	t.Helper()
	schema, err := gqlparser.LoadSchema(&ast.Source{Input: testSchema})
	require.NoError(t, err)
	return &stubSchema{schema: schema, resolvers: resolvers}
}

func (s *stubSchema) Schema() *ast.Schema { return s.schema }

func (s *stubSchema) Complexity(context.Context, string, string, int, map[string]any) (int, bool) {
	return 0, false
}

func (s *stubSchema) Exec(ctx context.Context) graphql.ResponseHandler {
	op := graphql.GetOperationContext(ctx)
	root := s.schema.Query
	if op.Operation.Operation == ast.Mutation {
		root = s.schema.Mutation
	}
	return func(ctx context.Context) *graphql.Response { return s.object(ctx, op, root) }
}

func (s *stubSchema) object(ctx context.Context, op *graphql.OperationContext, root *ast.Definition) *graphql.Response {
	ctx = graphql.WithFieldContext(ctx, &graphql.FieldContext{Object: root.Name})
	fields := graphql.CollectFields(op, op.Operation.SelectionSet, []string{root.Name})
	set := graphql.NewFieldSet(fields)
	for i, field := range fields {
		set.Values[i] = s.field(ctx, op, field)
		if set.Values[i] == graphql.Null && field.Definition != nil && field.Definition.Type.NonNull {
			return &graphql.Response{Data: []byte("null")}
		}
	}
	set.Dispatch(ctx)
	var data bytes.Buffer
	set.MarshalGQL(&data)
	return &graphql.Response{Data: data.Bytes()}
}

func (s *stubSchema) field(ctx context.Context, op *graphql.OperationContext, field graphql.CollectedField) graphql.Marshaler {
	return graphql.ResolveField(ctx, op, field,
		s.fieldContext,
		func(ctx context.Context) (any, error) {
			if r := s.resolvers[field.Name]; r != nil {
				return r(ctx)
			}
			return field.Name, nil
		},
		nil,
		func(_ context.Context, _ ast.SelectionSet, v string) graphql.Marshaler {
			return graphql.MarshalString(v)
		},
		true, field.Definition != nil && field.Definition.Type.NonNull)
}

func (s *stubSchema) fieldContext(ctx context.Context, field graphql.CollectedField) (*graphql.FieldContext, error) {
	fc := &graphql.FieldContext{Field: field, IsResolver: true}
	if s.args == nil || len(field.Arguments) == 0 {
		fc.Args = map[string]any{}
		return fc, nil
	}
	op := graphql.GetOperationContext(ctx)
	ctx = graphql.WithFieldContext(ctx, fc)
	var err error
	if fc.Args, err = s.args(ctx, field.ArgumentMap(op.Variables)); err != nil {
		op.Error(ctx, err)
	}
	return fc, err
}

// syncBuffer is a log that handlers write and a test reads.
type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// server is a handler under test, with its log.
type server struct {
	handler http.Handler
	log     *syncBuffer
}

func newServer(t *testing.T, schema *stubSchema, change func(*httpapi.Config)) *server {
	t.Helper()
	log := &syncBuffer{}
	cfg := httpapi.Config{Schema: schema, Logger: slog.New(slog.NewJSONHandler(log, nil))}
	if change != nil {
		change(&cfg)
	}
	handler, err := httpapi.New(cfg)
	require.NoError(t, err)
	return &server{handler: handler, log: log}
}

func (s *server) do(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w
}

// post sends a JSON body and wants the GraphQL media type back.
func (s *server) post(body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/graphql-response+json")
	r.Header.Set("X-Request-Id", "req-1")
	return s.do(r)
}
