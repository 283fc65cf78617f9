package config_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/internal/config"
)

// environment is one of "NAME=value" settings.
func environment(settings ...string) config.Environment {
	values := map[string]string{}
	for _, s := range settings {
		name, value, _ := strings.Cut(s, "=")
		values[name] = value
	}
	return func(name string) (string, bool) {
		value, found := values[name]
		return value, found
	}
}

func embedded() config.Store {
	return config.Store{Kind: config.StoreEmbedded, Table: "keyfirst", Shards: 1, Path: "keyfirst.db"}
}

// serving is the command that is run without flags, changed.
func serving(change func(*config.Serve)) config.Serve {
	s := config.Serve{
		Addr: "127.0.0.1:8080", Store: embedded(), Demo: true,
		Budget: config.Budget{Rounds: 8, Requests: 50, ReadUnits: 1000, WriteUnits: 500},
	}
	change(&s)
	return s
}

// explaining is the command that explains a.graphql without flags, changed.
func explaining(change func(*config.Explain)) config.Explain {
	e := config.Explain{
		Files: []string{"a.graphql"}, Format: config.FormatText, Shards: 1,
		Budget: config.Budget{Rounds: 8, Requests: 50, ReadUnits: 1000, WriteUnits: 500},
	}
	change(&e)
	return e
}

