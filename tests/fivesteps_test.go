package tests

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// steps are the five of README.md, "Add an access pattern", as folders of testdata/fivesteps. Together they add the
// orders of one day. Such a folder holds new files where they belong, and edits.txtar, which changes others:
//
//	FILE: behind    lines that the file has exactly once
//	FILE: insert    what is put behind them
//	FILE: append    what is put at the file's end
var steps = []string{"1-key", "2-read", "3-schema", "4-resolver-and-plan", "5-proof"}

const (
	fiveSteps   = "testdata/fivesteps"
	editsOfStep = "edits.txtar"
	newPattern  = "orders-by-day"
	newField    = "Customer.ordersOn"
	inCatalogue = "\t\tordersByDayAccess(),\n"
	beforePlan  = "\t\t\"Customer.orders\":       customerOrders,\n"
	inPlan      = "\t\t\"Customer.ordersOn\":     customerOrdersOn,\n"
)

// TestFiveSteps walks the guide in a copy of the project, with a look at what is promised for the steps that are still
// missing, and proves at the end that five are enough.
func TestFiveSteps(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the project several times")
	}
	embeddedOnly(t, "it is about the sources")
	t.Parallel()
	p := copyProject(t)

	p.take(steps[0])
	p.take(steps[1])
	p.refusesToStart(fmt.Sprintf("no field of the schema names the pattern %q of dal's catalogue", newPattern))

	p.take(steps[2])
	p.run("make", "gen")
	p.fails("missing method OrdersOn", "go", "build", "./...")

	p.take(steps[3])
	p.change("plan/fields.go", inPlan, "")
	p.refusesToStart(newField + " carries @access but plans nothing")
	p.change("plan/fields.go", beforePlan, beforePlan+inPlan)

	p.run("go", "build", "./...")
	p.fails("no golden shows the pattern "+newPattern, "go", "test", "-vet=off", "./tests", "-run", "^TestEveryPatternHasAGolden$")
	p.fails("no example of "+newPattern, "go", "test", "-vet=off", "./internal/console")

	p.take(steps[4])
	output := p.run("go", "test", "-v", "-vet=off", "./dal", "./plan", "./internal/patterns", "./internal/console", "./tests", "-short", "-run", strings.Join([]string{
		"^TestProjectionKnowsEveryFieldOfTheSchema$", "^TestCheck$", "^TestPagesAreUpToDate$", "^TestRows", "^TestExamplesAreValidAndComplete$",
		"^TestImportsPointDown$", "^TestTableMethodsAreDocumented$", "^TestOnlyKeysSpellTheSeparator$",
		"^TestEveryPatternHasAGolden$", "^TestWhatReachesTheTableSaysSo$",
		"^TestGoldens$/^" + newPattern + "$", "^TestOneByOne$/^" + newPattern + "$", "^TestTheorem$",
	}, "|"))
	for _, test := range []string{"TestProjectionKnowsEveryFieldOfTheSchema", "TestCheck", "TestPagesAreUpToDate", "TestGoldens/" + newPattern, "TestOneByOne/" + newPattern, "TestTheorem"} {
		require.Contains(t, output, "--- PASS: "+test+" ")
	}
	require.Empty(t, p.run("gofmt", "-l", "."))

	p.change("dal/pattern.go", inCatalogue, "")
	p.refusesToStart(fmt.Sprintf("%s names the unknown pattern %q", newField, newPattern))
	p.restore("dal/keys.go")
	p.fails("undefined: orderDay", "go", "build", "./dal")
}

// TestGuideNamesItsPlaces holds the text of the guide to what TestFiveSteps does: each step names every file that it
// needs.
func TestGuideNamesItsPlaces(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	_, guide, found := strings.Cut(string(readme), "\n## Add an access pattern\n")
	require.True(t, found, "README.md has no section on adding an access pattern")
	guide, _, _ = strings.Cut(guide, "\n## ")
	texts := regexp.MustCompile(`(?m)^\d+\. `).Split(guide, -1)[1:]
	require.Len(t, texts, len(steps), "the guide has five steps")

	for i, step := range steps {
		var named []*regexp.Regexp // what stands in < > varies
		for _, code := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(texts[i], -1) {
			pattern := regexp.MustCompile(`<[^>]+>`).ReplaceAllString(regexp.QuoteMeta(code[1]), `[^/]+`)
			named = append(named, regexp.MustCompile("^"+pattern+"$"))
		}
		for _, file := range filesOfStep(t, step) {
			require.True(t, containsMatch(named, file), "step %d of README.md does not name %s", i+1, file)
		}
	}
}

func containsMatch(patterns []*regexp.Regexp, text string) bool {
	for _, p := range patterns {
		if p.MatchString(text) {
			return true
		}
	}
	return false
}

