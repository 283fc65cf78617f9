package app

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestURLOf(t *testing.T) {
	t.Parallel()
	for want, addr := range map[string]net.Addr{
		"http://127.0.0.1:8080/": &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080},
		"http://127.0.0.1:8081/": &net.TCPAddr{IP: net.IPv4zero, Port: 8081},
		"http://127.0.0.1:8082/": &net.TCPAddr{IP: net.IPv6unspecified, Port: 8082},
		"http://[::1]:8083/":     &net.TCPAddr{IP: net.IPv6loopback, Port: 8083},
		"http://10.1.2.3:8084/":  &net.TCPAddr{IP: net.IPv4(10, 1, 2, 3), Port: 8084},
	} {
		require.Equal(t, want, urlOf(addr))
	}
}

func TestListen(t *testing.T) {
	t.Parallel()
	l, err := listen(t.Context(), "127.0.0.1:0")
	require.NoError(t, err)
	_, err = listen(t.Context(), l.Addr().String())
	require.EqualError(t, err, "the address "+l.Addr().String()+" is in use by another program")
	require.NoError(t, l.Close())
	_, err = listen(t.Context(), "host.invalid:0")
	require.ErrorContains(t, err, "cannot listen at host.invalid:0")
}

// TestRequestsUnderWayFinish ends the server in the middle of a request.
func TestRequestsUnderWayFinish(t *testing.T) {
	t.Parallel()
	l, err := listen(t.Context(), "127.0.0.1:0")
	require.NoError(t, err)
	began, goOn := make(chan struct{}), make(chan struct{})
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(began)
		<-goOn
		_, _ = io.WriteString(w, "done")
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, l, handler, slog.New(slog.DiscardHandler)) }()

	answered := make(chan string, 1)
	go func() {
		resp, err := http.DefaultClient.Do(get(t, urlOf(l.Addr())))
		if err != nil {
			answered <- err.Error()
			return
		}
		body, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		answered <- string(body)
	}()
	<-began
	cancel()
	close(goOn)
	require.Equal(t, "done", <-answered)
	require.NoError(t, <-ended)
}

func TestAServerThatStopsIsAnError(t *testing.T) {
	t.Parallel()
	l, err := listen(t.Context(), "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	err = serve(t.Context(), l, http.NotFoundHandler(), slog.New(slog.DiscardHandler))
	require.ErrorIs(t, err, net.ErrClosed)
}
