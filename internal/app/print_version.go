package app

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
)

// printVersion prints what the build knows: the module's version or the commit it was built from.
func printVersion(out io.Writer) error {
	version, revision := "(devel)", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		version = cmp.Or(info.Main.Version, version)
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				revision = " " + s.Value
			}
		}
	}
	_, err := fmt.Fprintf(out, "keyfirst %s%s (%s)\n", version, revision, runtime.Version())
	return err
}
