package config_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/internal/config"
)

func TestStoreWithDefaults(t *testing.T) {
	t.Parallel()
	require.Equal(t,
		config.Store{Kind: config.StoreEmbedded, Table: "keyfirst", Shards: 1, Path: ":memory:"},
		config.Store{}.WithDefaults())
	require.Equal(t,
		config.Store{Kind: config.StoreAWS, Table: "shop", Shards: 4},
		config.Store{Kind: config.StoreAWS, Table: "shop", Shards: 4}.WithDefaults())
	require.True(t, config.Store{}.Embedded())
	require.False(t, config.Store{Kind: config.StoreEndpoint}.Embedded())
}

func TestValidate(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		command config.Command
		want    string // empty: it is valid
	}{
		"the zero value of serve":      {config.Serve{}, ""},
		"an embedded endpoint":         {config.CreateTable{Store: config.Store{Endpoint: "http://x"}}, "an embedded engine has no endpoint"},
		"an endpoint without one":      {config.CreateTable{Store: config.Store{Kind: config.StoreEndpoint}}, `the endpoint "" is no URL`},
		"an endpoint with a path":      {config.CreateTable{Store: config.Store{Kind: config.StoreEndpoint, Endpoint: "http://x", Path: "y"}}, "a path and a latency belong to an embedded engine"},
		"aws with a latency":           {config.CreateTable{Store: config.Store{Kind: config.StoreAWS, Latency: time.Second}}, "a path and a latency belong"},
		"aws with an endpoint":         {config.CreateTable{Store: config.Store{Kind: config.StoreAWS, Endpoint: "http://x"}}, "the endpoint of AWS follows from the region"},
		"a demo elsewhere":             {config.Serve{Demo: true, Store: config.Store{Kind: config.StoreAWS}}, "the demo only ever fills an embedded table"},
		"an engine without an address": {config.Engine{}, `the address "" is no host:port`},
		"several faults": {
			config.Serve{Addr: "x", Store: config.Store{Table: "x"}},
			"the address \"x\" is no host:port like 127.0.0.1:8080\nthe table's name \"x\" is not made of 3 to 255 letters, digits, dots, dashes and underscores",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := c.command.Validate()
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.want)
		})
	}
}
