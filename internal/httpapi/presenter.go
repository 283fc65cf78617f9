package httpapi

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// coded is an error of another package that brings its own code. Its text is fit for a client.
type coded interface {
	error
	// Code is the value of extensions.code.
	Code() string
	// Extensions are further entries of the error's extensions.
	Extensions() map[string]any
}

// presenter is the only place where an error becomes what a client sees.
type presenter struct {
	schema *ast.Schema
	logger *slog.Logger
}

// verdict is what a client is told about an error.
type verdict struct {
	code       string
	message    string
	retryable  bool
	masked     bool // the message stands for the error's own text, which goes to the log
	extensions map[string]any
}

// present implements graphql.ErrorPresenterFunc. It never hands on the error it was given: gqlgen writes paths into
// a *gqlerror.Error, which may be shared between fields.
func (p *presenter) present(ctx context.Context, err error) *gqlerror.Error {
	v := p.judge(ctx, err).forWrites(ctx)
	out := newError(v.code, v.message)
	out.Path, out.Locations = place(ctx, err)
	maps.Copy(out.Extensions, v.extensions)
	out.Extensions["code"] = v.code
	if v.retryable {
		out.Extensions["retryable"] = true
	}
	if v.masked {
		setRequestID(ctx, out)
		p.log(ctx, err, v.code)
	}
	return out
}

// forWrites takes back the invitation to try again where a mutation may have happened all the same: what timed out or
// broke off after it was sent can have been carried out.
func (v verdict) forWrites(ctx context.Context) verdict {
	if !v.retryable || (v.code != codeTimeout && v.code != codeUnavailable) || !isMutation(ctx) {
		return v
	}
	v.retryable, v.message = false, messageUncertain
	return v
}

func isMutation(ctx context.Context) bool {
	if !graphql.HasOperationContext(ctx) {
		return false
	}
	operation := graphql.GetOperationContext(ctx).Operation
	return operation != nil && operation.Operation == ast.Mutation
}

// judge sorts an error by the first that applies.
func (p *presenter) judge(ctx context.Context, err error) verdict {
	if c, ok := errors.AsType[coded](err); ok {
		return verdict{code: c.Code(), message: c.Error(), extensions: c.Extensions()}
	}
	if _, ok := errors.AsType[panicError](err); ok {
		return internal()
	}
	if v, ok := judgeTable(err); ok {
		return v
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return timedOut()
	}
	if v, ok := judgeProtocol(err); ok {
		return v
	}
	if text, ok := p.coercionFault(ctx, err); ok {
		return verdict{code: codeBadUserInput, message: text}
	}
	return internal()
}

// judgeProtocol takes an error that has its code already: the executor's and this package's own.
func judgeProtocol(err error) (verdict, bool) {
	g, ok := errors.AsType[*gqlerror.Error](err)
	if !ok {
		return verdict{}, false
	}
	switch code, _ := g.Extensions["code"].(string); code {
	case codeParseFailed:
		return verdict{code: code, message: redactSyntax(g.Message)}, true
	case codeValidationFailed:
		if isVariableFault(g) {
			return verdict{code: codeBadUserInput, message: variableFault(g)}, true
		}
		return verdict{code: code, message: redactValidation(g.Message)}, true
	case codeBadUserInput, codeNotPersisted:
		return verdict{code: code, message: g.Message}, true
	}
	return verdict{}, false
}

// place tells where in the response and in the document an error belongs. For a field that is where the field is,
// whatever the error says: a shared one says where it was seen first. A request error has no path.
func place(ctx context.Context, err error) (ast.Path, []gqlerror.Location) {
	field := graphql.GetFieldContext(ctx)
	if pos := fieldPosition(field); pos != nil {
		return field.Path(), []gqlerror.Location{{Line: pos.Line, Column: pos.Column}}
	}
	if g, ok := errors.AsType[*gqlerror.Error](err); ok {
		return nil, slices.Clone(g.Locations)
	}
	return nil, nil
}

// fieldPosition is where the document has a field, or the list that an element belongs to; nil outside of any.
func fieldPosition(field *graphql.FieldContext) *ast.Position {
	for ; field != nil; field = field.Parent {
		if field.Field.Field != nil {
			return field.Field.Position
		}
	}
	return nil
}

// recovered implements graphql.RecoverFunc: the log gets the panic, the client an internal error.
func (p *presenter) recovered(ctx context.Context, reason any) error {
	logPanic(ctx, p.logger, reason)
	return panicError{}
}

// log writes what a masked error hides, once per request and cause.
func (p *presenter) log(ctx context.Context, err error, code string) {
	if _, ok := errors.AsType[panicError](err); ok {
		return // logged with its stack
	}
	cause := causeOf(err)
	r := requestOf(ctx)
	if !r.firstTime(cause.Error()) {
		return
	}
	level := slog.LevelWarn
	if code == codeInternal {
		level = slog.LevelError
	}
	p.logger.Log(ctx, level, "masked error",
		"request_id", r.id, "code", code, "path", graphql.GetPath(ctx).String(), "error", cause)
}

// causeOf is an error without the place that gqlgen wrapped around it, which differs from field to field.
func causeOf(err error) error {
	if g, ok := err.(*gqlerror.Error); ok && g.Err != nil { //nolint:errorlint // only the outermost is a wrapper
		return g.Err
	}
	return err
}

// newError makes an error of this package. The message is fit for a client.
func newError(code, message string) *gqlerror.Error {
	return &gqlerror.Error{Message: message, Extensions: map[string]any{"code": code}}
}

// internalError is the answer to a panic outside of the executor.
func internalError(ctx context.Context) *gqlerror.Error {
	err := newError(codeInternal, messageInternal)
	setRequestID(ctx, err)
	return err
}

// setRequestID tells the client what to ask the log for.
func setRequestID(ctx context.Context, err *gqlerror.Error) {
	if id := RequestID(ctx); id != "" {
		err.Extensions["requestId"] = id
	}
}
