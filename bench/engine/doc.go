// Command engine measures `keyfirst engine` beside DynamoDB Local and dynoxide, in one run on one machine: processor
// time per operation, durable writes per second, startup and memory. `make bench` runs it; RESULTS.md is what it wrote
// when somebody last looked. It is a module of its own, of the standard library alone.
//
// It must not know Keyfirst's code: every engine is a process that it starts and talks to over a socket.
package main
