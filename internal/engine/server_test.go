package engine_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/internal/engine"
)

// talk opens a connection to a server of an engine.
func talk(t *testing.T) (net.Conn, *bufio.Reader) {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(serveFaulty(t, open(t, engine.Config{})), "http://"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	require.NoError(t, c.SetDeadline(time.Now().Add(20*time.Second)))
	return c, bufio.NewReader(c)
}

func listTables(headers, body string) string {
	return "POST / HTTP/1.1\r\nHost: x\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\n" + headers + "\r\n" + body
}

// reply is a response that was read to its end.
type reply struct {
	status int
	header http.Header
	closes bool
	body   string
}

func answered(t *testing.T, in *bufio.Reader) reply {
	t.Helper()
	response, err := http.ReadResponse(in, nil)
	require.NoError(t, err)
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return reply{response.StatusCode, response.Header, response.Close, string(body)}
}

func TestConnectionsAreKept(t *testing.T) {
	t.Parallel()
	c, in := talk(t)
	for _, request := range []string{
		listTables("Content-Length: 2\r\n", "{}"),
		listTables("Transfer-Encoding: chunked\r\n", "1\r\n{\r\n1\r\n}\r\n0\r\n\r\n"),
		listTables("Content-Length: 2\r\n", "{}") + listTables("Content-Length: 3\r\n", "{ }"), // two at once
		"PUT /_debug/faults HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n[]   ",
		"GET /_debug/faults HTTP/1.1\r\nHost: x\r\n\r\n",
	} {
		_, err := io.WriteString(c, request)
		require.NoError(t, err)
		for range strings.Count(request, "HTTP/1.1") {
			response := answered(t, in)
			require.Equal(t, http.StatusOK, response.status, response.body)
			require.NotEmpty(t, response.header.Get("Date"))
			require.False(t, response.closes)
		}
	}
	_, err := io.WriteString(c, listTables("Content-Length: 2\r\nConnection: close\r\n", "{}"))
	require.NoError(t, err)
	response := answered(t, in)
	require.True(t, response.closes)
	_, err = in.ReadByte()
	require.ErrorIs(t, err, io.EOF)
}

func TestContinueIsSaid(t *testing.T) {
	t.Parallel()
	c, in := talk(t)
	_, err := io.WriteString(c, listTables("Content-Length: 2\r\nExpect: 100-continue\r\n", ""))
	require.NoError(t, err)
	line, err := in.ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "HTTP/1.1 100 Continue\r\n", line)
	_, err = in.ReadString('\n')
	require.NoError(t, err)
	_, err = io.WriteString(c, "{}")
	require.NoError(t, err)
	response := answered(t, in)
	require.Equal(t, http.StatusOK, response.status)
}

func TestBadRequestsEndTheConnection(t *testing.T) {
	t.Parallel()
	for name, request := range map[string]struct {
		text   string
		status int
	}{
		"no HTTP":         {"what is this\r\n\r\n", http.StatusBadRequest},
		"bad length":      {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n", http.StatusBadRequest},
		"endless header":  {"POST / HTTP/1.1\r\nHost: x\r\nA: " + strings.Repeat("a", 1<<20+8192), http.StatusBadRequest},
		"body too large":  {listTables(fmt.Sprintf("Content-Length: %d\r\n", 16<<20+1), strings.Repeat(" ", 16<<20+1)), http.StatusRequestEntityTooLarge},
		"version of old":  {"POST / HTTP/1.0\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\nContent-Length: 2\r\n\r\n{}", http.StatusOK},
		"GET of the root": {"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", http.StatusBadRequest},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, in := talk(t)
			go io.WriteString(c, request.text) //nolint:errcheck // the server may have enough before it ends
			response := answered(t, in)
			require.Equal(t, request.status, response.status)
			_, err := in.ReadByte()
			require.Error(t, err)
		})
	}
}

func TestServerEndsAfterRequestsUnderWay(t *testing.T) {
	t.Parallel()
	e := open(t, engine.Config{Latency: 300 * time.Millisecond})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- (&engine.Server{Engine: e}).Serve(ctx, l) }()
	idle, err := net.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	defer idle.Close() //nolint:errcheck // the server ends it
	busy, err := net.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	defer busy.Close() //nolint:errcheck // the server ends it
	_, err = io.WriteString(busy, listTables("Content-Length: 2\r\n", "{}"))
	require.NoError(t, err)
	time.AfterFunc(100*time.Millisecond, cancel)
	response := answered(t, bufio.NewReader(busy))
	require.Equal(t, http.StatusOK, response.status)
	require.NoError(t, <-served)
	_, err = net.Dial("tcp", l.Addr().String())
	require.Error(t, err)
}

// Whoever sends nothing is let go after a while.
func TestIdleConnectionsEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := open(t, engine.Config{})
		l := &oneConn{conns: make(chan net.Conn, 1)}
		mine, theirs := net.Pipe()
		l.conns <- theirs
		ctx, cancel := context.WithCancel(t.Context())
		served := make(chan error, 1)
		go func() { served <- (&engine.Server{Engine: e}).Serve(ctx, l) }()
		start := time.Now()
		_, err := mine.Read(make([]byte, 1))
		require.ErrorIs(t, err, io.EOF)
		require.Equal(t, 2*time.Minute, time.Since(start))
		cancel()
		require.NoError(t, <-served)
	})
}

// oneConn is a listener with connections of a test's own.
type oneConn struct{ conns chan net.Conn }

func (l *oneConn) Accept() (net.Conn, error) {
	c, ok := <-l.conns
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}

func (l *oneConn) Close() error { close(l.conns); return nil }

func (l *oneConn) Addr() net.Addr { return &net.TCPAddr{} }
