// Package config reads the command line and the environment, and is the only package that does. [Parse] turns them
// into one of the commands, which are plain values: [Serve], [Engine], [CreateTable], [Explain], [Patterns],
// [Healthcheck], [Version].
//
// Every flag has a variable: KEYFIRST_ and the flag's name in upper case, so KEYFIRST_ADDR is --addr. A flag outranks
// its variable, and an empty variable is as good as none. The environment may hold settings that the command has no
// use for; a flag that would be ignored is refused instead. docs/adr/0002-command-line.md says why.
//
// It must not know what a setting does: nothing here opens, listens or connects, and no package of ours is imported.
package config
