package httpapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"
)

// What applies where a Config says nothing.
const (
	DefaultMaxBodyBytes = 256 << 10
	DefaultMaxTokens    = 4000
	DefaultTimeout      = 10 * time.Second
)

// Config is what New builds the HTTP handler from. The zero value of a field means its default.
type Config struct {
	// Schema is the executable schema. Required.
	Schema graphql.ExecutableSchema
	// Extensions are gqlgen extensions, installed in this order: the first is the outermost.
	Extensions []graphql.HandlerExtension
	// Planner explains operations at /explain, and says which must not run. Default: none; every operation runs, and
	// /explain is not found.
	Planner Planner
	// Console serves the page at exactly "/" and its two files, "/console.js" and "/console.css". Default: none, and
	// these paths are not found.
	Console http.Handler
	// Ready says whether operations can be served; /healthz asks it. Default: always ready.
	Ready func(context.Context) error
	// Logger gets one line for each operation and one for each masked error. Default: nothing is logged.
	Logger *slog.Logger
	// MaxBodyBytes bounds a request's body, and the query string of a GET. Default: DefaultMaxBodyBytes.
	MaxBodyBytes int64
	// MaxTokens bounds the GraphQL tokens of a document. Default: DefaultMaxTokens.
	MaxTokens int
	// Timeout is how long an operation may take, from its parameters to its last field. Default: DefaultTimeout.
	Timeout time.Duration
	// Introspection lets clients read the schema, and lets error messages suggest names from it. Default: off.
	Introspection bool
}

// Planner knows what an operation costs before it runs.
type Planner interface {
	// Explain gives the plan of an operation, to be sent as JSON, and the reason why the operation must not run.
	Explain(*graphql.OperationContext) (plan any, refusal error)
}

// Validate reports every field that New cannot work with.
func (c Config) Validate() error {
	var errs []error
	if c.Schema == nil {
		errs = append(errs, errors.New("httpapi: Config.Schema is required"))
	}
	if c.MaxBodyBytes < 0 {
		errs = append(errs, fmt.Errorf("httpapi: Config.MaxBodyBytes is %d, want 0 or more", c.MaxBodyBytes))
	}
	if c.MaxTokens < 0 {
		errs = append(errs, fmt.Errorf("httpapi: Config.MaxTokens is %d, want 0 or more", c.MaxTokens))
	}
	if c.Timeout < 0 {
		errs = append(errs, fmt.Errorf("httpapi: Config.Timeout is %s, want 0 or more", c.Timeout))
	}
	for i, ext := range c.Extensions {
		if err := validateExtension(c.Schema, ext); err != nil {
			errs = append(errs, fmt.Errorf("httpapi: Config.Extensions[%d]: %w", i, err))
		}
	}
	return errors.Join(errs...)
}

// validateExtension is what the executor would panic about.
func validateExtension(schema graphql.ExecutableSchema, ext graphql.HandlerExtension) error {
	if ext == nil {
		return errors.New("is nil")
	}
	switch ext.(type) {
	case graphql.OperationParameterMutator, graphql.OperationContextMutator, graphql.OperationInterceptor,
		graphql.RootFieldInterceptor, graphql.FieldInterceptor, graphql.ResponseInterceptor:
	default:
		return fmt.Errorf("%s hooks into nothing", ext.ExtensionName())
	}
	if schema == nil {
		return nil // reported already
	}
	return ext.Validate(schema)
}

// withDefaults fills in what the caller left out.
func (c Config) withDefaults() Config {
	if c.Ready == nil {
		c.Ready = func(context.Context) error { return nil }
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.MaxBodyBytes == 0 {
		c.MaxBodyBytes = DefaultMaxBodyBytes
	}
	if c.MaxTokens == 0 {
		c.MaxTokens = DefaultMaxTokens
	}
	if c.Timeout == 0 {
		c.Timeout = DefaultTimeout
	}
	return c
}
