package engine

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// FaultKind is a way in which DynamoDB misbehaves.
type FaultKind string

// The kinds of fault. None of them tears a write: a request takes effect as a whole or not at all.
const (
	// FaultThrottle refuses a request with ProvisionedThroughputExceededException. It has no effect.
	FaultThrottle FaultKind = "throttle"
	// FaultInternal answers InternalServerError with status 500. Fault.Applied says whether the request takes effect.
	FaultInternal FaultKind = "internal"
	// FaultConflict refuses a single write with TransactionConflictException, and cancels a transaction with the reason
	// TransactionConflict for the items that match. Nothing of it takes effect.
	FaultConflict FaultKind = "conflict"
	// FaultUnprocessed gives keys of BatchGetItem back in UnprocessedKeys, and writes of BatchWriteItem in
	// UnprocessedItems. It is drawn for each item, and counted so; the others are processed.
	FaultUnprocessed FaultKind = "unprocessed"
	// FaultSlow holds the reply back by Fault.Delay, after the request took effect. It adds to other faults.
	FaultSlow FaultKind = "slow"
	// FaultCut ends the connection: in the middle of the reply when Fault.Applied, else before it and without effect.
	FaultCut FaultKind = "cut"
	// FaultLag makes a Query or Scan of a global index see what the table was Fault.Delay ago, or Fault.Writes write
	// requests of the table ago: always a state that it really had, and none from before the fault was injected.
	FaultLag FaultKind = "lag"
)

// Fault says which requests go wrong, and how. A request that is malformed gets its own error first.
type Fault struct {
	Kind FaultKind

	// Operations are the API's names of those that go wrong, as in "GetItem". Default: all that the kind can befall.
	Operations []string
	// Table is the name of the table. Default: any.
	Table string
	// Index is the global index that lags. Only for FaultLag. Default: any.
	Index string
	// Partition and Sort match the key values of an item that the request is about: text, a plain decimal, or Base64. A
	// * at the end stands for any rest. A Query has the partition of its condition and no sort key, a Scan neither.
	// Default: any request.
	Partition, Sort string

	// Rate is how many of the matching requests go wrong, above 0 to 1. Default: all.
	Rate float64
	// Count is how many go wrong until no more do. Default: no end.
	Count int
	// Seed makes the draws of Rate: the same requests in the same order go wrong alike.
	Seed uint64

	// Delay is how long a reply is held back, or how far an index lags.
	Delay time.Duration
	// Writes is how far an index lags.
	Writes int
	// Applied lets the request take effect although the client is not told. Only for FaultInternal and FaultCut.
	Applied bool
}

// ActiveFault is a fault that was injected.
type ActiveFault struct {
	Fault
	// Struck is how often it made something go wrong.
	Struck int
}

// befalls lists the operations that a kind of fault can befall; nil is all of them.
func (k FaultKind) befalls() (operations []string, known bool) {
	switch k {
	case FaultThrottle, FaultInternal, FaultSlow, FaultCut:
		return nil, true
	case FaultConflict:
		return []string{"PutItem", "UpdateItem", "DeleteItem", "TransactGetItems", "TransactWriteItems"}, true
	case FaultUnprocessed:
		return []string{"BatchGetItem", "BatchWriteItem"}, true
	case FaultLag:
		return []string{"Query", "Scan"}, true
	}
	return nil, false
}

// Validate reports what is wrong with the fault, nil when nothing is.
func (f Fault) Validate() error {
	befalls, known := f.Kind.befalls()
	if !known {
		return fmt.Errorf("engine: there is no fault %q", f.Kind)
	}
	for _, name := range f.Operations {
		if operationNamed(name) == nil || befalls != nil && !slices.Contains(befalls, name) {
			return fmt.Errorf("engine: the fault %s cannot befall %q", f.Kind, name)
		}
	}
	switch {
	case !(f.Rate >= 0 && f.Rate <= 1): // NaN is refused too
		return errors.New("engine: the rate of a fault is not from 0 to 1")
	case f.Count < 0, f.Delay < 0, f.Writes < 0:
		return errors.New("engine: a number of a fault is negative")
	case f.Applied && f.Kind != FaultInternal && f.Kind != FaultCut:
		return fmt.Errorf("engine: Applied is not for the fault %s", f.Kind)
	case f.Index != "" && f.Kind != FaultLag:
		return fmt.Errorf("engine: Index is not for the fault %s", f.Kind)
	}
	return f.validateExtent()
}

// validateExtent checks how long or how far the fault goes.
func (f Fault) validateExtent() error {
	switch {
	case f.Kind == FaultLag && (f.Delay > 0) == (f.Writes > 0):
		return errors.New("engine: a lag needs either Delay or Writes")
	case f.Kind == FaultSlow && f.Delay == 0:
		return errors.New("engine: a slow reply needs Delay")
	case f.Kind != FaultLag && f.Writes > 0, f.Kind != FaultLag && f.Kind != FaultSlow && f.Delay > 0:
		return fmt.Errorf("engine: Delay and Writes are not for the fault %s", f.Kind)
	}
	return nil
}

// faults are those that are injected. Without any, requests pay one atomic load for them.
type faults struct {
	some atomic.Bool
	mu   sync.Mutex
	all  []*injected
}

// injected is a fault with what it has done so far; the mutex of faults guards it.
type injected struct {
	Fault
	random *rand.Rand
	struck int
}

// Inject adds faults to those that are active. It returns an error of Fault.Validate, and then adds none.
func (e *Engine) Inject(added ...Fault) error {
	for _, f := range added {
		if err := f.Validate(); err != nil {
			return err
		}
	}
	e.faults.mu.Lock()
	defer e.faults.mu.Unlock()
	for _, f := range added {
		f.Operations = slices.Clone(f.Operations)
		e.faults.all = append(e.faults.all, &injected{Fault: f, random: rand.New(rand.NewPCG(f.Seed, 0))})
		if f.Kind == FaultLag {
			e.history.reach(f.Writes, f.Delay)
		}
	}
	e.faults.some.Store(len(e.faults.all) > 0)
	return nil
}

// Clear ends all faults.
func (e *Engine) Clear() {
	e.faults.mu.Lock()
	defer e.faults.mu.Unlock()
	e.faults.all = nil
	e.faults.some.Store(false)
	e.history.stop()
}

// Faults lists the faults that were injected, those included whose Count is used up.
func (e *Engine) Faults() []ActiveFault {
	e.faults.mu.Lock()
	defer e.faults.mu.Unlock()
	all := make([]ActiveFault, len(e.faults.all))
	for i, f := range e.faults.all {
		all[i] = ActiveFault{f.Fault, f.struck}
	}
	return all
}
