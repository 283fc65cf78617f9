package config

import (
	"cmp"
	"errors"
	"fmt"
	"time"
)

// flags is the command line. A field that is nil or empty was given neither as a flag nor as a variable.
type flags struct {
	Serve       serveFlags       `cmd:"" default:"withargs" help:"Serve the GraphQL API. It is what keyfirst does without a command."`
	Engine      engineFlags      `cmd:"" help:"Serve the embedded engine by itself, to any client of DynamoDB."`
	Table       tableFlags       `cmd:"" help:"Make the table."`
	Explain     explainFlags     `cmd:"" help:"Print what the operations of GraphQL documents cost, without running them: exit status 3 when one is over budget."`
	Patterns    patternsFlags    `cmd:"" help:"Print the access patterns."`
	Healthcheck healthcheckFlags `cmd:"" help:"Ask a running server whether it is ready: exit status 0 if it is, else 1."`
	Version     versionFlags     `cmd:"" help:"Print the version."`
}

// commandFlags are the flags of one command.
type commandFlags interface {
	command(*sources) (Command, error)
}

type storeFlags struct {
	Store    string        `help:"Where the table is: embedded (the engine in this process) or aws. Default: the endpoint if there is one, else embedded." placeholder:"embedded|aws"`
	Data     string        `help:"File of the embedded engine; :memory: keeps nothing. Default: keyfirst.db." placeholder:"FILE"`
	Endpoint string        `help:"Use DynamoDB Local, or anything else that speaks DynamoDB's protocol, at this address." placeholder:"URL"`
	Region   string        `help:"AWS region. Default: that of the AWS configuration." placeholder:"NAME"`
	Table    string        `help:"Name of the table. Default: keyfirst." placeholder:"NAME"`
	Latency  time.Duration `help:"Have the embedded engine wait before each request, to see the rounds." placeholder:"20ms"`
}

type serveFlags struct {
	Addr string `help:"Where to listen; port 0 is any free one. Default: 127.0.0.1:8080." placeholder:"HOST:PORT"`
	storeFlags
	Demo *bool `help:"Fill an embedded table that is empty with a demo shop. Default: yes; --demo=false for no."`
	budgetFlags
	Dev bool `help:"Let clients read the schema by introspection, and suggest names in error messages."`
}

type budgetFlags struct {
	MaxRounds     *int     `help:"Refuse operations that may need more rounds of requests; 0 is no limit. Default: 8." placeholder:"N"`
	MaxRequests   *int     `help:"Refuse operations that may need more DynamoDB requests; 0 is no limit. Default: 50." placeholder:"N"`
	MaxReadUnits  *float64 `help:"Refuse operations that may need more read units; 0 is no limit. Default: 1000." placeholder:"N"`
	MaxWriteUnits *float64 `help:"Refuse operations that may need more write units; 0 is no limit. Default: 500." placeholder:"N"`
}

type engineFlags struct {
	Addr    string        `help:"Where to listen; port 0 is any free one. Default: 127.0.0.1:8000." placeholder:"HOST:PORT"`
	Data    string        `help:"File of the engine. Default: :memory:, which keeps nothing." placeholder:"FILE"`
	Latency time.Duration `help:"Wait before each request. Default: 0." placeholder:"20ms"`
}

type tableFlags struct {
	Create createFlags `cmd:"" help:"Make the table with its indexes and settings. A table that exists stays as it is."`
}

type createFlags struct {
	storeFlags
	Shards *int `help:"Partitions that a warehouse's open orders are spread over, 1 to 64. A table that exists keeps its own. Default: 1." placeholder:"N"`
}

type healthcheckFlags struct {
	URL string `help:"What to ask. Default: http://127.0.0.1:8080/healthz." placeholder:"URL"`
}

type versionFlags struct{}

// valid is the command, unless it is not valid.
func valid(c Command) (Command, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	return c, nil
}

// or is the value, or the default of one that was not given.
func or[T any](value *T, otherwise T) T {
	if value == nil {
		return otherwise
	}
	return *value
}

func (f *serveFlags) command(src *sources) (Command, error) {
	store, err := f.store(src)
	if err != nil {
		return nil, err
	}
	if or(f.Demo, false) && !store.Embedded() && !src.isVariable("demo") {
		return nil, f.unused(src, "demo")
	}
	return valid(Serve{
		Addr: cmp.Or(f.Addr, DefaultAddr), Store: store, Dev: f.Dev,
		Demo: or(f.Demo, true) && store.Embedded(), Budget: f.budget(),
	})
}