// filesOfStep are the files that a step makes or changes.
func filesOfStep(t *testing.T, step string) (files []string) {
	t.Helper()
	for name := range newFiles(t, step) {
		files = append(files, name)
	}
	for _, f := range editsOf(t, step) {
		name, _, _ := strings.Cut(f.Name, ": ")
		files = append(files, name)
	}
	require.NotEmpty(t, files)
	return files
}

// newFiles are the files that a step makes, by their names in the project.
func newFiles(t *testing.T, step string) map[string][]byte {
	t.Helper()
	folder := filepath.Join(fiveSteps, step)
	files := map[string][]byte{}
	require.NoError(t, filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil || name == editsOfStep {
			return err
		}
		files[filepath.ToSlash(name)], err = os.ReadFile(path)
		return err
	}))
	return files
}

func editsOf(t *testing.T, step string) []txtar.File {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join(fiveSteps, step, editsOfStep))
	require.NoError(t, err)
	return archive.Files
}

// project is a copy of the project.
type project struct {
	t              *testing.T
	origin, folder string
}

// copyProject copies every file that git knows or would take, as it is now.
func copyProject(t *testing.T) *project {
	t.Helper()
	origin, err := filepath.Abs("..")
	require.NoError(t, err)
	p := &project{t: t, origin: origin, folder: t.TempDir()}
	list := exec.CommandContext(t.Context(), "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = origin
	names, err := list.Output()
	require.NoError(t, err)
	for name := range strings.SplitSeq(strings.TrimSuffix(string(names), "\x00"), "\x00") {
		info, err := os.Stat(filepath.Join(origin, name))
		if os.IsNotExist(err) || err == nil && !info.Mode().IsRegular() {
			continue // removed and not committed yet, or a link out of the project
		}
		require.NoError(t, err)
		p.write(name, p.read(origin, name), info.Mode())
	}
	return p
}

func (p *project) read(root, name string) string {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	require.NoError(p.t, err)
	return string(text)
}

func (p *project) write(name, text string, mode os.FileMode) {
	p.t.Helper()
	path := filepath.Join(p.folder, name)
	require.NoError(p.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(p.t, os.WriteFile(path, []byte(text), mode))
}

// take takes one step.
func (p *project) take(step string) {
	p.t.Helper()
	for name, text := range newFiles(p.t, step) {
		require.NoFileExists(p.t, filepath.Join(p.folder, name), "step %s makes a file that is there already", step)
		p.write(name, string(text), 0o644)
	}
	anchor := ""
	for _, f := range editsOf(p.t, step) {
		name, does, _ := strings.Cut(f.Name, ": ")
		text := string(f.Data)
		switch does {
		case "behind":
			anchor = text
		case "insert":
			p.change(name, anchor, anchor+text)
		case "append":
			p.write(name, p.read(p.folder, name)+text, 0o644)
		default:
			require.Fail(p.t, "no such edit", "%s of step %s", f.Name, step)
		}
	}
}

// change replaces what a file has exactly once.
func (p *project) change(name, old, changed string) {
	p.t.Helper()
	text := p.read(p.folder, name)
	require.Equal(p.t, 1, strings.Count(text, old), "a place that the guide needs has moved. %s has this not once:\n%s", name, old)
	p.write(name, strings.Replace(text, old, changed, 1), 0o644)
}

// restore gives a file back its first text.
func (p *project) restore(name string) { p.write(name, p.read(p.origin, name), 0o644) }

// command runs in the copy, with the packages of others from Go's cache.
func (p *project) command(name string, args ...string) (string, error) {
	command := exec.CommandContext(p.t.Context(), name, args...)
	command.Dir = p.folder
	command.Env = append(os.Environ(), "GOFLAGS=-ldflags=-w", "GOWORK=off", "PWD="+p.folder)
	output, err := command.CombinedOutput()
	return string(output), err
}

func (p *project) run(name string, args ...string) string {
	p.t.Helper()
	output, err := p.command(name, args...)
	require.NoError(p.t, err, "%s %s:\n%s", name, strings.Join(args, " "), output)
	return output
}

// fails runs what must fail, and say why.
func (p *project) fails(why, name string, args ...string) {
	p.t.Helper()
	output, err := p.command(name, args...)
	require.Error(p.t, err, "%s %s", name, strings.Join(args, " "))
	require.Contains(p.t, output, why)
}

// refusesToStart builds the program and starts it.
func (p *project) refusesToStart(why string) {
	p.t.Helper()
	program := filepath.Join(p.t.TempDir(), "keyfirst")
	p.run("go", "build", "-o", program, ".")
	p.fails(why, program, "serve", "--addr", "127.0.0.1:0", "--data", ":memory:", "--demo=false")
}
