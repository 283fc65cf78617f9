package httpapi

// The values of extensions.code: the whole list, and part of the public contract.
const (
	codeParseFailed      = "GRAPHQL_PARSE_FAILED"
	codeValidationFailed = "GRAPHQL_VALIDATION_FAILED"
	codeBadUserInput     = "BAD_USER_INPUT"
	codeUnauthenticated  = "UNAUTHENTICATED"
	codeForbidden        = "FORBIDDEN"
	codeBudgetExceeded   = "BUDGET_EXCEEDED"
	codeThrottled        = "THROTTLED"
	codeTimeout          = "TIMEOUT"
	codeUnavailable      = "UNAVAILABLE"
	codeConflict         = "CONFLICT"
	codeInternal         = "INTERNAL_SERVER_ERROR"
	codeNotPersisted     = "PERSISTED_QUERY_NOT_FOUND"
)
