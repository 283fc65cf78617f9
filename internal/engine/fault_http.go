package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// FaultsPath is where a server that is for tests lets faults be injected.
const FaultsPath = "/_debug/faults"

// faultJSON is a fault on the debug path.
type faultJSON struct {
	Kind       FaultKind `json:"kind"`
	Operations []string  `json:"operations,omitempty"`
	Table      string    `json:"table,omitempty"`
	Index      string    `json:"index,omitempty"`
	Partition  string    `json:"partition,omitempty"`
	Sort       string    `json:"sort,omitempty"`
	Rate       float64   `json:"rate,omitempty"`
	Count      int       `json:"count,omitempty"`
	Seed       uint64    `json:"seed,omitempty"`
	Delay      string    `json:"delay,omitempty"` // as in 200ms
	Writes     int       `json:"writes,omitempty"`
	Applied    bool      `json:"applied,omitempty"`
	Struck     int       `json:"struck"` // in replies only
}

func (j faultJSON) fault() (Fault, error) {
	f := Fault{
		Kind: j.Kind, Operations: j.Operations, Table: j.Table, Index: j.Index, Partition: j.Partition, Sort: j.Sort,
		Rate: j.Rate, Count: j.Count, Seed: j.Seed, Writes: j.Writes, Applied: j.Applied,
	}
	if j.Delay == "" {
		return f, nil
	}
	var err error
	if f.Delay, err = time.ParseDuration(j.Delay); err != nil {
		return f, fmt.Errorf("engine: the delay %q is no duration like 200ms", j.Delay)
	}
	return f, nil
}

func (f ActiveFault) json() faultJSON {
	j := faultJSON{
		Kind: f.Kind, Operations: f.Operations, Table: f.Table, Index: f.Index, Partition: f.Partition, Sort: f.Sort,
		Rate: f.Rate, Count: f.Count, Seed: f.Seed, Writes: f.Writes, Applied: f.Applied, Struck: f.Struck,
	}
	if f.Delay > 0 {
		j.Delay = f.Delay.String()
	}
	return j
}

// answerFaults answers a request for the faults of the engine, which are a JSON array: GET lists them with how often each
// has struck, PUT replaces them all, DELETE ends them.
func (e *Engine) answerFaults(method string, body io.Reader) answer {
	switch method {
	case http.MethodGet:
	case http.MethodPut:
		if err := e.replaceFaults(io.LimitReader(body, maxFaultsBody)); err != nil {
			return refusal(http.StatusBadRequest, err.Error())
		}
	case http.MethodDelete:
		e.Clear()
	default:
		return refusal(http.StatusMethodNotAllowed, "the methods are GET, PUT and DELETE")
	}
	all := []faultJSON{}
	for _, f := range e.Faults() {
		all = append(all, f.json())
	}
	text, err := marshal(all)
	if err != nil {
		return errorAnswer(err)
	}
	return answer{status: http.StatusOK, body: text}
}

func refusal(status int, message string) answer {
	text, err := marshal(map[string]string{"message": message})
	if err != nil {
		return errorAnswer(err)
	}
	return answer{status: status, body: text}
}

// maxFaultsBody is the largest list of faults, in bytes.
const maxFaultsBody = 1 << 20

func (e *Engine) replaceFaults(body io.Reader) error {
	decoder := json.NewDecoder(body)
	decoder.DisallowUnknownFields()
	var given []faultJSON
	if err := decoder.Decode(&given); err != nil {
		return fmt.Errorf("engine: the faults are no JSON array of faults: %w", err)
	}
	if decoder.More() {
		return errors.New("engine: something follows the array of faults")
	}
	all := make([]Fault, len(given))
	for i, j := range given {
		var err error
		if all[i], err = j.fault(); err != nil {
			return err
		}
		if err := all[i].Validate(); err != nil {
			return err
		}
	}
	e.Clear()
	return e.Inject(all...)
}
