package httpapi

import "net/http"

// The methods of the routes, as their Allow header says them.
const (
	allowGraphQL = "GET, POST"
	allowRead    = "GET, HEAD"
)

// routes maps paths to handlers. Methods are checked here, so that each 405 has its Allow header.
func routes(cfg Config, gql *transport) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/graphql", gql)
	if cfg.Planner != nil {
		mux.Handle("/explain", explain{gql})
	}
	mux.Handle("/healthz", readOnly(health(cfg.Ready, cfg.Logger)))
	if cfg.Console != nil {
		for _, path := range []string{"/{$}", "/console.js", "/console.css"} {
			mux.Handle(path, readOnly(cfg.Console))
		}
	}
	return mux
}

// readOnly lets GET and HEAD through.
func readOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", allowRead)
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
			return
		}
		next.ServeHTTP(w, r)
	})
}
