// Package crash kills `keyfirst engine` while clients write to its file, opens the file again, and looks for every write
// that was acknowledged and for half of a transaction. `go test` kills it a few times, `make crash` a thousand.
//
// It must not know how the engine keeps its data: it is a client of the program's command.
package crash
