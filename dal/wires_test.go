package dal_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// slowWire takes a millisecond for each request.
type slowWire struct {
	engine     aws.HTTPClient
	begin, end func()

	mu sync.Mutex
}

func (w *slowWire) Do(r *http.Request) (*http.Response, error) {
	w.call(w.begin)
	defer w.call(w.end)
	timer := time.NewTimer(time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
		return w.engine.Do(r)
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

func (w *slowWire) call(f func()) {
	if f != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		f()
	}
}

// cuttingWire answers a Query with two items at most, as one whose reply would have become too large.
type cuttingWire struct{ engine aws.HTTPClient }

func (w *cuttingWire) Do(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	var in map[string]any
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, err
	}
	if limit, ok := in["Limit"].(float64); ok && limit > 2 {
		in["Limit"] = 2
	}
	if body, err = json.Marshal(in); err != nil {
		return nil, err
	}
	r = r.Clone(r.Context())
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return w.engine.Do(r)
}

// attribute is a value as JSON has it.
func attribute(t *testing.T, v types.AttributeValue) map[string]string {
	t.Helper()
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return map[string]string{"S": v.Value}
	case *types.AttributeValueMemberN:
		return map[string]string{"N": v.Value}
	}
	require.Failf(t, "no attribute of this table", "%T", v)
	return nil
}
