package conformance

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A script is one case of a file of testdata/cases, which has many. It reads:
//
//	== limit counts items before the filter
//	# A comment.
//	table plain
//	25 x PutItem {"TableName":"$T","Item":{"PK":{"S":"a"},"SK":{"S":"$nn"},"d":{"S":"$(x*300)"}}}
//	Query {"TableName":"$T",
//	  "KeyConditionExpression":"PK = :p", ...}
//	-> {"Count":0, ...}
//	Query {"TableName":"$T", ...}
//	-> ValidationException: start of the message
//
// `table SHAPE` makes the table $T, and `table SHAPE $U` another one, of the shapes in probe_test.go. A request goes on in
// lines that are indented. `active $T` waits until changes of the table are done. `N x` sends it N times, with $n and $nn the number of the time from 0 and 00. $(TEXT*N) is the
// text N times, $LAST the LastEvaluatedKey of the latest reply that had one, and $S2 the name of another table.
//
// The line after a request says what must come of it: success with the reply after `->`, or a refusal with that code, whose
// message has the words after the colon, and which has the members of the object after that. Without such a line it must
// succeed. match_test.go says when a reply is as expected.
type script struct {
	name  string
	steps []step
}

type step struct {
	line  int
	shape string // of a table to make, and its variable
	table string
	await bool // wait until the table is active, with its indexes

	times     int
	operation string
	body      string
	code      string // of the refusal that is expected
	words     string
	reply     string // that is expected; empty for any
}

// scripts reads the cases of all files.
func scripts(t *testing.T) []testCase {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "cases", "*.txt"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var cases []testCase
	for _, file := range files {
		area := strings.TrimSuffix(filepath.Base(file), ".txt")
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, s := range parseScripts(t, file, string(content)) {
			cases = append(cases, testCase{area + "/" + s.name, func(p *probe) { p.play(s) }})
		}
	}
	return cases
}

var (
	expectedLine = regexp.MustCompile(`^-> (\w+Exception)?(?:: )?(.*?)(\{(?:".*)?\}?)?$`)
	requestLine  = regexp.MustCompile(`^(?:(\d+) x )?([A-Z]\w+) (\{.*)$`)
	tableLine    = regexp.MustCompile(`^table (\w+)(?: (\$[A-Z]))?$`)
	activeLine   = regexp.MustCompile(`^active (\$[A-Z])$`)
)

func parseScripts(t *testing.T, file, content string) []script {
	t.Helper()
	var all []script
	for number, line := range strings.Split(content, "\n") {
		name, starts := strings.CutPrefix(line, "== ")
		switch {
		case starts:
			all = append(all, script{name: name})
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
		default:
			require.NotEmpty(t, all, "%s: the first line must name a case", file)
			require.True(t, all[len(all)-1].add(number+1, line), "%s:%d cannot be read: %s", file, number+1, line)
		}
	}
	return all
}

// add adds one line, and tells whether it can be read.
func (s *script) add(number int, line string) bool {
	if strings.HasPrefix(line, " ") && len(s.steps) > 0 {
		last := &s.steps[len(s.steps)-1]
		if last.reply != "" {
			last.reply += " " + strings.TrimSpace(line)
		} else {
			last.body += " " + strings.TrimSpace(line)
		}
		return true
	}
	if found := tableLine.FindStringSubmatch(line); found != nil {
		s.steps = append(s.steps, step{line: number, shape: found[1], table: cmp.Or(found[2], "$T")})
		return true
	}
	if found := activeLine.FindStringSubmatch(line); found != nil {
		s.steps = append(s.steps, step{line: number, table: found[1], await: true})
		return true
	}
	if found := requestLine.FindStringSubmatch(line); found != nil {
		times, err := strconv.Atoi(cmp.Or(found[1], "1"))
		s.steps = append(s.steps, step{line: number, times: times, operation: found[2], body: found[3]})
		return err == nil
	}
	found := expectedLine.FindStringSubmatch(line)
	if found == nil || len(s.steps) == 0 {
		return false
	}
	last := &s.steps[len(s.steps)-1]
	last.code, last.words, last.reply = found[1], strings.TrimSpace(found[2]), found[3]
	return true
}

// play runs the steps of a script, all of them even when one fails.
func (p *probe) play(s script) {
	variables := map[string]string{"$S2": p.newName()}
	for _, one := range s.steps {
		if one.shape != "" {
			variables[one.table] = p.newTable(one.shape)
			continue
		}
		if one.await {
			p.waitUntilActive(variables[one.table])
			continue
		}
		for n := range one.times {
			variables["$n"], variables["$nn"] = strconv.Itoa(n), fmt.Sprintf("%02d", n)
			p.playStep(one, variables)
		}
	}
}

func (p *probe) playStep(s step, variables map[string]string) {
	body := expand(s.body, variables)
	got := p.send(s.operation, body)
	where := fmt.Sprintf("line %d: %s %s\n", s.line, s.operation, shortened(body))
	switch {
	case got.code != s.code:
		p.Errorf("%sgot:  %s\nwant: %s", where, shortened(got.String()), cmp.Or(s.code, "success"))
		return
	case !strings.Contains(got.message, expand(s.words, variables)):
		p.Errorf("%sgot the message:   %s\nwant one that has: %s", where, shortened(got.message), s.words)
	}
	if last, has := got.body["LastEvaluatedKey"]; has {
		variables["$LAST"] = jsonText(last)
	}
	if s.reply == "" {
		return
	}
	if difference := mismatch(got.body, expand(s.reply, variables), s.code != ""); difference != "" {
		p.Errorf("%s%s\ngot:  %s", where, difference, shortened(jsonText(got.body)))
	}
}

var repetition = regexp.MustCompile(`\$\((.*?)\*(\d+)\)`)

// expand puts in the values of variables, the longest names first.
func expand(text string, variables map[string]string) string {
	for _, name := range []string{"$LAST", "$nn", "$S2", "$n", "$T", "$U"} {
		if value, has := variables[name]; has {
			text = strings.ReplaceAll(text, name, value)
		}
	}
	return repetition.ReplaceAllStringFunc(text, func(call string) string {
		parts := repetition.FindStringSubmatch(call)
		times, err := strconv.Atoi(parts[2])
		if err != nil {
			return call
		}
		return strings.Repeat(parts[1], times)
	})
}

func shortened(text string) string {
	const most = 600
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}
