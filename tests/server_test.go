package tests

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/internal/app"
)

// running is the program while it runs in this process.
type running struct {
	url    string
	stop   context.CancelFunc
	status <-chan int
	stderr *bytes.Buffer // complete once status has come
}

var startLine = regexp.MustCompile(`^Keyfirst is at (http://127\.0\.0\.1:\d+/) \(GraphQL at /graphql\)\n$`)

// start runs a command line on a free port, as main does, and waits for the line with its address.
func start(t *testing.T, args ...string) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	stdout, out := io.Pipe()
	status := make(chan int, 1)
	r := &running{stop: cancel, status: status, stderr: &bytes.Buffer{}}
	go func() {
		code := app.Main(ctx, app.Process{
			Args:        append([]string{"serve", "--addr", "127.0.0.1:0"}, args...),
			Environment: func(string) (string, bool) { return "", false },
			Stdout:      out, Stderr: r.stderr,
		})
		_ = out.Close()
		status <- code
	}()
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		require.FailNow(t, "the program ended", "status %d: %s", <-status, r.stderr)
	}
	found := startLine.FindStringSubmatch(line)
	require.Len(t, found, 2, line)
	r.url = found[1]
	return r
}

// end is Ctrl-C.
func (r *running) end(t *testing.T) {
	t.Helper()
	r.stop()
	require.Zero(t, <-r.status, r.stderr)
}

// oneShot keeps no connections, so that none of its goroutines outlives a request.
func oneShot() *http.Client {
	return &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 10 * time.Second}
}

func fetch(t *testing.T, url string) (status int, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	require.NoError(t, err)
	return exchange(t, r)
}

func send(t *testing.T, url, operation string) (status int, body string) {
	t.Helper()
	text := `{"query":"` + strings.ReplaceAll(operation, `"`, `\"`) + `"}`
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(text))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/graphql-response+json")
	return exchange(t, r)
}

func exchange(t *testing.T, r *http.Request) (status int, body string) {
	t.Helper()
	resp, err := oneShot().Do(r)
	require.NoError(t, err)
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return resp.StatusCode, string(text)
}

const annsOrders = `{ customer(id: "cust_42") { name orders(first: 1) { nodes { id total { amount } } } } }`

// TestServer is the first minute with the program: start it, open it, ask it, and end it.
func TestServer(t *testing.T) { // not parallel: it counts goroutines
	server := start(t, "--data", ":memory:")

	status, body := fetch(t, server.url+"healthz")
	require.Equal(t, http.StatusOK, status)
	require.JSONEq(t, `{"status":"ok"}`, body)

	status, body = fetch(t, server.url)
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, "<html")

	status, body = send(t, server.url+"graphql", annsOrders)
	require.Equal(t, http.StatusOK, status)
	require.JSONEq(t, `{"data":{"customer":{"name":"Ann","orders":{"nodes":[{"id":"order_A17","total":{"amount":"35"}}]}}}}`, body)

	server.end(t)
	requireNoGoroutineOfOurs(t)
}

// requireNoGoroutineOfOurs waits for the goroutines that net/http ends in its own time.
func requireNoGoroutineOfOurs(t *testing.T) {
	t.Helper()
	ours := func() []string {
		stacks := make([]byte, 1<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		var found []string
		for stack := range strings.SplitSeq(string(stacks), "\n\n") {
			if strings.Contains(stack, module+"/internal/") || strings.Contains(stack, "http.(*conn).serve") {
				found = append(found, stack)
			}
		}
		return found
	}
	require.Eventually(t, func() bool { return len(ours()) == 0 }, 5*time.Second, 10*time.Millisecond, "%v", ours())
}

// TestDataOutlivesTheServer starts the same file three times.
func TestDataOutlivesTheServer(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "k.db")
	const newCustomer = `mutation { createCustomer(input: {name: "Bo", email: "bo@example.com"}) { customer { name } userErrors { code } } }`
	const bo = `{ customerByEmail(email: "BO@example.com") { name } }`

	first := start(t, "--data", path)
	_, body := send(t, first.url+"graphql", newCustomer)
	require.JSONEq(t, `{"data":{"createCustomer":{"customer":{"name":"Bo"},"userErrors":[]}}}`, body)
	first.end(t)

	for range 2 {
		again := start(t, "--data", path)
		_, body = send(t, again.url+"graphql", bo)
		require.JSONEq(t, `{"data":{"customerByEmail":{"name":"Bo"}}}`, body)
		_, body = send(t, again.url+"graphql", `{ customer(id: "cust_42") { orderCount } }`)
		require.JSONEq(t, `{"data":{"customer":{"orderCount":2}}}`, body)
		again.end(t)
	}
}

