package engine

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Server serves an engine over HTTP/1.1. It answers a connection's requests one after the other on one goroutine and
// writes a reply at once: net/http, which has more to provide for, takes three times as long for a small request as the
// engine does. Parsing is net/http's. What it leaves out: pipelining ahead, HTTP/2, TLS, and noticing that a client
// has gone before its reply is written.
type Server struct {
	Engine *Engine
	// Faults serves FaultsPath, for whoever can reach the server. Default: no.
	Faults bool
	// Logger is told of requests that made the engine panic. Default: none is told.
	Logger *slog.Logger

	mu     sync.Mutex
	conns  map[*connection]struct{}
	ending bool
	active sync.WaitGroup
}

const (
	maxHead     = 1 << 20         // bytes of a request before its body
	idleTimeout = 2 * time.Minute // of a client that sends nothing, or does not read
	// endTimeout is how long requests under way may take when the server ends.
	endTimeout = 10 * time.Second
)

// connection is one client's.
type connection struct {
	net.Conn
	in       *bufio.Reader
	head     *io.LimitedReader // below in: it bounds a request's head
	body     []byte            // of the last request; both are used again
	out      []byte            // the last reply
	deadline time.Time
}

// Serve answers requests until ctx ends, and then until those under way are done. It closes the listener.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	ended := context.AfterFunc(ctx, func() { s.end(l) })
	defer ended()
	for {
		c, err := l.Accept()
		if err != nil {
			return s.stopped(ctx, l, err)
		}
		s.start(context.WithoutCancel(ctx), c) // requests under way are not cut off
	}
}

// stopped waits for the requests under way, when the listener was closed because ctx ended.
func (s *Server) stopped(ctx context.Context, l net.Listener, err error) error {
	if ctx.Err() == nil {
		s.end(l)
		return err
	}
	done := make(chan struct{})
	go func() { s.active.Wait(); close(done) }()
	timer := time.NewTimer(endTimeout)
	defer timer.Stop()
	select {
	case <-done:
		return nil
	case <-timer.C:
		s.mu.Lock()
		defer s.mu.Unlock()
		for c := range s.conns {
			_ = c.Close() // its request is lost either way
		}
		return errors.New("engine: requests were cut off at the end")
	}
}

// end takes no more requests. A connection that waits for one finds its time is over.
func (s *Server) end(l net.Listener) {
	_ = l.Close() // so that Accept returns
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ending = true
	for c := range s.conns {
		_ = c.SetReadDeadline(time.Unix(1, 0)) // one that is closed needs none
	}
}

func (s *Server) start(ctx context.Context, c net.Conn) {
	conn := &connection{Conn: c, head: &io.LimitedReader{R: c}}
	conn.in = bufio.NewReader(conn.head)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ending {
		_ = c.Close()
		return
	}
	if s.conns == nil {
		s.conns = map[*connection]struct{}{}
	}
	s.conns[conn] = struct{}{}
	s.active.Go(func() {
		defer s.finish(conn)
		for s.serveOne(ctx, conn) {
		}
	})
}

func (s *Server) finish(c *connection) {
	if p := recover(); p != nil && s.Logger != nil {
		s.Logger.Error("a request made the engine panic", slog.Any("panic", p))
	}
	s.mu.Lock()
	delete(s.conns, c)
	s.mu.Unlock()
	_ = c.Close() // what it was for is done
}

// serveOne answers one request and tells whether the connection can have another.
func (s *Server) serveOne(ctx context.Context, c *connection) bool {
	if !s.refresh(c) {
		return false
	}
	c.head.N = maxHead
	r, err := http.ReadRequest(c.in)
	if err != nil {
		if !errors.Is(err, io.EOF) && !isTimeout(err) {
			_, _ = io.WriteString(c, "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
		}
		return false
	}
	c.head.N = maxBody + maxHead
	if strings.EqualFold(r.Header.Get("Expect"), "100-continue") {
		if _, err := io.WriteString(c, "HTTP/1.1 100 Continue\r\n\r\n"); err != nil {
			return false
		}
	}
	if s.Faults && r.URL.Path == FaultsPath {
		a := s.Engine.answerFaults(r.Method, r.Body)
		return r.Body.Close() == nil && c.write(a, !r.Close)
	}
	body, err := readBody(r, c.body)
	if err != nil {
		a, err := answerOf(ctx, nil, err)
		return err == nil && c.write(a, false)
	}
	if cap(body) <= maxKept {
		c.body = body
	}
	a, err := s.Engine.answerBody(ctx, operationOf(r), body)
	return err == nil && c.write(a, !r.Close)
}

// refresh puts the end of the connection off, now and then: doing so for each request would cost as much as reading it.
func (s *Server) refresh(c *connection) bool {
	now := time.Now()
	if c.deadline.Sub(now) > idleTimeout/2 {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ending {
		return false
	}
	c.deadline = now.Add(idleTimeout)
	return c.SetDeadline(c.deadline) == nil
}

func isTimeout(err error) bool {
	timeout, ok := errors.AsType[net.Error](err)
	return ok && timeout.Timeout()
}

// write writes a reply in one piece, and tells whether the connection can have another.
func (c *connection) write(a answer, keep bool) bool {
	out := c.out[:0]
	out = append(out, "HTTP/1.1 "...)
	out = append(strconv.AppendInt(out, int64(a.status), 10), ' ')
	out = append(out, http.StatusText(a.status)...)
	out = append(out, "\r\nDate: "...)
	out = time.Now().UTC().AppendFormat(out, http.TimeFormat)
	a.header(func(name, value string) {
		out = append(append(append(append(out, "\r\n"...), name...), ": "...), value...)
	})
	if !keep {
		out = append(out, "\r\nConnection: close"...)
	}
	out = append(out, "\r\n\r\n"...)
	body := a.body
	if a.cut {
		body, keep = body[:len(body)/2], false
	}
	out = append(out, body...)
	if cap(out) <= maxKept {
		c.out = out
	}
	_, err := c.Write(out)
	return err == nil && keep
}

// maxKept is how large a buffer a connection keeps for its next request or reply.
const maxKept = 64 << 10
