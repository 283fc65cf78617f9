package tests

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// wire is the HTTP client between the program and the engine: it notes every request that goes out, makes it slow on
// demand, and lets a test break it.
type wire struct {
	next    aws.HTTPClient
	latency time.Duration

	mu   sync.Mutex
	sent []request
	hook hook
}

// request is one request as the engine got it.
type request struct {
	operation  string
	keys       int // of a BatchGetItem
	start, end time.Time
}

// hook stands in for the engine: it answers a request, or passes it on.
type hook func(operation string, r *http.Request, next aws.HTTPClient) (*http.Response, error)

// Do sends one request.
func (w *wire) Do(r *http.Request) (*http.Response, error) {
	noted := request{operation: operationOf(r), start: time.Now()}
	if noted.operation == "BatchGetItem" {
		noted.keys = countKeys(peek(r))
	}
	response, err := w.answer(noted.operation, r)
	noted.end = time.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sent = append(w.sent, noted)
	return response, err
}

func (w *wire) answer(operation string, r *http.Request) (*http.Response, error) {
	if w.latency > 0 {
		timer := time.NewTimer(w.latency)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	}
	w.mu.Lock()
	broken := w.hook
	w.mu.Unlock()
	if broken != nil {
		return broken(operation, r, w.next)
	}
	return w.next.Do(r)
}

// breakWith puts a hook in; nil takes it out.
func (w *wire) breakWith(h hook) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hook = h
}

// take gives the requests noted so far, and forgets them.
func (w *wire) take() []request {
	w.mu.Lock()
	defer w.mu.Unlock()
	sent := w.sent
	w.sent = nil
	return sent
}

// operationOf is the DynamoDB operation of a request.
func operationOf(r *http.Request) string {
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	return operation
}

// peek reads a request's body and puts it back.
func peek(r *http.Request) []byte {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil
	}
	_ = r.Body.Close()
	r.Body = io.NopCloser(bytes.NewReader(body))
	return body
}

// batchRequest is the body of a BatchGetItem.
type batchRequest struct {
	RequestItems map[string]struct{ Keys []json.RawMessage }
}

func countKeys(body []byte) (n int) {
	var batch batchRequest
	if json.Unmarshal(body, &batch) != nil {
		return -1
	}
	for _, table := range batch.RequestItems {
		n += len(table.Keys)
	}
	return n
}

// longestChain is the largest number of requests of which each began after the one before had ended: what the rounds
// of an operation are, seen from outside.
func longestChain(sent []request) int {
	slices.SortFunc(sent, func(a, b request) int { return a.start.Compare(b.start) })
	longest := 0
	depth := make([]int, len(sent))
	for i, r := range sent {
		depth[i] = 1
		for j, before := range sent[:i] {
			if !before.end.After(r.start) {
				depth[i] = max(depth[i], depth[j]+1)
			}
		}
		longest = max(longest, depth[i])
	}
	return longest
}

// reply is an answer of DynamoDB's, made by hand.
func reply(status int, body string) *http.Response {
	return &http.Response{
		Status: http.StatusText(status), StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
		Body:          io.NopCloser(strings.NewReader(body)),
		ContentLength: int64(len(body)),
	}
}

// faultBody is a DynamoDB error as it stands on the wire.
func faultBody(code, message string) string {
	body, err := json.Marshal(map[string]string{
		"__type": "com.amazonaws.dynamodb.v20120810#" + code, "message": message,
	})
	if err != nil {
		panic(err)
	}
	return string(body)
}
