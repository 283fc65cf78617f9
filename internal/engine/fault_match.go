package engine

import (
	"encoding/base64"
	"slices"
	"strings"

	"example.com/keyfirst/internal/engine/attr"
)

// touch is one thing that a request is about: an item, the partition of a Query, or only a table.
type touch struct {
	table           string
	index           string
	partition, sort string // as Fault has them
	hasPartition    bool
	hasSort         bool
}

// touchOf is the item with the key.
func touchOf(t *table, key attr.Item) touch {
	one := touch{table: t.record.Name, hasPartition: true, partition: keyText(key[t.keys[0].name])}
	if len(t.keys) > 1 {
		one.hasSort, one.sort = true, keyText(key[t.keys[1].name])
	}
	return one
}

// keyText is a key value as faults spell it.
func keyText(v attr.Value) string {
	if v.Kind == attr.B {
		return base64.StdEncoding.EncodeToString([]byte(v.Text))
	}
	return v.Text
}

// concerns tells whether the fault is about the operation.
func (f *Fault) concerns(operation string) bool {
	if len(f.Operations) > 0 {
		return slices.Contains(f.Operations, operation)
	}
	befalls, _ := f.Kind.befalls()
	return befalls == nil || slices.Contains(befalls, operation)
}

func (f *Fault) matches(one touch) bool {
	return (f.Table == "" || f.Table == one.table) && (f.Index == "" || f.Index == one.index) &&
		matchesKey(f.Partition, one.partition, one.hasPartition) && matchesKey(f.Sort, one.sort, one.hasSort)
}

func matchesKey(pattern, value string, has bool) bool {
	switch prefix, open := strings.CutSuffix(pattern, "*"); {
	case pattern == "":
		return true
	case !has:
		return false
	case open:
		return strings.HasPrefix(value, prefix)
	}
	return pattern == value
}

// draw decides whether the fault strikes a request that it matches.
func (f *injected) draw() bool {
	if f.Count > 0 && f.struck >= f.Count || f.Rate > 0 && f.random.Float64() >= f.Rate {
		return false
	}
	f.struck++
	return true
}

// strikes draws the faults of one kind for something that a request is about.
func (fs *faults) strikes(kind FaultKind, operation string, one touch) *Fault {
	if !fs.some.Load() {
		return nil
	}
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for _, f := range fs.all {
		if f.Kind == kind && f.concerns(operation) && f.matches(one) && f.draw() {
			return &f.Fault
		}
	}
	return nil
}

// withholds tells whether an item of a batch stays unprocessed.
func (fs *faults) withholds(operation string, t *table, key attr.Item) bool {
	return fs.some.Load() && fs.strikes(FaultUnprocessed, operation, touchOf(t, key)) != nil
}
