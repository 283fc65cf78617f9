package main

import (
	"math/rand/v2"
	"slices"
	"time"
)

// clients is how many connections send at once.
const clients = 8

// perCall is the processor time that one call of the operation takes, the median of some rounds.
type perCall struct {
	rounds []time.Duration
}

func (p *perCall) median() time.Duration {
	sorted := slices.Sorted(slices.Values(p.rounds))
	return sorted[len(sorted)/2]
}

// processorPerCall measures all engines by turns, round by round, so that what else the machine does meets them alike.
func processorPerCall(engines []*process, o operation, total, rounds int) (map[string]*perCall, error) {
	results := map[string]*perCall{}
	for _, e := range engines {
		results[e.name] = &perCall{}
	}
	for round := range rounds + 1 {
		for _, e := range engines {
			spent, err := oneRound(e, o, total, uint64(round))
			if err != nil {
				return nil, err
			}
			if round > 0 { // the first one is for warming up
				results[e.name].rounds = append(results[e.name].rounds, spent)
			}
		}
	}
	return results, nil
}

func oneRound(e *process, o operation, total int, seed uint64) (time.Duration, error) {
	r := rand.New(rand.NewPCG(seed, 1))
	requests := make([][]byte, o.calls)
	for i := range requests {
		requests[i] = newRequest(e.addr, o.api, o.body(r, total))
	}
	before, err := e.processorTime()
	if err != nil {
		return 0, err
	}
	if err := callAll(e.addr, clients, o.calls, func(i int) []byte { return requests[i] }, o.check); err != nil {
		return 0, err
	}
	after, err := e.processorTime()
	return (after - before) / time.Duration(o.calls), err
}

// writesPerSecond is how fast one engine takes single writes from some clients.
func writesPerSecond(e *process, writers, writes, seed int) (float64, error) {
	start := time.Now()
	err := callAll(e.addr, writers, writes, func(i int) []byte {
		return newRequest(e.addr, "PutItem", `{"TableName":"`+tableName+`","Item":`+item(i, seed)+`}`)
	}, nil)
	return float64(writes) / time.Since(start).Seconds(), err
}
