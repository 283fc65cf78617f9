package engine

import (
	"errors"
	"time"
)

// InMemory as Config.Path keeps nothing on disk.
const InMemory = ":memory:"

// Config says where an engine keeps its tables and how it behaves. The zero Config is an engine in memory.
type Config struct {
	// Path is the bbolt file, made when it is not there; its folder must exist. Empty or InMemory keeps nothing.
	Path string
	// Latency is added to every request before it takes effect, to resemble a network. A request whose context ends
	// meanwhile has no effect. Default 0, not negative.
	Latency time.Duration
	// Clock tells the time, for time to live, idempotency tokens and creation dates. Default time.Now.
	Clock func() time.Time
}

// Validate reports what is wrong with the configuration, nil when nothing is.
func (c Config) Validate() error {
	if c.Latency < 0 {
		return errors.New("engine: Latency must not be negative")
	}
	return nil
}

func (c Config) inMemory() bool { return c.Path == "" || c.Path == InMemory }

func (c Config) withDefaults() Config {
	if c.Clock == nil {
		c.Clock = time.Now
	}
	return c
}