// TestTheDemoFillsOnlyWhatIsEmpty starts a file without the demo, then with it.
func TestTheDemoFillsOnlyWhatIsEmpty(t *testing.T) {
	t.Parallel()
	const ann = `{ customer(id: "cust_42") { name } }`
	for name, c := range map[string]struct {
		before string // sent to the server without the demo
		want   string
	}{
		"an empty table":        {`{ __typename }`, `{"data":{"customer":{"name":"Ann"}}}`},
		"one warehouse in it":   {`mutation { putWarehouse(input: {id: "wh_x", name: "X"}) { warehouse { id } } }`, `{"data":{"customer":null}}`},
		"one customer's record": {`mutation { createCustomer(input: {name: "Bo", email: "bo@example.com"}) { customer { name } } }`, `{"data":{"customer":null}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "k.db")
			without := start(t, "--data", path, "--demo=false")
			_, body := send(t, without.url+"graphql", ann)
			require.JSONEq(t, `{"data":{"customer":null}}`, body)
			_, body = send(t, without.url+"graphql", c.before)
			require.NotContains(t, body, "errors")
			without.end(t)

			with := start(t, "--data", path)
			_, body = send(t, with.url+"graphql", ann)
			require.JSONEq(t, c.want, body)
			with.end(t)
		})
	}
}

// TestAnEndpointThatRefuses starts all the same, and says what is wrong where somebody looks.
func TestAnEndpointThatRefuses(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "local")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "local")
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	endpoint := "http://" + closed.Addr().String()
	require.NoError(t, closed.Close())

	server := start(t, "--endpoint", endpoint)
	status, body := fetch(t, server.url+"healthz")
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.JSONEq(t, `{"status":"unavailable"}`, body)
	status, body = send(t, server.url+"graphql", annsOrders)
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Contains(t, body, `"code":"UNAVAILABLE"`)
	require.Contains(t, body, `"retryable":true`)
	require.NotContains(t, body, closed.Addr().String(), "where the table is stays inside")
	server.end(t)
	require.Equal(t, 1, strings.Count(server.stderr.String(), "the table cannot be used"), server.stderr)
}

func TestAPortInUse(t *testing.T) {
	t.Parallel()
	server := start(t, "--data", ":memory:", "--demo=false")
	var stdout, stderr bytes.Buffer
	addr := strings.TrimSuffix(strings.TrimPrefix(server.url, "http://"), "/")
	status := app.Main(t.Context(), app.Process{
		Args: []string{"--addr", addr, "--data", ":memory:"}, Environment: func(string) (string, bool) { return "", false },
		Stdout: &stdout, Stderr: &stderr,
	})
	require.Equal(t, 1, status)
	require.Empty(t, stdout.String())
	require.Equal(t, "keyfirst: the address "+addr+" is in use by another program\n", stderr.String())
	server.end(t)
}

// TestTheBuiltProgram is what the other tests cannot show: that main passes everything on, and that Ctrl-C ends it.
func TestTheBuiltProgram(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the program")
	}
	program := filepath.Join(t.TempDir(), "keyfirst")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "..").CombinedOutput()
	require.NoError(t, err, "%s", out)

	cmd := exec.CommandContext(t.Context(), program)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "KEYFIRST_ADDR=127.0.0.1:0")
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewReader(stdout)
	line, err := lines.ReadString('\n')
	require.NoError(t, err)
	found := startLine.FindStringSubmatch(line)
	require.Len(t, found, 2, line)

	health := exec.CommandContext(t.Context(), program, "healthcheck", "--url", found[1]+"healthz")
	out, err = health.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.FileExists(t, filepath.Join(cmd.Dir, "keyfirst.db"))

	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	rest, err := io.ReadAll(lines)
	require.NoError(t, err)
	require.Empty(t, rest, "one line is all that is printed")
	require.NoError(t, cmd.Wait())

	out, err = exec.CommandContext(t.Context(), program, "--bogus").CombinedOutput()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 2, exit.ExitCode())
	require.Equal(t, "keyfirst: unknown flag --bogus (see keyfirst --help)\n", string(out))
}
