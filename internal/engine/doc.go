// Package engine is a DynamoDB that lives in the process: the JSON 1.0 protocol of the service on one side, an embedded
// ordered transactional store on the other. It serves any client of the AWS SDK, over a socket (ServeHTTP) or without
// one (Do).
//
// It implements the documented rules of the service, limits, errors, capacity and order included, and must not know who
// uses it: neither the keys of an application nor GraphQL. What it leaves out it refuses, in the service's own words:
// PartiQL, streams, backups, tags, global tables and the legacy parameters that expressions replaced.
//
// Tests make it misbehave as the service does under load: Fault says which requests and how, Engine.Inject and
// Engine.Clear begin and end it. Server serves an engine over HTTP, faults included if it is told to.
//
// The parts: attr and decimal hold items and numbers, expr the expressions, order the encoding of keys, storage the
// store. This package ties them together: transport and dispatch, the catalog of tables, reads, writes, indexes,
// transactions, capacity.
package engine
