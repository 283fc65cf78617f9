package tests

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReadmeScript holds scripts/readme.sh to the syntax that its first lines describe. In the samples, FENCE stands for
// the three backquotes that Go's raw strings cannot hold.
func TestReadmeScript(t *testing.T) {
	t.Parallel()

	cases := []struct {
		name, readme, want string
		fails              bool
	}{
		{
			name:   "blocks run in order and keep their files",
			readme: "FENCEsh\necho one >made\nFENCE\n\n<!-- run: expect ^one$ -->\n<!-- run: expect ^two$ -->\nFENCEsh\ncat made\necho two >&2\nFENCE\n",
			want:   "2 blocks ran, 0 did not",
		},
		{
			name:   "blocks of another language do not run",
			readme: "FENCEjson\nfalse\nFENCE\nFENCEsh\ntrue\nFENCE\n",
			want:   "1 blocks ran, 0 did not",
		},
		{
			name:   "a server answers until the end",
			readme: "<!-- run: server http://127.0.0.1:PORT/ -->\n<!-- run: expect listening -->\nFENCEsh\ngo run serve.go\nFENCE\n\n<!-- run: expect hello -->\nFENCEsh\ncurl -sS http://127.0.0.1:PORT/\nFENCE\n",
			want:   "2 blocks ran, 0 did not",
		},
		{
			name:   "a server that stops is a failure",
			readme: "<!-- run: server http://127.0.0.1:PORT/ -->\nFENCEsh\ntrue\nFENCE\n",
			want:   "the block of line 2: the server stopped by itself",
			fails:  true,
		},
		{
			name:   "what does not run is counted",
			readme: "<!-- run: no (needs Docker) -->\nFENCEsh\nfalse\nFENCE\nFENCEsh\ntrue\nFENCE\n",
			want:   "1 blocks ran, 1 did not",
		},
		{
			name:   "a failing command fails the page, also before the last",
			readme: "FENCEsh\nfalse\ntrue\nFENCE\n",
			want:   "the block of line 1: exit code 1",
			fails:  true,
		},
		{
			name:   "other output than expected",
			readme: "<!-- run: expect ^two$ -->\nFENCEsh\necho one\nFENCE\n",
			want:   "the output does not match: ^two$",
			fails:  true,
		},
		{
			name:   "not running takes a reason",
			readme: "<!-- run: no -->\nFENCEsh\ntrue\nFENCE\n",
			want:   "needs a (reason)",
			fails:  true,
		},
		{
			name:   "an unknown comment",
			readme: "<!-- run: maybe -->\nFENCEsh\ntrue\nFENCE\n",
			want:   "unknown comment run: maybe",
			fails:  true,
		},
		{
			name:   "a comment that belongs to no block",
			readme: "<!-- run: server -->\nWords.\nFENCEsh\ntrue\nFENCE\n",
			want:   "README.md:2: a run comment with no sh block after it",
			fails:  true,
		},
		{
			name:   "a shell block that would not run",
			readme: "FENCEsh\ntrue\nFENCE\nFENCEbash\ntrue\nFENCE\n",
			want:   "README.md:4: mark the block sh, so that it runs",
			fails:  true,
		},
		{
			name:   "a page that runs nothing",
			readme: "Words.\n",
			want:   "no sh block to run",
			fails:  true,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			repository := sampleRepository(t, c.readme)
			script, err := filepath.Abs("../scripts/readme.sh")
			require.NoError(t, err)

			output, err := exec.CommandContext(t.Context(), script, repository).CombinedOutput()

			if c.fails {
				require.Error(t, err, "%s", output)
			} else {
				require.NoError(t, err, "%s", output)
			}
			require.Contains(t, string(output), c.want)
		})
	}
}

const sampleServer = `package main

import (
	"fmt"
	"net/http"
)

func main() {
	fmt.Println("listening")
	_ = http.ListenAndServe("127.0.0.1:PORT", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, "hello")
	}))
}
`

// sampleRepository commits a README and a server for it to start, and puts a free port in both.
func sampleRepository(t *testing.T, readme string) string {
	t.Helper()
	folder := t.TempDir()
	fill := strings.NewReplacer("FENCE", "```", "PORT", freePort(t))
	for name, text := range map[string]string{"README.md": readme, "serve.go": sampleServer} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(fill.Replace(text)), 0o600))
	}
	for _, arguments := range [][]string{
		{"init", "--quiet"},
		{"add", "."},
		{"-c", "user.name=sample", "-c", "user.email=sample@example.com", "commit", "--quiet", "--message", "Sample"},
	} {
		command := exec.CommandContext(t.Context(), "git", arguments...)
		command.Dir = folder
		output, err := command.CombinedOutput()
		require.NoError(t, err, "%s", output)
	}
	return folder
}

func freePort(t *testing.T) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, listener.Close()) }()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	require.NoError(t, err)
	return port
}
