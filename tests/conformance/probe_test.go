package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/tests/protocol"
)

// object is a JSON object.
type object = map[string]any

const (
	caseTimeout = 2 * time.Minute
	// patience is how long an engine may take for what is not at once.
	patience = 20 * time.Second
)

// probe runs one case on one engine. It is a require.TestingT that remembers what fails instead of failing a test, as a
// case may be known to fail.
type probe struct {
	subject

	client *protocol.Client
	ctx    context.Context //nolint:containedctx // of the one case that the probe is for

	tables []string // to delete

	mutex    sync.Mutex
	failures []string
}

func newProbe(s subject) *probe {
	return &probe{subject: s, client: protocol.NewClient(s.doer, s.where)}
}

// check returns what fails of a case.
func (p *probe) check(c testCase) []string {
	ctx, cancel := context.WithTimeout(context.Background(), caseTimeout)
	defer cancel()
	p.ctx = ctx
	done := make(chan struct{})
	go func() { // of its own, for FailNow to end
		defer close(done)
		defer p.deleteTables()
		c.run(p)
	}()
	<-done
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.failures
}

// deleteTables makes room: an engine that looks after every table gets slow with many. A table may be gone, or stay.
func (p *probe) deleteTables() {
	for _, table := range p.tables {
		_, _ = p.client.Send(p.ctx, "DeleteTable", []byte(`{"TableName":"`+table+`"}`))
	}
}

// Errorf implements require.TestingT.
func (p *probe) Errorf(format string, args ...any) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.failures = append(p.failures, strings.TrimSpace(fmt.Sprintf(format, args...)))
}

// FailNow implements require.TestingT.
func (p *probe) FailNow() { runtime.Goexit() }

// answer is a reply, decoded.
type answer struct {
	code, message string
	body          object
}

func (a answer) String() string {
	return strings.TrimSpace(strings.Join([]string{a.code, a.message, jsonText(a.body)}, " "))
}

// send sends JSON, whatever it is.
func (p *probe) send(operation, body string) answer {
	reply, err := p.client.Send(p.ctx, operation, []byte(body))
	require.NoError(p, err)
	code, message := reply.Refusal()
	return answer{code, message, decoded(reply.Body)}
}

// decoded is nil for what is no JSON object.
func decoded(body []byte) object {
	var members object
	if json.Unmarshal(body, &members) != nil {
		return nil
	}
	return members
}

// must sends a request that must succeed.
func (p *probe) must(operation, body string) object {
	a := p.send(operation, body)
	require.Empty(p, a.code, "%s %s: %s", operation, body, a)
	return a.body
}

// tableNumber makes names of tables that no other run has.
var tableNumber atomic.Int64

// newTable makes a table of a shape and returns its name.
func (p *probe) newTable(shape string) string {
	name := p.newName()
	p.must("CreateTable", strings.ReplaceAll(definition(p, shape), "$T", name))
	p.waitUntilActive(name)
	return name
}

func (p *probe) newName() string {
	name := fmt.Sprintf("conformance-%d-%d", time.Now().UnixNano(), tableNumber.Add(1))
	p.tables = append(p.tables, name)
	return name
}

// waitUntilActive waits until neither the table nor one of its indexes is CREATING, UPDATING or DELETING.
func (p *probe) waitUntilActive(table string) {
	active := p.until(patience, func() bool {
		return !strings.Contains(jsonText(p.must("DescribeTable", `{"TableName":"`+table+`"}`)), `ING"`)
	})
	require.True(p, active, "the table does not become active")
}

// until asks again and again until it is so, and tells whether it ever was.
func (p *probe) until(limit time.Duration, isSo func() bool) bool {
	deadline := time.NewTimer(limit)
	defer deadline.Stop()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for {
		if isSo() {
			return true
		}
		select {
		case <-again.C:
		case <-deadline.C:
			return false
		case <-p.ctx.Done():
			return false
		}
	}
}

// definition is the CreateTable request of a shape of table, for the name $T.
func definition(p *probe, shape string) string {
	const start = `{"TableName":"$T","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}`
	switch shape {
	case "hash":
		return start + `],"KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}]}`
	case "plain":
		return start + sorted("S", "") + `}`
	case "numbers":
		return start + sorted("N", "") + `}`
	case "binary":
		return start + sorted("B", "") + `}`
	case "indexed":
		return start + sorted("S", attribute("g", "S")+attribute("gs", "S")) + `,"GlobalSecondaryIndexes":[` +
			index("all", "g", "gs", `"ALL"`) + `,` + index("keys", "g", "", `"KEYS_ONLY"`) + `,` +
			index("some", "gs", "g", `"INCLUDE","NonKeyAttributes":["a","m"]`) + `]}`
	case "local":
		return start + sorted("S", attribute("due", "N")) + `,"LocalSecondaryIndexes":[` +
			index("due", "PK", "due", `"KEYS_ONLY"`) + `,` + index("whole", "PK", "due", `"ALL"`) + `]}`
	}
	require.Fail(p, "no such shape of table", shape)
	return ""
}

// sorted is the end of the definitions of attributes, and the key schema of a table with a sort key.
func sorted(kind, more string) string {
	return attribute("SK", kind) + more + `],"KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"SK","KeyType":"RANGE"}]`
}

func attribute(name, kind string) string {
	return `,{"AttributeName":"` + name + `","AttributeType":"` + kind + `"}`
}

func index(name, hash, sort, projection string) string {
	schema := `{"AttributeName":"` + hash + `","KeyType":"HASH"}`
	if sort != "" {
		schema += `,{"AttributeName":"` + sort + `","KeyType":"RANGE"}`
	}
	return `{"IndexName":"` + name + `","KeySchema":[` + schema + `],"Projection":{"ProjectionType":` + projection + `}}`
}

func jsonText(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
