// Package httpapi is the HTTP face of Keyfirst: it routes, limits what comes in, turns a request into a GraphQL
// operation, runs it with gqlgen's executor, and turns every failure into a GraphQL error that a client may see.
//
// A request passes these stations, each in a file of its own: routes.go (path and method), request_id.go,
// request.go with limits.go and media_type.go (body and parameters), persisted.go and merge_guard.go (before the
// document is validated), validation.go with introspection.go (its rules), strict_variables.go (before it runs),
// transport.go (the operation), presenter.go with table_errors.go, coercion.go and redact.go (its errors), response.go
// with status.go (the answer), operation_log.go.
//
// It follows the GraphQL-over-HTTP specification as the audit suite of the graphql-http project reads it, in place
// of gqlgen's own transports, which echo a malformed body and answer with statuses and media types that differ.
//
// It must not know what a field means or how it is read: no resolver, loader, plan, key or DynamoDB type. Of the
// data access layer it knows the error type and nothing else; errors of the packages above it come as [coded].
package httpapi
