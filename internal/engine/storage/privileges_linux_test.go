package storage_test

import (
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// withoutPrivileges runs f as an owner of files whom their modes bind: they do not bind root, as which containers and CI
// run tests. Only the calling thread gives the privilege up, and takes it back.
func withoutPrivileges(t *testing.T, f func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		f()
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	header := &unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var before [2]unix.CapUserData // two words of 32 capabilities each
	require.NoError(t, unix.Capget(header, &before[0]))
	bound := before
	bound[0].Effective &^= 1<<unix.CAP_DAC_OVERRIDE | 1<<unix.CAP_DAC_READ_SEARCH
	require.NoError(t, unix.Capset(header, &bound[0]))
	defer func() { require.NoError(t, unix.Capset(header, &before[0])) }()
	f()
}
