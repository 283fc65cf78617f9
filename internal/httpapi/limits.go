package httpapi

import (
	"io"
	"net/http"
)

// drainBytes is how much of an oversized body is read and thrown away, so that a client that sends all of it before
// it reads gets to see the answer. What is longer meets a closed connection.
const drainBytes = 8 << 20

// readBody reads a body of at most limit bytes. Nothing is parsed before its size is known to be within the limit.
func readBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, *refusal) {
	if r.ContentLength > limit && r.Header.Get("Expect") != "" {
		return nil, tooLarge(w) // the client waits for leave to send: do not give it
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, limit+1))
	if err != nil {
		return nil, badRequest("The request body could not be read.")
	}
	if int64(len(body)) <= limit {
		return body, nil
	}
	if n, err := io.CopyN(io.Discard, r.Body, drainBytes); err == nil && n == drainBytes {
		return nil, tooLarge(w)
	}
	return nil, refuse(http.StatusRequestEntityTooLarge, "The request body is too large.")
}

// tooLarge refuses a body and gives up the connection with the rest of it.
func tooLarge(w http.ResponseWriter) *refusal {
	w.Header().Set("Connection", "close")
	return refuse(http.StatusRequestEntityTooLarge, "The request body is too large.")
}
