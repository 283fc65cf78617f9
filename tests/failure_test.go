package tests

import (
	"fmt"
)

// failure is a require.TestingT for goroutines that are not the test's: testing.T may not be told to stop there. It is
// the error that its owner reports.
type failure struct{ text string }

// Error is what failed.
func (f *failure) Error() string { return f.text }

// Errorf keeps what failed.
func (f *failure) Errorf(format string, args ...any) { f.text += fmt.Sprintf(format, args...) }

// FailNow ends the goroutine's work. Who recovers finds the failure itself.
func (f *failure) FailNow() { panic(f) }
