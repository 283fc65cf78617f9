package protocol

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Doer carries out HTTP requests: an HTTP client, or an engine in the process.
type Doer interface {
	Do(r *http.Request) (*http.Response, error)
}

// Client sends requests to one endpoint.
type Client struct {
	over     Doer
	endpoint string
}

// NewClient makes a client. An engine in the process takes any endpoint.
func NewClient(over Doer, endpoint string) *Client {
	return &Client{over, strings.TrimSuffix(endpoint, "/")}
}

// Reply is a response that was read to its end.
type Reply struct {
	Status int
	Header http.Header
	Body   []byte
}

// Send sends the JSON of one request. An operation's refusal is a reply; an error is one of the transport.
func (c *Client) Send(ctx context.Context, operation string, body []byte) (Reply, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint+"/", bytes.NewReader(body))
	if err != nil {
		return Reply{}, fmt.Errorf("protocol: %w", err)
	}
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Date", "20260101T000000Z")
	// Engines on a developer's machine read the access key and the region, and check no signature.
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0")
	response, err := c.over.Do(r)
	if err != nil {
		return Reply{}, fmt.Errorf("protocol: %s: %w", operation, err)
	}
	defer response.Body.Close() //nolint:errcheck // it is read to its end
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return Reply{}, fmt.Errorf("protocol: %s: %w", operation, err)
	}
	return Reply{response.StatusCode, response.Header, content}, nil
}

// Refusal returns the code and the message of a reply that is an error, and empty strings for any other.
func (r Reply) Refusal() (code, message string) {
	if r.Status == http.StatusOK {
		return "", ""
	}
	var body struct {
		Type    string `json:"__type"`
		Message string `json:"message"` // some errors spell it with a capital, and JSON names are matched in either case
	}
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return fmt.Sprintf("HTTP %d", r.Status), string(r.Body)
	}
	_, code, found := strings.Cut(body.Type, "#")
	if !found {
		code = body.Type
	}
	return code, body.Message
}
