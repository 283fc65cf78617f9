package httpapi

import "net/http"

// statusOf is the status of an operation that was refused before it ran, so that its answer has no data entry. A
// client that asked for plain JSON is of the older kind that takes anything but 200 for a broken connection: it gets
// 200 for what is wrong with its document, and the true status for the rest.
func statusOf(media, code string) int {
	status := refusalStatus(code)
	if media == mediaJSON && isDocumentFault(status) {
		return http.StatusOK
	}
	return status
}

// refusalStatus is the status that says most about a code.
func refusalStatus(code string) int {
	switch code {
	case codeParseFailed, codeValidationFailed, codeBadUserInput, codeBudgetExceeded:
		return http.StatusBadRequest
	case codeUnauthenticated:
		return http.StatusUnauthorized
	case codeForbidden:
		return http.StatusForbidden
	case codeNotPersisted:
		return http.StatusNotFound // 400 makes Apollo Client give up persisted queries for good
	case codeConflict:
		return http.StatusConflict
	case codeThrottled, codeUnavailable:
		return http.StatusServiceUnavailable
	case codeTimeout:
		return http.StatusGatewayTimeout
	default:
		return http.StatusInternalServerError
	}
}

// isDocumentFault tells what the GraphQL document or its variables brought about.
func isDocumentFault(status int) bool {
	return status == http.StatusBadRequest || status == http.StatusNotFound || status == http.StatusConflict
}