func TestParse(t *testing.T) {
	t.Parallel()
	local := config.Store{Kind: config.StoreEndpoint, Table: "keyfirst", Shards: 1, Endpoint: "http://127.0.0.1:8000"}
	atEndpoint := serving(func(s *config.Serve) { s.Store, s.Demo = local, false })
	atAWS := serving(func(s *config.Serve) {
		s.Store, s.Demo = config.Store{Kind: config.StoreAWS, Table: "keyfirst", Shards: 1, Region: "eu-west-1"}, false
	})
	cases := map[string]struct {
		line string
		env  []string
		want config.Command
	}{
		"nothing is serve":          {"", nil, serving(func(*config.Serve) {})},
		"serve by name":             {"serve", nil, serving(func(*config.Serve) {})},
		"flags without a command":   {"--addr :0 --dev", nil, serving(func(s *config.Serve) { s.Addr, s.Dev = ":0", true })},
		"data":                      {"--data /tmp/x.db", nil, serving(func(s *config.Serve) { s.Store.Path = "/tmp/x.db" })},
		"in memory":                 {"serve --data=:memory:", nil, serving(func(s *config.Serve) { s.Store.Path = ":memory:" })},
		"table":                     {"--table shop", nil, serving(func(s *config.Serve) { s.Store.Table = "shop" })},
		"latency":                   {"--latency 20ms", nil, serving(func(s *config.Serve) { s.Store.Latency = 20 * time.Millisecond })},
		"demo said":                 {"--demo", nil, serving(func(*config.Serve) {})},
		"no demo":                   {"--demo=false", nil, serving(func(s *config.Serve) { s.Demo = false })},
		"store embedded":            {"--store embedded --data x", nil, serving(func(s *config.Serve) { s.Store.Path = "x" })},
		"empty flags are none":      {"--addr= --endpoint= --data=", nil, serving(func(*config.Serve) {})},
		"endpoint":                  {"--endpoint http://127.0.0.1:8000", nil, atEndpoint},
		"endpoint without the demo": {"--endpoint http://127.0.0.1:8000 --demo=false", nil, atEndpoint},
		"endpoint and region": {"--endpoint http://127.0.0.1:8000 --region eu-west-1", nil, serving(func(s *config.Serve) {
			s.Store, s.Demo = local, false
			s.Store.Region = "eu-west-1"
		})},
		"a budget": {"--max-rounds 2 --max-requests 9 --max-read-units 0.5 --max-write-units 0", nil, serving(func(s *config.Serve) {
			s.Budget = config.Budget{Rounds: 2, Requests: 9, ReadUnits: 0.5}
		})},
		"a budget by variables": {"", []string{"KEYFIRST_MAX_ROUNDS=3"}, serving(func(s *config.Serve) { s.Budget.Rounds = 3 })},
		"aws":                   {"--store aws --region eu-west-1", nil, atAWS},

		"variables": {
			"",
			[]string{"KEYFIRST_ADDR=0.0.0.0:80", "KEYFIRST_DATA=/data/k.db", "KEYFIRST_TABLE=shop", "KEYFIRST_DEMO=false", "KEYFIRST_DEV=true", "KEYFIRST_LATENCY=5ms"},
			serving(func(s *config.Serve) {
				s.Addr, s.Dev, s.Demo = "0.0.0.0:80", true, false
				s.Store.Table, s.Store.Path, s.Store.Latency = "shop", "/data/k.db", 5*time.Millisecond
			}),
		},
		"a flag outranks its variable": {"--data y --demo", []string{"KEYFIRST_DATA=x", "KEYFIRST_DEMO=0"}, serving(func(s *config.Serve) { s.Store.Path = "y" })},
		"an empty variable is none":    {"", []string{"KEYFIRST_ADDR=", "KEYFIRST_DEMO=", "KEYFIRST_LATENCY=", "KEYFIRST_ENDPOINT="}, serving(func(*config.Serve) {})},
		"variables of an image and its user": {
			"serve", []string{"KEYFIRST_DATA=/data/k.db", "KEYFIRST_DEMO=true", "KEYFIRST_LATENCY=1ms", "KEYFIRST_ENDPOINT=http://127.0.0.1:8000"}, atEndpoint,
		},
		"region without a use for it":        {"", []string{"KEYFIRST_REGION=eu-west-1"}, serving(func(*config.Serve) {})},
		"aws by variables":                   {"", []string{"KEYFIRST_STORE=aws", "KEYFIRST_REGION=eu-west-1"}, atAWS},
		"--store outranks KEYFIRST_ENDPOINT": {"--store aws --region eu-west-1", []string{"KEYFIRST_ENDPOINT=http://x"}, atAWS},
		"--store embedded outranks it too":   {"--store embedded --data x", []string{"KEYFIRST_ENDPOINT=http://x"}, serving(func(s *config.Serve) { s.Store.Path = "x" })},
		"--endpoint outranks KEYFIRST_STORE": {"--endpoint http://127.0.0.1:8000", []string{"KEYFIRST_STORE=embedded"}, atEndpoint},

		"engine":            {"engine", nil, config.Engine{Addr: "127.0.0.1:8000", Path: ":memory:"}},
		"engine with flags": {"engine --addr :0 --data e.db --latency 0", nil, config.Engine{Addr: ":0", Path: "e.db"}},
		"engine by variables": {
			"engine", []string{"KEYFIRST_ADDR=:9", "KEYFIRST_LATENCY=1s"}, config.Engine{Addr: ":9", Path: ":memory:", Latency: time.Second},
		},
		"table create": {"table create", nil, config.CreateTable{Store: embedded()}},
		"table create elsewhere": {"table create --endpoint http://127.0.0.1:8000 --shards 8", nil, config.CreateTable{Store: config.Store{
			Kind: config.StoreEndpoint, Table: "keyfirst", Shards: 8, Endpoint: "http://127.0.0.1:8000",
		}}},
		"explain": {"explain a.graphql", nil, explaining(func(*config.Explain) {})},
		"explain with flags": {
			"explain -v v.json --operation Screen --format json --shards 4 --max-rounds 2 --max-write-units 0 a.graphql - b.graphql", nil,
			explaining(func(e *config.Explain) {
				e.Files = []string{"a.graphql", "-", "b.graphql"}
				e.Variables, e.Operation, e.Format, e.Shards = "v.json", "Screen", config.FormatJSON, 4
				e.Budget.Rounds, e.Budget.WriteUnits = 2, 0
			}),
		},
		"explain with the variables of a server": {
			"explain a.graphql",
			[]string{"KEYFIRST_ADDR=:80", "KEYFIRST_STORE=aws", "KEYFIRST_SHARDS=8", "KEYFIRST_MAX_READ_UNITS=9.5"},
			explaining(func(e *config.Explain) { e.Shards, e.Budget.ReadUnits = 8, 9.5 }),
		},
		"patterns":              {"patterns", nil, config.Patterns{Format: config.FormatText}},
		"patterns as Markdown":  {"patterns --format markdown", nil, config.Patterns{Format: config.FormatMarkdown}},
		"healthcheck":           {"healthcheck", nil, config.Healthcheck{URL: "http://127.0.0.1:8080/healthz"}},
		"healthcheck elsewhere": {"healthcheck --url http://x/healthz", nil, config.Healthcheck{URL: "http://x/healthz"}},
		"version":               {"version", nil, config.Version{}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := config.Parse(strings.Fields(c.line), environment(c.env...))
			require.NoError(t, err)
			require.Equal(t, c.want, got)
			require.NoError(t, got.Validate())
		})
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		line string
		env  []string
		want string
	}{
		"unknown command":        {"bogus", nil, "unexpected argument bogus"},
		"unknown flag":           {"--bogus", nil, "unknown flag --bogus"},
		"half a command":         {"table", nil, `expected "create"`},
		"another command's flag": {"engine --dev", nil, "unknown flag --dev"},
		"no number":              {"table create --shards x", nil, `--shards: expected a valid 64 bit int but got "x"`},
		"no duration":            {"--latency 5", nil, `--latency: expected duration but got "5"`},
		"no duration in the environment": {
			"", []string{"KEYFIRST_LATENCY=5"}, `KEYFIRST_LATENCY: expected duration but got "5"`,
		},
		"no boolean in the environment": {"", []string{"KEYFIRST_DEMO=maybe"}, "KEYFIRST_DEMO: bool value must be true"},

		"no address":         {"--addr 8080", nil, `the address "8080" is no host:port like 127.0.0.1:8080`},
		"no port":            {"--addr localhost:http", nil, `the address "localhost:http" is no host:port`},
		"no engine address":  {"engine --addr x", nil, `the address "x" is no host:port`},
		"no URL":             {"--endpoint 127.0.0.1:8000", nil, `the endpoint "127.0.0.1:8000" is no URL like http://127.0.0.1:8000`},
		"no health URL":      {"healthcheck --url x", nil, `the address "x" is no URL`},
		"no table's name":    {"--table a/b", nil, `the table's name "a/b"`},
		"no shards":          {"table create --shards 0", nil, "the number of shards is 0, not 1 to 64"},
		"many shards":        {"table create --shards 65", nil, "the number of shards is 65"},
		"negative latency":   {"--latency=-1s", nil, "the latency -1s is negative"},
		"negative budget":    {"--max-rounds=-1", nil, "0 is no limit"},
		"no number of units": {"--max-read-units=NaN", nil, "0 is no limit"},
		"no store":           {"--store gcp", nil, `there is no store "gcp": it is embedded or aws`},

		"nothing to explain":    {"explain", nil, `expected "<file> ..."`},
		"standard input twice":  {"explain - -", nil, "standard input is named twice"},
		"no format":             {"explain --format markdown a", nil, `there is no format "markdown": it is one of ["text" "json"]`},
		"no shards to explain":  {"explain --shards 0 a", nil, "the number of shards is 0, not 1 to 64"},
		"no budget to explain":  {"explain --max-requests=-1 a", nil, "0 is no limit"},
		"no format of patterns": {"patterns --format yaml", nil, `there is no format "yaml"`},

		"endpoint and data":    {"--endpoint http://x --data y", nil, "--data is for the embedded engine, but --endpoint puts the table elsewhere"},
		"endpoint and latency": {"--endpoint http://x --latency 1s", nil, "--latency is for the embedded engine, but --endpoint"},
		"endpoint and demo":    {"--endpoint http://x --demo", nil, "--demo is for the embedded engine, but --endpoint"},
		"aws and data":         {"--store aws --data y", nil, "--data is for the embedded engine, but --store"},
		"aws and demo":         {"--store aws --demo", nil, "--demo is for the embedded engine, but --store"},
		"data and an endpoint in the environment": {
			"--data y", []string{"KEYFIRST_ENDPOINT=http://x"}, "--data is for the embedded engine, but KEYFIRST_ENDPOINT puts the table elsewhere",
		},
		"demo and aws in the environment": {"--demo", []string{"KEYFIRST_STORE=aws"}, "--demo is for the embedded engine, but KEYFIRST_STORE"},
		"table create likewise":           {"table create --endpoint http://x --data y", nil, "--data is for the embedded engine"},
		"a region for nothing":            {"--region eu-west-1", nil, "--region is of no use to the embedded engine"},

		"two stores": {"--store aws --endpoint http://x", nil, "--store and --endpoint contradict each other"},
		"two stores in the environment": {
			"", []string{"KEYFIRST_STORE=embedded", "KEYFIRST_ENDPOINT=http://x"}, "KEYFIRST_STORE and KEYFIRST_ENDPOINT contradict each other",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := config.Parse(strings.Fields(c.line), environment(c.env...))
			require.ErrorContains(t, err, c.want)
			require.Nil(t, got)
		})
	}
}

