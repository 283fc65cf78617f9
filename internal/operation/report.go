package operation

import (
	"strings"
	"time"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/plan"
)

// Explain is what `extensions.explain` holds.
type Explain struct {
	// Plan is what the operation costs at most.
	Plan plan.Figures `json:"plan"`
	// Actual is what it cost.
	Actual Actual `json:"actual"`
}

// Actual is what an operation really cost.
type Actual struct {
	// Rounds is the number of rounds that did not run beside each other.
	Rounds int `json:"rounds"`
	// Requests is the number of DynamoDB requests, without retries.
	Requests int `json:"requests"`
	// Retries is how often a request, or a part of one, was sent again.
	Retries int `json:"retries"`
	// ReadUnits and WriteUnits are what DynamoDB says was consumed, retries included.
	ReadUnits  float64 `json:"readUnits"`
	WriteUnits float64 `json:"writeUnits"`
	// Calls are the requests, by round and start.
	Calls []Call `json:"calls"`
}

// Call is one DynamoDB request.
type Call struct {
	Operation string `json:"operation"`
	// Pattern names the access pattern; a batch that several share names them all, with commas between.
	Pattern string `json:"pattern"`
	// Keys is the number of keys asked for or written; for a Query the number of items read.
	Keys int `json:"keys"`
	// Round is the round the request was part of, from 1.
	Round int `json:"round"`
	// StartMs is when it was sent, in milliseconds since the operation began; DurationMs how long it took.
	StartMs    float64 `json:"startMs"`
	DurationMs float64 `json:"durationMs"`
	ReadUnits  float64 `json:"readUnits"`
	WriteUnits float64 `json:"writeUnits"`
	// Retries is how often it, or a part of it, was sent again.
	Retries int `json:"retries,omitempty"`
	// Retry says that it repeats an earlier request of its round, and counts as a retry itself.
	Retry bool `json:"retry,omitempty"`
}

func report(calls []dal.Call, start time.Time) Actual {
	actual := Actual{Calls: make([]Call, 0, len(calls))}
	for _, c := range calls {
		actual.Rounds = max(actual.Rounds, c.Round)
		actual.Retries += c.Retries
		if c.Retry {
			actual.Retries++
		} else {
			actual.Requests++
		}
		actual.ReadUnits += c.ReadUnits
		actual.WriteUnits += c.WriteUnits
		actual.Calls = append(actual.Calls, Call{
			Operation: c.Operation, Pattern: joined(c.Patterns), Keys: c.Keys, Round: c.Round,
			StartMs: milliseconds(c.Start.Sub(start)), DurationMs: milliseconds(c.End.Sub(c.Start)),
			ReadUnits: c.ReadUnits, WriteUnits: c.WriteUnits, Retries: c.Retries, Retry: c.Retry,
		})
	}
	return actual
}

func joined(patterns []dal.Pattern) string {
	names := make([]string, len(patterns))
	for i, p := range patterns {
		names[i] = string(p)
	}
	return strings.Join(names, ",")
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
