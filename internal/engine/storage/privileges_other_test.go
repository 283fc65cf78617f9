//go:build !linux

package storage_test

import "testing"

// withoutPrivileges runs f: only on Linux are tests run as root.
func withoutPrivileges(_ *testing.T, f func()) { f() }
