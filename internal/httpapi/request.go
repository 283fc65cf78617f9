package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"
)

// The only thing that is said about a body that cannot be read: quoting it would put secrets into logs.
const (
	notJSON       = "The request body is not valid JSON."
	notAnObject   = "The request body must be one JSON object; batches are not supported."
	trailingBytes = "The request body has bytes behind the JSON object."
	noQuery       = "The request has no query."
)

// readParams turns a POST or GET request into the parameters of an operation.
func readParams(w http.ResponseWriter, r *http.Request, limit int64) (*graphql.RawParams, *refusal) {
	start := graphql.Now()
	params, refused := readByMethod(w, r, limit)
	if refused != nil {
		return nil, refused
	}
	if params.Query == "" && params.Extensions["persistedQuery"] == nil {
		return nil, badRequest(noQuery)
	}
	params.Headers = r.Header
	params.ReadTime = graphql.TraceTiming{Start: start, End: graphql.Now()}
	return params, nil
}

// readByMethod finds the parameters where the method puts them.
func readByMethod(w http.ResponseWriter, r *http.Request, limit int64) (*graphql.RawParams, *refusal) {
	if r.Method == http.MethodGet {
		return readQueryString(r.URL.RawQuery, limit)
	}
	if !acceptsJSONBody(r.Header) {
		return nil, refuse(http.StatusUnsupportedMediaType, "The request body must be application/json in UTF-8.")
	}
	body, refused := readBody(w, r, limit)
	if refused != nil {
		return nil, refused
	}
	return decodeParams(body)
}

// decodeParams reads the JSON object of a POST. It goes by exact names ("QUERY" is not "query"), refuses a name that
// comes twice, and what follows the object.
func decodeParams(body []byte) (*graphql.RawParams, *refusal) {
	if !utf8.Valid(body) {
		return nil, badRequest(notJSON)
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	first, err := dec.Token()
	if err != nil {
		return nil, badRequest(notJSON)
	}
	if first != json.Delim('{') {
		return nil, badRequest(notAnObject)
	}
	params := &graphql.RawParams{}
	if refused := decodeMembers(dec, params); refused != nil {
		return nil, refused
	}
	if _, err = dec.Token(); !errors.Is(err, io.EOF) {
		return nil, badRequest(trailingBytes)
	}
	return params, nil
}

// decodeMembers reads up to the closing brace.
func decodeMembers(dec *json.Decoder, params *graphql.RawParams) *refusal {
	seen := make(map[string]bool, 4)
	for dec.More() {
		token, err := dec.Token()
		name, ok := token.(string)
		if err != nil || !ok {
			return badRequest(notJSON)
		}
		if seen[name] {
			return badRequest("The request body has a parameter twice.")
		}
		seen[name] = true
		if refused := decodeMember(dec, name, params); refused != nil {
			return refused
		}
	}
	if _, err := dec.Token(); err != nil {
		return badRequest(notJSON)
	}
	return nil
}

// decodeMember reads one value. Null is the same as absent; an unknown parameter is ignored, as the specification
// of GraphQL over HTTP demands.
func decodeMember(dec *json.Decoder, name string, params *graphql.RawParams) *refusal {
	var err error
	switch name {
	case "query":
		err = dec.Decode(&params.Query)
	case "operationName":
		err = dec.Decode(&params.OperationName)
	case "variables":
		err = dec.Decode(&params.Variables)
	case "extensions":
		err = dec.Decode(&params.Extensions)
	default:
		var ignored json.RawMessage
		err = dec.Decode(&ignored)
	}
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return badRequest(`The parameter "` + name + `" has the wrong JSON type.`)
	}
	if err != nil {
		return badRequest(notJSON)
	}
	return nil
}

// readQueryString reads the parameters of a GET.
func readQueryString(raw string, limit int64) (*graphql.RawParams, *refusal) {
	if int64(len(raw)) > limit {
		return nil, refuse(http.StatusRequestURITooLong, "The query string is too long.")
	}
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, badRequest("The query string is not valid.")
	}
	params := &graphql.RawParams{Query: values.Get("query"), OperationName: values.Get("operationName")}
	for name, into := range map[string]*map[string]any{"variables": &params.Variables, "extensions": &params.Extensions} {
		if text := values.Get(name); text != "" && !decodeObject(text, into) {
			return nil, badRequest(`The parameter "` + name + `" is not a JSON object.`)
		}
	}
	return params, nil
}

// decodeObject reads a text that is one JSON object or null and nothing else.
func decodeObject(text string, into *map[string]any) bool {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	if !utf8.ValidString(text) || dec.Decode(into) != nil {
		return false
	}
	_, err := dec.Token()
	return errors.Is(err, io.EOF)
}
