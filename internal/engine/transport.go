package engine

import (
	"bytes"
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
}

func (a answer) writeHeader(h http.Header) {
	h.Set("Content-Type", contentType)
	h.Set("Content-Length", strconv.Itoa(len(a.body)))
	h.Set("X-Amz-Crc32", strconv.FormatUint(uint64(crc32.ChecksumIEEE(a.body)), 10))
	h.Set("X-Amzn-Requestid", rand.Text())
}

// ServeHTTP answers one request of the DynamoDB JSON protocol, version 1.0.
func (e *Engine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a, err := e.answer(r)
	if err != nil {
		return // the client has gone
	}
	a.writeHeader(w.Header())
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body) // a client that has gone needs no answer
}

// Do answers one request without a socket, as the HTTP client of an AWS SDK (aws.HTTPClient). It works on the
// caller's goroutine and returns the error of the request's context when that ends first.
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
	a.writeHeader(response.Header)
	return response, nil
}

// answer returns an error only when the context of the request has ended.
func (e *Engine) answer(r *http.Request) (answer, error) {
	body, err := readBody(r)
	if err == nil {
		if err := e.delay(r.Context()); err != nil {
			return answer{}, err
		}
		var reply []byte
		if reply, err = e.perform(r, body); err == nil {
			return answer{http.StatusOK, reply}, nil
		}
	}
	if ended := r.Context().Err(); ended != nil && errors.Is(err, ended) {
		return answer{}, ended
	}
	return errorAnswer(err), nil
}

func (e *Engine) perform(r *http.Request, body []byte) ([]byte, error) {
	name, found := strings.CutPrefix(r.Header.Get(targetHeader), targetPrefix)
	run := operationNamed(name)
	if r.Method != http.MethodPost || !found || run == nil {
		return nil, &serviceError{code: "UnknownOperationException", message: "An unknown operation was requested."}
	}
	if err := e.sweep(); err != nil {
		return nil, err
	}
	return run(e, body)
}

func readBody(r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	defer r.Body.Close() //nolint:errcheck // a body that was read has nothing left to fail
	body := bytes.NewBuffer(make([]byte, 0, max(min(r.ContentLength, maxBody), 0)+bytes.MinRead))
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
