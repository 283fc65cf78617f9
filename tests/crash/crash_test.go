package crash

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"example.com/keyfirst/internal/app"
)

var (
	kills = flag.Int("kills", 20, "how often to kill the engine")
	seed  = flag.Uint64("seed", 1, "seed of the moments of the kills")
)

// killsPerFile bounds the size of a file, and so the time that a look at all of it takes.
const killsPerFile = 50

// TestMain is the program itself when it is called like the program.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "engine" {
		os.Exit(app.Main(context.Background(), app.Process{Args: os.Args[1:], Stdout: os.Stdout, Stderr: os.Stderr}))
	}
	os.Exit(m.Run())
}

// child is an engine in a process of its own.
type child struct {
	cmd    *exec.Cmd
	client *dynamodb.Client
	idle   *http.Transport
	log    *strings.Builder
}

func start(t *testing.T, path string) *child {
	t.Helper()
	c := &child{cmd: exec.CommandContext(t.Context(), os.Args[0], "engine", "--addr", "127.0.0.1:0", "--data", path), log: &strings.Builder{}}
	c.cmd.Stderr = c.log
	out, err := c.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		_ = c.cmd.Wait()
	}
	require.NoError(t, err, c.log)
	_, url, found := strings.Cut(strings.TrimSpace(line), " is at ")
	require.True(t, found, line)
	c.idle = &http.Transport{MaxIdleConnsPerHost: 32}
	c.client = dynamodb.New(dynamodb.Options{
		Region:       "local",
		Credentials:  credentials.NewStaticCredentialsProvider("id", "secret", ""),
		BaseEndpoint: aws.String(url),
		HTTPClient:   &http.Client{Transport: c.idle},
		Retryer:      aws.NopRetryer{}, // a write that is tried again would hide what became of the first
	})
	return c
}

func (c *child) kill(t *testing.T) {
	t.Helper()
	require.NoError(t, c.cmd.Process.Kill())
	require.Error(t, c.cmd.Wait())
	c.idle.CloseIdleConnections()
}

func TestNoAcknowledgedWriteIsLost(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(*seed, 0))
	t.Logf("%d kills by seed %d", *kills, *seed)
	acknowledged, inFlight := 0, 0
	for left := *kills; left > 0; left -= killsPerFile {
		a, f := killOneFile(t, random, min(left, killsPerFile))
		acknowledged, inFlight = acknowledged+a, inFlight+f
	}
	require.Positive(t, acknowledged)
	t.Logf("%d writes were acknowledged, all of them are there; of %d under way at a kill the effect was whole or nothing", acknowledged, inFlight)
}

func killOneFile(t *testing.T, random *rand.Rand, n int) (acknowledged, inFlight int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tables.db")
	writers := newWriters()
	for round := range n {
		c := start(t, path)
		if round == 0 {
			createTable(t, c.client)
		}
		for _, w := range writers {
			w.verify(t, c.client)
		}
		verifyWhole(t, c.client)
		unknown := hammer(t, c, writers, time.Duration(random.IntN(120_000))*time.Microsecond)
		inFlight += unknown
	}
	c := start(t, path)
	for _, w := range writers {
		w.verify(t, c.client)
		acknowledged += w.acknowledged
	}
	verifyWhole(t, c.client)
	c.kill(t)
	return acknowledged, inFlight
}

// hammer has all writers write until the engine is killed, and returns how many of them do not know whether their last
// write took effect.
func hammer(t *testing.T, c *child, writers []*writer, after time.Duration) (unknown int) {
	t.Helper()
	var wg sync.WaitGroup
	for _, w := range writers {
		wg.Go(func() {
			for w.write(t.Context(), c.client) == nil {
				w.version++
				w.acknowledged++
			}
			w.unknown = true
		})
	}
	timer := time.NewTimer(after)
	defer timer.Stop()
	<-timer.C
	c.kill(t)
	wg.Wait()
	for _, w := range writers {
		if w.unknown {
			unknown++
		}
	}
	return unknown
}

// refusal is the answer of an engine that is alive, nil when it is an error of a connection.
func refusal(err error) error {
	var answered interface{ ErrorCode() string }
	if errors.As(err, &answered) {
		return fmt.Errorf("refused: %w", err)
	}
	return nil
}
