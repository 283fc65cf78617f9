package config

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"
)

// Command is what a run of the program is to do: [Serve], [Engine], [CreateTable], [Explain], [Patterns], [Healthcheck],
// [Version] or [Help].
type Command interface {
	// Validate reports what is wrong with the command's settings, nil when nothing is.
	Validate() error
}

// Defaults of the commands.
const (
	// DefaultAddr is where the API is served.
	DefaultAddr = "127.0.0.1:8080"
	// DefaultEngineAddr is where an engine on its own is served.
	DefaultEngineAddr = "127.0.0.1:8000"
	// DefaultHealthURL is what a health check asks.
	DefaultHealthURL = "http://" + DefaultAddr + "/healthz"
)

// Defaults of the command line for the most that one operation may cost: enough for a screen's worth of nested lists.
const (
	DefaultMaxRounds     = 8
	DefaultMaxRequests   = 50
	DefaultMaxReadUnits  = 1000
	DefaultMaxWriteUnits = 500
)

// Budget is the most that one operation may cost, by its plan. A field that is 0 is no limit.
type Budget struct {
	// Rounds bounds the rounds, one after the other. Default of the command line: DefaultMaxRounds.
	Rounds int
	// Requests bounds the DynamoDB requests. Default of the command line: DefaultMaxRequests.
	Requests int
	// ReadUnits bounds the read units. Default of the command line: DefaultMaxReadUnits.
	ReadUnits float64
	// WriteUnits bounds the write units. Default of the command line: DefaultMaxWriteUnits.
	WriteUnits float64
}

// Validate reports what is wrong with the budget, nil when nothing is.
func (b Budget) Validate() error {
	// Not below 0 would let NaN through.
	if b.Rounds >= 0 && b.Requests >= 0 && b.ReadUnits >= 0 && b.WriteUnits >= 0 {
		return nil
	}
	return errors.New("a limit of what an operation may cost is negative: 0 is no limit")
}

// Serve is the command that serves the GraphQL API.
type Serve struct {
	// Addr is where to listen, host:port; port 0 is any free one. Empty: nowhere. No default; that of the command line
	// is DefaultAddr.
	Addr string
	// Store is where the table is.
	Store Store
	// Demo fills an embedded table that is empty with a demo shop. Default: no; the command line's is yes.
	Demo bool
	// Budget is the most that one operation may cost. Default: no limits.
	Budget Budget
	// Dev lets clients read the schema by introspection, and error messages suggest names from it. Default: no.
	Dev bool
}

// Validate reports what is wrong with the settings, nil when nothing is.
func (s Serve) Validate() error {
	var errs []error
	if s.Addr != "" {
		errs = append(errs, validateAddr(s.Addr))
	}
	if s.Demo && !s.Store.Embedded() {
		errs = append(errs, errors.New("the demo only ever fills an embedded table"))
	}
	return errors.Join(append(errs, s.Store.Validate(), s.Budget.Validate())...)
}

// Engine is the command that serves the embedded engine by itself, to any client of DynamoDB.
type Engine struct {
	// Addr is where to listen, host:port. Default of the command line: DefaultEngineAddr.
	Addr string
	// Path is the engine's file. Default: InMemory.
	Path string
	// Latency is waited before each request. Default: 0.
	Latency time.Duration
}

// Validate reports what is wrong with the settings, nil when nothing is.
func (e Engine) Validate() error {
	store := Store{Path: e.Path, Latency: e.Latency}
	return errors.Join(validateAddr(e.Addr), store.Validate())
}

// CreateTable is the command that makes the table.
type CreateTable struct {
	// Store is where the table is to be, and with how many shards.
	Store Store
}

// Validate reports what is wrong with the settings, nil when nothing is.
func (c CreateTable) Validate() error { return c.Store.Validate() }

// Healthcheck is the command that asks a running server whether it is ready.
type Healthcheck struct {
	// URL is what to ask. Default of the command line: DefaultHealthURL.
	URL string
}

// Validate reports what is wrong with the settings, nil when nothing is.
func (h Healthcheck) Validate() error { return validateURL("address", h.URL) }

// Version is the command that prints the program's version.
type Version struct{}

// Validate finds nothing wrong.
func (Version) Validate() error { return nil }

// Help is the command that prints how the program is used.
type Help struct {
	// Text is what to print.
	Text string
}

// Validate finds nothing wrong.
func (Help) Validate() error { return nil }

// validateAddr checks a host:port to listen at.
func validateAddr(addr string) error {
	_, port, err := net.SplitHostPort(addr)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return fmt.Errorf("the address %q is no host:port like %s", addr, DefaultAddr)
	}
	return nil
}
