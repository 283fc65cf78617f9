package engine

import (
	"encoding/json"
	"errors"
	"fmt"
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

// FaultsHandler serves the faults of the engine as a JSON array: GET lists them with how often each has struck, PUT
// replaces them all, DELETE ends them. It is for tests: whoever reaches it can make the engine fail.
func (e *Engine) FaultsHandler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodGet, http.MethodHead:
		case http.MethodPut:
			if err := e.replaceFaults(http.MaxBytesReader(w, r.Body, maxFaultsBody)); err != nil {
				writeJSON(w, http.StatusBadRequest, map[string]string{"message": err.Error()})
				return
			}
		case http.MethodDelete:
			e.Clear()
		default:
			w.Header().Set("Allow", "GET, PUT, DELETE")
			writeJSON(w, http.StatusMethodNotAllowed, map[string]string{"message": "the methods are GET, PUT and DELETE"})
			return
		}
		all := []faultJSON{}
		for _, f := range e.Faults() {
			all = append(all, f.json())
		}
		writeJSON(w, http.StatusOK, all)
	})
}

// maxFaultsBody is the largest list of faults, in bytes.
const maxFaultsBody = 1 << 20

func (e *Engine) replaceFaults(body interface{ Read(p []byte) (int, error) }) error {
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

func writeJSON(w http.ResponseWriter, status int, value any) {
	body, err := marshal(value)
	if err != nil {
		status = http.StatusInternalServerError
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that has gone needs no answer
}
