package engine

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// strike is what faults do to one request as a whole.
type strike struct {
	refused error // in place of carrying the request out
	lost    bool  // not carried out, and nobody answers
	cut     bool  // the reply ends in the middle
	failed  bool  // answered by InternalServerError after it was carried out
	delay   time.Duration
}

// strike draws the faults of a request; nil for none. The first that ends it, in the order of injection, is the only one
// of those.
func (e *Engine) strike(operation string, body []byte) *strike {
	if !e.faults.some.Load() {
		return nil
	}
	touches, err := e.touches(operation, body)
	if err != nil {
		return nil // the request has an error of its own
	}
	e.faults.mu.Lock()
	defer e.faults.mu.Unlock()
	s := &strike{}
	ended := false
	for _, f := range e.faults.all {
		if ended && f.Kind != FaultSlow || !f.endsOrDelays() || !f.concerns(operation) {
			continue
		}
		matching := f.matchingOf(touches)
		if len(matching) == 0 || !f.draw() {
			continue
		}
		if f.Kind == FaultSlow {
			s.delay += f.Delay
			continue
		}
		ended = true
		s.end(f.Fault, operation, matching, len(touches))
	}
	return s
}

// answerStruck answers a request that faults befall.
func (e *Engine) answerStruck(ctx context.Context, s *strike, operation string, body []byte) (answer, error) {
	if s.lost {
		return answer{}, errors.Join(delay(ctx, s.delay), errLost)
	}
	var reply []byte
	err := s.refused
	if err == nil {
		reply, err = e.perform(operation, body)
	}
	if err == nil && s.failed {
		err = internalFault()
	}
	if err := delay(ctx, s.delay); err != nil {
		return answer{}, err
	}
	a, err := answerOf(ctx, reply, err)
	a.cut = s.cut
	return a, err
}

// endsOrDelays tells whether the fault befalls a request as a whole.
func (f *Fault) endsOrDelays() bool { return f.Kind != FaultUnprocessed && f.Kind != FaultLag }

// matchingOf lists which of the touches match.
func (f *Fault) matchingOf(touches []touch) (matching []int) {
	for i, one := range touches {
		if f.matches(one) {
			matching = append(matching, i)
		}
	}
	return matching
}

func (s *strike) end(f Fault, operation string, matching []int, actions int) {
	switch f.Kind {
	case FaultThrottle:
		s.refused = &serviceError{
			code:    "ProvisionedThroughputExceededException",
			message: "The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.",
		}
	case FaultConflict:
		s.refused = conflict(f, operation, matching, actions)
	case FaultInternal:
		if s.failed = f.Applied; !s.failed {
			s.refused = internalFault()
		}
	case FaultCut:
		s.cut, s.lost = f.Applied, !f.Applied
	case FaultSlow, FaultUnprocessed, FaultLag:
	}
}

func internalFault() error {
	return &serviceError{code: "InternalServerError", message: "Internal server error", status: http.StatusInternalServerError}
}

// conflict names the actions of a transaction that match; a fault that matches every item names the first.
func conflict(f Fault, operation string, matching []int, actions int) error {
	const message = "Transaction is ongoing for the item"
	if operation != "TransactGetItems" && operation != "TransactWriteItems" {
		return &serviceError{code: "TransactionConflictException", message: message}
	}
	if f.Partition == "" && f.Sort == "" {
		matching = matching[:1]
	}
	reasons := make([]reason, actions)
	for i := range reasons {
		reasons[i] = reason{Code: reasonNone}
	}
	for _, i := range matching {
		reasons[i] = reason{Code: "TransactionConflict", Message: message}
	}
	return cancelled(reasons)
}