func (f *budgetFlags) budget() Budget {
	return Budget{
		Rounds: or(f.MaxRounds, DefaultMaxRounds), Requests: or(f.MaxRequests, DefaultMaxRequests),
		ReadUnits: or(f.MaxReadUnits, DefaultMaxReadUnits), WriteUnits: or(f.MaxWriteUnits, DefaultMaxWriteUnits),
	}
}

// Help is what kong prints below the line about the command.
func (*engineFlags) Help() string {
	return "Tests make it fail with PUT /_debug/faults and a JSON array of faults, which replaces those before; GET lists " +
		"them with how often each has struck, DELETE ends them. A fault has a \"kind\": throttle, internal, conflict, " +
		"unprocessed, slow, cut or lag (of global indexes). It strikes all that match its \"operations\" (names), " +
		"\"table\", \"index\", \"partition\" and \"sort\" (key values; a * at the end stands for any rest), at a \"rate\" up " +
		"to 1 (by a \"seed\"), \"count\" times. \"delay\" (as in 20ms) is for slow and lag, \"writes\" for a lag of so many " +
		"write requests, and \"applied\" lets the request behind an internal error or a cut reply take effect.\n\n" +
		"As in: curl -X PUT -d '[{\"kind\":\"throttle\",\"operations\":[\"Query\"],\"count\":3}]' http://127.0.0.1:8000/_debug/faults"
}

func (f *engineFlags) command(*sources) (Command, error) {
	return valid(Engine{Addr: cmp.Or(f.Addr, DefaultEngineAddr), Path: cmp.Or(f.Data, InMemory), Latency: f.Latency})
}

func (f *createFlags) command(src *sources) (Command, error) {
	store, err := f.store(src)
	if err != nil {
		return nil, err
	}
	store.Shards = or(f.Shards, DefaultShards)
	if err := validateShards(store.Shards); err != nil { // to Validate, 0 is the default
		return nil, err
	}
	return valid(CreateTable{Store: store})
}

func (f *healthcheckFlags) command(*sources) (Command, error) {
	return valid(Healthcheck{URL: cmp.Or(f.URL, DefaultHealthURL)})
}

func (versionFlags) command(*sources) (Command, error) { return valid(Version{}) }

// store makes one store of the flags. What the environment says about another kind of store is left unused: an image
// may name a data file, and its user an endpoint. A flag is never left unused.
func (f *storeFlags) store(src *sources) (Store, error) {
	if err := f.settleKind(src); err != nil {
		return Store{}, err
	}
	s := Store{Kind: f.kind(), Table: cmp.Or(f.Table, DefaultTable), Shards: DefaultShards}
	unused := map[string]bool{"region": f.Region != ""}
	if s.Embedded() {
		s.Path, s.Latency = cmp.Or(f.Data, DefaultPath), f.Latency
	} else {
		s.Endpoint, s.Region = f.Endpoint, f.Region
		unused = map[string]bool{"data": f.Data != "", "latency": f.Latency != 0}
	}
	for _, flag := range []string{"data", "latency", "region"} {
		if unused[flag] && !src.isVariable(flag) {
			return Store{}, f.unused(src, flag)
		}
	}
	return s, nil
}

// settleKind leaves at most one of --store and --endpoint: a flag outranks the other's variable.
func (f *storeFlags) settleKind(src *sources) error {
	if f.Store == "" || f.Endpoint == "" {
		return nil
	}
	switch byVariable := src.isVariable("store"); {
	case byVariable == src.isVariable("endpoint"):
		return fmt.Errorf("%s and %s contradict each other: an endpoint is a store of its own, so leave one of them out",
			src.name("store"), src.name("endpoint"))
	case byVariable:
		f.Store = ""
	default:
		f.Endpoint = ""
	}
	return nil
}

func (f *storeFlags) kind() StoreKind {
	if f.Endpoint != "" {
		return StoreEndpoint
	}
	return StoreKind(cmp.Or(f.Store, string(StoreEmbedded)))
}

// unused refuses a flag that the store has no use for.
func (f *storeFlags) unused(src *sources, flag string) error {
	if flag == "region" {
		return errors.New("--region is of no use to the embedded engine: it goes with --endpoint or --store aws")
	}
	chosen := src.name("store")
	if f.Endpoint != "" {
		chosen = src.name("endpoint")
	}
	return fmt.Errorf("--%s is for the embedded engine, but %s puts the table elsewhere: leave one of them out", flag, chosen)
}
