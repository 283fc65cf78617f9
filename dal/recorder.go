package dal

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Call is one DynamoDB request as it really happened.
type Call struct {
	// Operation is the DynamoDB operation: GetItem, BatchGetItem, Query, TransactWriteItems.
	Operation string
	// Patterns are the access patterns that share the request.
	Patterns []Pattern
	// Keys is the number of keys asked for or written; for a Query the number of items read.
	Keys int
	// Round is the causal round: requests of one round do not wait for each other.
	Round int
	// Start and End span the request and its retries.
	Start, End time.Time
	// ReadUnits and WriteUnits are what DynamoDB says it consumed, retries included.
	ReadUnits, WriteUnits float64
	// Retries is how often the request, or a part of it, was sent again.
	Retries int
	// Retry says that the whole request repeats an earlier one of its round.
	Retry bool
	// Failed says that the request gave no answer.
	Failed bool
}

// Recorder notes every request of one operation. It is safe for concurrent use; a nil Recorder notes nothing.
type Recorder struct {
	mu       sync.Mutex
	calls    []Call
	finished int
}

// NewRecorder makes an empty Recorder.
func NewRecorder() *Recorder { return &Recorder{} }

type recorderKey struct{}

// WithRecorder makes every request sent under the context be noted.
func WithRecorder(ctx context.Context, r *Recorder) context.Context {
	return context.WithValue(ctx, recorderKey{}, r)
}

// RecorderFrom is the context's Recorder, or nil.
func RecorderFrom(ctx context.Context) *Recorder {
	r, _ := ctx.Value(recorderKey{}).(*Recorder)
	return r
}

// Calls are the requests finished so far, by round and start.
func (r *Recorder) Calls() []Call {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	calls := slices.Clone(r.calls)
	slices.SortStableFunc(calls, func(a, b Call) int {
		if a.Round != b.Round {
			return a.Round - b.Round
		}
		return a.Start.Compare(b.Start)
	})
	return calls
}

// Round is the highest round that has a finished request.
func (r *Recorder) Round() int {
	if r == nil {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.finished
}

func (r *Recorder) add(c Call) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls = append(r.calls, c)
	r.finished = max(r.finished, c.Round)
}

// span is one request while it is under way.
type span struct {
	recorder *Recorder
	call     Call
}

// startSpan begins a request. Round 0 is a request that no plan foresaw: it comes after the rounds that are finished.
func startSpan(ctx context.Context, operation string, round int, patterns ...Pattern) *span {
	r := RecorderFrom(ctx)
	if round == 0 {
		round = r.Round() + 1
	}
	slices.Sort(patterns)
	return &span{recorder: r, call: Call{
		Operation: operation, Patterns: slices.Compact(patterns), Round: round, Start: time.Now(),
	}}
}

func (s *span) end(err error) {
	s.call.End = time.Now()
	s.call.Failed = err != nil
	s.recorder.add(s.call)
}
