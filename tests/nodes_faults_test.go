package tests

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/stretchr/testify/require"
)

// TestNodesFailAlone throttles one of the three batches behind 250 ids: its objects are null, each with an error of its
// own, and all others are there.
func TestNodesFailAlone(t *testing.T) {
	embeddedOnly(t, "retries take their time, which only a bubble of synctest makes short")
	t.Parallel()
	table := demoTable(t)
	ids := make([]string, 250)
	for i := range ids {
		ids[i] = fmt.Sprintf("order_%d", 1001+i)
	}
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, setup{table: table, hook: func(_ string, r *http.Request, next aws.HTTPClient) (*http.Response, error) {
			if strings.Contains(string(peek(r)), "ORDER#1001") {
				return reply(http.StatusBadRequest, faultBody("ProvisionedThroughputExceededException", "slow down")), nil
			}
			return next.Do(r)
		}})
		got := s.ask(t.Context(), t, `query ($ids: [ID!]!) { nodes(ids: $ids) { id } }`, map[string]any{"ids": ids})
		var data struct{ Nodes []*struct{ ID string } }
		require.NoError(t, json.Unmarshal(got.Data, &data))
		require.Len(t, got.Errors, 100)
		for i, node := range data.Nodes {
			if i < 100 {
				require.Nil(t, node)
				require.Equal(t, "THROTTLED", got.Errors[i].Extensions["code"])
				require.EqualValues(t, []any{"nodes", float64(i)}, got.Errors[i].Path)
				continue
			}
			require.Equal(t, ids[i], node.ID)
		}
	})
}
