package httpapi

import (
	"context"
	"crypto/rand"
	"net/http"
	"sync"
)

// headerRequestID carries the id by which a client's answer and the server's log are matched.
const headerRequestID = "X-Request-Id"

// maxRequestID is the longest id that is taken over from a client.
const maxRequestID = 64

// requestKey is where the context keeps the request.
type requestKey struct{}

// request is what the stations of one HTTP request share.
type request struct {
	id string

	mu     sync.Mutex
	logged map[string]struct{}
}

// RequestID is the id of the request that ctx belongs to; empty outside of one.
func RequestID(ctx context.Context) string { return requestOf(ctx).id }

// requestOf finds the request in a context; outside of one it is a fresh and empty one.
func requestOf(ctx context.Context) *request {
	if r, ok := ctx.Value(requestKey{}).(*request); ok {
		return r
	}
	return &request{}
}

// withRequest gives each request its id, in the context and in the answer.
func withRequest(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get(headerRequestID)
		if !validRequestID(id) {
			id = rand.Text()
		}
		w.Header().Set(headerRequestID, id)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestKey{}, &request{id: id})))
	})
}

// validRequestID tells whether a client's id is safe to put into a log and a header.
func validRequestID(id string) bool {
	if id == "" || len(id) > maxRequestID {
		return false
	}
	for _, c := range []byte(id) {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (c < '0' || '9' < c) && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

// maxLogged bounds the lines that the errors of one request make.
const maxLogged = 16

// firstTime tells whether a text is to be logged: once per request, for one cause fails many fields.
func (r *request) firstTime(text string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, seen := r.logged[text]; seen || len(r.logged) >= maxLogged {
		return false
	}
	if r.logged == nil {
		r.logged = make(map[string]struct{})
	}
	r.logged[text] = struct{}{}
	return true
}
