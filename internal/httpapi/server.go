package httpapi

import (
	"net/http"

	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// The bounds of the two caches: parsed documents, and the texts of persisted ones.
const (
	cacheEntries = 1000
	cacheBytes   = 4 << 20
)

// New makes the handler of everything Keyfirst serves: /graphql, /explain, /healthz, and the console at "/".
func New(cfg Config) (http.Handler, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	present := &presenter{schema: cfg.Schema.Schema(), logger: cfg.Logger}
	gql := &transport{
		exec:     newExecutor(cfg, present),
		present:  present,
		logger:   cfg.Logger,
		maxBytes: cfg.MaxBodyBytes,
		timeout:  cfg.Timeout,
		planner:  cfg.Planner,
	}
	return withRequest(withSecurityHeaders(withRecovery(cfg.Logger, routes(cfg, gql)))), nil
}

// newExecutor assembles gqlgen's executor. Its handler package is left out: all that it adds is transports.
func newExecutor(cfg Config, present *presenter) *executor.Executor {
	documents := newLRU[*ast.QueryDocument](cacheEntries, cacheBytes)
	exec := executor.New(cfg.Schema)
	exec.SetQueryCache(documents)
	exec.SetParserTokenLimit(cfg.MaxTokens)
	exec.SetErrorPresenter(present.present)
	exec.SetRecoverFunc(present.recovered)
	exec.SetDisableSuggestion(!cfg.Introspection)
	exec.SetDefaultRulesFn(func() *rules.Rules { return ValidationRules(cfg.Introspection) })
	exec.Use(persistedQueries{texts: newLRU[string](cacheEntries, cacheBytes)})
	exec.Use(mergeGuard{documents: documents, maxTokens: cfg.MaxTokens})
	exec.Use(strictVariables{schema: cfg.Schema.Schema()})
	if cfg.Introspection {
		exec.Use(introspection{})
	}
	for _, ext := range cfg.Extensions {
		exec.Use(ext)
	}
	return exec
}
