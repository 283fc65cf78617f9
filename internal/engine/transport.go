package engine

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"hash/crc32"
	"io"
	"net/http"
	"strconv"
	"strings"
)

const (
	targetHeader = "X-Amz-Target"
	targetPrefix = "DynamoDB_20120810."
	contentType  = "application/x-amz-json-1.0"
	// maxBody is the largest request, in bytes.
	maxBody = 16 << 20
)

// answer is a response before it becomes one of HTTP.
type answer struct {
	status int
	body   []byte
	cut    bool // only half of it arrives
}

// errLost is a request that nobody answers.
var errLost = errors.New("engine: the connection was closed before the reply")

// header gives the names and values of the header one by one.
func (a answer) header(set func(name, value string)) {
	set("Content-Type", contentType)
	set("Content-Length", strconv.Itoa(len(a.body)))
	set("X-Amz-Crc32", strconv.FormatUint(uint64(crc32.ChecksumIEEE(a.body)), 10))
	set("X-Amzn-Requestid", rand.Text())
}

// ServeHTTP answers one request of the DynamoDB JSON protocol, version 1.0.
func (e *Engine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a, err := e.answer(r)
	if errors.Is(err, errLost) {
		panic(http.ErrAbortHandler) // is how net/http is told to close the connection
	}
	if err != nil {
		return // the client has gone
	}
	a.header(w.Header().Set)
	w.WriteHeader(a.status)
	if a.cut {
		_, _ = w.Write(a.body[:len(a.body)/2])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	_, _ = w.Write(a.body) // a client that has gone needs no answer
}

// Do answers one request without a socket, as the HTTP client of an AWS SDK (aws.HTTPClient). It works on the
// caller's goroutine and returns the error of the request's context when that ends first. A fault may make it return an
// error, or a body that ends in one.
func (e *Engine) Do(r *http.Request) (*http.Response, error) {
	a, err := e.answer(r)
	if err != nil {
		return nil, err
	}
	response := &http.Response{
		Status:        strconv.Itoa(a.status) + " " + http.StatusText(a.status),
		StatusCode:    a.status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        http.Header{},
		Body:          io.NopCloser(bytes.NewReader(a.body)),
		ContentLength: int64(len(a.body)),
		Request:       r,
	}
	if a.cut {
		half := bytes.NewReader(a.body[:len(a.body)/2])
		response.Body = io.NopCloser(io.MultiReader(half, cutOff{}))
	}
	a.header(response.Header.Set)
	return response, nil
}

// cutOff is the end of a body that was cut.
type cutOff struct{}

// Read fails.
func (cutOff) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// answer returns an error only when the context of the request has ended, or errLost.
func (e *Engine) answer(r *http.Request) (answer, error) {
	body, err := readBody(r, nil)
	if err != nil {
		return answerOf(r.Context(), nil, err)
	}
	return e.answerBody(r.Context(), operationOf(r), body)
}

// answerBody answers a request that was read. It keeps nothing of the body.
func (e *Engine) answerBody(ctx context.Context, operation string, body []byte) (answer, error) {
	if err := delay(ctx, e.config.Latency); err != nil {
		return answer{}, err
	}
	if s := e.strike(operation, body); s != nil {
		return e.answerStruck(ctx, s, operation, body)
	}
	reply, err := e.perform(operation, body)
	return answerOf(ctx, reply, err)
}

func answerOf(ctx context.Context, reply []byte, err error) (answer, error) {
	if err == nil {
		return answer{status: http.StatusOK, body: reply}, nil
	}
	if ended := ctx.Err(); ended != nil && errors.Is(err, ended) {
		return answer{}, ended
	}
	return errorAnswer(err), nil
}

// operationOf is the name of the operation, empty for a request of another protocol.
func operationOf(r *http.Request) string {
	name, found := strings.CutPrefix(r.Header.Get(targetHeader), targetPrefix)
	if r.Method != http.MethodPost || !found {
		return ""
	}
	return name
}

func (e *Engine) perform(name string, body []byte) ([]byte, error) {
	run := operationNamed(name)
	if run == nil {
		return nil, &serviceError{code: "UnknownOperationException", message: "An unknown operation was requested."}
	}
	if err := e.sweep(); err != nil {
		return nil, err
	}
	return run(e, body)
}

// readBody reads into the buffer, or into a larger one.
func readBody(r *http.Request, buffer []byte) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	defer r.Body.Close() //nolint:errcheck // a body that was read has nothing left to fail
	body := bytes.NewBuffer(buffer[:0])
	body.Grow(int(max(min(r.ContentLength, maxBody), 0)) + bytes.MinRead)
	if _, err := body.ReadFrom(io.LimitReader(r.Body, maxBody+1)); err != nil {
		if ended := r.Context().Err(); ended != nil {
			return nil, ended
		}
		return nil, serialization("the request body cannot be read")
	}
	if body.Len() > maxBody {
		return nil, &serviceError{code: "RequestEntityTooLargeException", message: "Request size exceeds the maximum of 16 MB", status: http.StatusRequestEntityTooLarge}
	}
	return body.Bytes(), nil
}
