package httpapi

import (
	"bytes"
	"encoding/json"
	"net/http"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// writeResponse sends the result of an operation. It writes the data as it is: encoding/json would check and copy
// every byte of it once more. An operation that never ran has no data entry, not a null one.
func writeResponse(w http.ResponseWriter, media string, status int, resp *graphql.Response) error {
	var body bytes.Buffer
	body.Grow(len(resp.Data) + 64)
	body.WriteByte('{')
	if len(resp.Errors) > 0 {
		if err := writeMember(&body, "errors", resp.Errors); err != nil {
			return err
		}
	}
	if resp.Data != nil {
		startMember(&body, "data")
		body.Write(resp.Data)
	}
	if len(resp.Extensions) > 0 {
		if err := writeMember(&body, "extensions", resp.Extensions); err != nil {
			return err
		}
	}
	body.WriteByte('}')
	send(w, media, status, body.Bytes())
	return nil
}

// startMember writes a member's name and what separates it from the one in front.
func startMember(body *bytes.Buffer, name string) {
	if body.Len() > 1 {
		body.WriteByte(',')
	}
	body.WriteString(`"` + name + `":`)
}

// writeMember writes a member whose value is not JSON yet.
func writeMember(body *bytes.Buffer, name string, value any) error {
	encoded, err := json.Marshal(value)
	if err != nil {
		return err
	}
	startMember(body, name)
	body.Write(encoded)
	return nil
}

// writeErrors sends an answer without data.
func writeErrors(w http.ResponseWriter, media string, status int, errs ...*gqlerror.Error) {
	body, err := json.Marshal(struct {
		Errors gqlerror.List `json:"errors"`
	}{errs})
	if err != nil { // cannot be: these errors hold texts and booleans
		status, body = http.StatusInternalServerError, []byte(`{"errors":[{"message":"`+messageInternal+
			`","extensions":{"code":"`+codeInternal+`"}}]}`)
	}
	send(w, media, status, body)
}

// send writes header and body.
func send(w http.ResponseWriter, media string, status int, body []byte) {
	w.Header().Set("Content-Type", media+"; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