// TestHelp holds the help to what a container's author greps it for: every flag with its variable.
func TestHelp(t *testing.T) {
	t.Parallel()
	store := []string{"store", "data", "endpoint", "region", "table", "latency"}
	for line, flags := range map[string][]string{
		"serve --help":        append([]string{"addr", "demo", "dev", "max-rounds", "max-requests", "max-read-units", "max-write-units"}, store...),
		"engine --help":       {"addr", "data", "latency"},
		"table create --help": append([]string{"shards"}, store...),
		"explain --help": {
			"variables", "operation", "format", "shards", "max-rounds", "max-requests", "max-read-units", "max-write-units",
		},
		"patterns --help":    {"format"},
		"healthcheck --help": {"url"},
		"--help":             nil,
		"-h":                 nil,
		"serve --addr x -h":  nil,
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			got, err := config.Parse(strings.Fields(line), environment("KEYFIRST_HELP=true"))
			require.NoError(t, err)
			require.IsType(t, config.Help{}, got)
			require.NoError(t, got.Validate())
			text := got.(config.Help).Text
			require.Contains(t, text, "Usage: keyfirst")
			for _, flag := range flags {
				require.Contains(t, text, "--"+flag)
				require.Contains(t, text, "$KEYFIRST_"+strings.ReplaceAll(strings.ToUpper(flag), "-", "_")+")")
			}
		})
	}
}

func TestParseReadsTheEnvironmentOfTheProcess(t *testing.T) {
	t.Setenv("KEYFIRST_TABLE", "shop")
	got, err := config.Parse([]string{"table", "create"}, nil)
	require.NoError(t, err)
	require.Equal(t, "shop", got.(config.CreateTable).Store.Table)
}
