package httpapi

import "net/http"

// refusal is an HTTP request that never became a GraphQL operation.
type refusal struct {
	status  int
	message string
	allow   string // the Allow header of a 405
}

// refuse makes a refusal; the message is fixed text, never a part of the request.
func refuse(status int, message string) *refusal { return &refusal{status: status, message: message} }

// badRequest refuses what is not a GraphQL request.
func badRequest(message string) *refusal { return refuse(http.StatusBadRequest, message) }

// notAllowed refuses a method and names the ones that work.
func notAllowed(allow, message string) *refusal {
	return &refusal{status: http.StatusMethodNotAllowed, message: message, allow: allow}
}
