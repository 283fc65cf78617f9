// Package compose tests docker-compose.yml and the Dockerfile without a Docker engine. It is a module of its own, so
// that the Compose library stays out of what Keyfirst depends on.
//
// It must not know Keyfirst's code: it asks the program for its flags, as a container would use them.
package compose
