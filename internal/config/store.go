package config

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"time"
)

// StoreKind says who keeps the table.
type StoreKind string

// The kinds of store.
const (
	// StoreEmbedded is the DynamoDB-compatible engine in this process.
	StoreEmbedded StoreKind = "embedded"
	// StoreEndpoint is anything else that speaks DynamoDB's protocol, at a URL: DynamoDB Local, an engine of ours.
	StoreEndpoint StoreKind = "endpoint"
	// StoreAWS is DynamoDB itself.
	StoreAWS StoreKind = "aws"
)

// Defaults of a Store.
const (
	// DefaultTable is the table's name.
	DefaultTable = "keyfirst"
	// DefaultShards is the number of shards of a new table.
	DefaultShards = 1
	// InMemory, as a path, keeps nothing on disk.
	InMemory = ":memory:"
	// DefaultPath is where the command line keeps the data of the embedded engine.
	DefaultPath = "keyfirst.db"
)

// maxShards bounds the requests that one page of open orders can take.
const maxShards = 64

// Store says where the table is. The zero Store is an engine in memory.
type Store struct {
	// Kind is who keeps the table. Default: StoreEmbedded.
	Kind StoreKind
	// Table is the table's name. Default: DefaultTable.
	Table string
	// Shards is the number of partitions that a warehouse's open orders are spread over, 1 to 64. It counts when the
	// table is made; a table that exists keeps its own number. Default: DefaultShards.
	Shards int
	// Path is the file of an embedded engine. Default: InMemory; that of the command line is DefaultPath.
	Path string
	// Latency is what an embedded engine waits before each request, so that rounds can be seen. Default: 0.
	Latency time.Duration
	// Endpoint is the URL of a StoreEndpoint. No default.
	Endpoint string
	// Region is the AWS region. Default: what the AWS configuration says; for a StoreEndpoint without any, us-east-1.
	Region string
}

// WithDefaults fills in what was left out.
func (s Store) WithDefaults() Store {
	if s.Kind == "" {
		s.Kind = StoreEmbedded
	}
	if s.Table == "" {
		s.Table = DefaultTable
	}
	if s.Shards == 0 {
		s.Shards = DefaultShards
	}
	if s.Kind == StoreEmbedded && s.Path == "" {
		s.Path = InMemory
	}
	return s
}

// Embedded says that the table is kept in this process.
func (s Store) Embedded() bool { return s.Kind == "" || s.Kind == StoreEmbedded }

// Validate reports what is wrong with the store, nil when nothing is.
func (s Store) Validate() error {
	s = s.WithDefaults()
	var errs []error
	if !regexp.MustCompile(`^[A-Za-z0-9_.-]{3,255}$`).MatchString(s.Table) {
		errs = append(errs, fmt.Errorf("the table's name %q is not made of 3 to 255 letters, digits, dots, dashes and underscores", s.Table))
	}
	errs = append(errs, validateShards(s.Shards))
	if s.Latency < 0 {
		errs = append(errs, fmt.Errorf("the latency %s is negative", s.Latency))
	}
	return errors.Join(append(errs, s.validateKind())...)
}

func validateShards(n int) error {
	if n < 1 || n > maxShards {
		return fmt.Errorf("the number of shards is %d, not 1 to %d", n, maxShards)
	}
	return nil
}

// validateKind checks the fields that belong to one kind of store.
func (s Store) validateKind() error {
	switch s.Kind {
	case StoreEmbedded:
		if s.Endpoint != "" {
			return fmt.Errorf("an embedded engine has no endpoint, but %s is given", s.Endpoint)
		}
		return nil
	case StoreEndpoint, StoreAWS:
	default:
		return fmt.Errorf("there is no store %q: it is embedded or aws, or an endpoint's", s.Kind)
	}
	switch {
	case s.Path != "" || s.Latency != 0:
		return errors.New("a path and a latency belong to an embedded engine")
	case s.Kind == StoreAWS && s.Endpoint != "":
		return fmt.Errorf("the endpoint of AWS follows from the region, but %s is given", s.Endpoint)
	case s.Kind == StoreEndpoint:
		return validateURL("endpoint", s.Endpoint)
	}
	return nil
}

// validateURL checks an absolute http or https URL.
func validateURL(what, text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return fmt.Errorf("the %s %q is no URL like http://127.0.0.1:8000", what, text)
	}
	return nil
}
