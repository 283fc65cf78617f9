package storage_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"example.com/keyfirst/internal/engine/storage"
)

const space = "space"

// onBothStores runs a test on a store in memory and on one in a file.
func onBothStores(t *testing.T, test func(t require.TestingT, s storage.Store)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) { test(t, storage.NewMemory()) })
	t.Run("file", func(t *testing.T) {
		s := openFile(t, filepath.Join(t.TempDir(), "store.db"))
		t.Cleanup(func() { require.NoError(t, s.Close()) })
		test(t, s)
	})
}

func openFile(t *testing.T, path string) *storage.Bolt {
	t.Helper()
	s, err := storage.OpenBolt(path)
	require.NoError(t, err)
	return s
}

func put(t require.TestingT, s storage.Store, keysAndValues ...string) {
	require.NoError(t, s.Update(func(_ storage.Reader, b *storage.Batch) error {
		for i := 0; i < len(keysAndValues); i += 2 {
			b.Put(space, []byte(keysAndValues[i]), []byte(keysAndValues[i+1]))
		}
		return nil
	}))
}

func get(t require.TestingT, s storage.Store, key string) string {
	var value string
	require.NoError(t, s.View(func(r storage.Reader) error {
		value = string(r.Get(space, []byte(key)))
		return nil
	}))
	return value
}

func keys(t require.TestingT, s storage.Store, from, to []byte, reverse bool) []string {
	found := []string{}
	require.NoError(t, s.View(func(r storage.Reader) error {
		for k := range r.Range(space, from, to, reverse) {
			found = append(found, string(k))
		}
		return nil
	}))
	return found
}

func TestPutGetDelete(t *testing.T) {
	onBothStores(t, func(t require.TestingT, s storage.Store) {
		require.Empty(t, get(t, s, "a"))
		put(t, s, "a", "1", "b", "2")
		require.Equal(t, "1", get(t, s, "a"))
		require.NoError(t, s.Update(func(_ storage.Reader, b *storage.Batch) error {
			b.Delete(space, []byte("a"))
			b.Delete(space, []byte("not there"))
			b.Delete("no space", []byte("a"))
			b.Drop("no space")
			return nil
		}))
		require.Equal(t, []string{"b"}, keys(t, s, nil, nil, false))
		require.NoError(t, s.Update(func(_ storage.Reader, b *storage.Batch) error { b.Drop(space); return nil }))
		require.Empty(t, keys(t, s, nil, nil, false))
		put(t, s, "c", "3")
		require.Equal(t, []string{"c"}, keys(t, s, nil, nil, true))
	})
}

func TestRange(t *testing.T) {
	onBothStores(t, func(t require.TestingT, s storage.Store) {
		require.Empty(t, keys(t, s, nil, nil, false))
		require.Empty(t, keys(t, s, nil, nil, true))
		put(t, s, "a", "1", "b", "2", "c", "3", "d", "4")
		for _, c := range []struct {
			from, to string
			want     []string
		}{
			{"b", "d", []string{"b", "c"}}, {"b", "cc", []string{"b", "c"}}, {"aa", "z", []string{"b", "c", "d"}}, {"e", "z", []string{}}, {"0", "a", []string{}}, {"c", "c", []string{}},
		} {
			require.Equal(t, c.want, keys(t, s, []byte(c.from), []byte(c.to), false), c)
			back := keys(t, s, []byte(c.from), []byte(c.to), true)
			for i, k := range back {
				require.Equal(t, c.want[len(c.want)-1-i], k)
			}
			require.Len(t, back, len(c.want))
		}
		require.Equal(t, []string{"d", "c", "b", "a"}, keys(t, s, nil, nil, true))
		require.NoError(t, s.View(func(r storage.Reader) error {
			for k, v := range r.Range(space, nil, nil, false) {
				require.Equal(t, "a", string(k))
				require.Equal(t, "1", string(v))
				break
			}
			return nil
		}))
	})
}

func TestStoresAgreeWithEachOther(t *testing.T) {
	file := openFile(t, filepath.Join(t.TempDir(), "store.db"))
	t.Cleanup(func() { require.NoError(t, file.Close()) })
	rapid.Check(t, func(t *rapid.T) {
		memory := storage.NewMemory()
		require.NoError(t, file.Update(func(_ storage.Reader, b *storage.Batch) error { b.Drop(space); return nil }))
		key := rapid.StringMatching("[a-c]{1,3}")
		for range rapid.IntRange(1, 8).Draw(t, "updates") {
			puts := rapid.SliceOfN(key, 0, 5).Draw(t, "puts")
			deletes := rapid.SliceOfN(key, 0, 3).Draw(t, "deletes")
			for _, s := range []storage.Store{memory, file} {
				require.NoError(t, s.Update(func(_ storage.Reader, b *storage.Batch) error {
					for _, k := range puts {
						b.Put(space, []byte(k), []byte("v"+k))
					}
					for _, k := range deletes {
						b.Delete(space, []byte(k))
					}
					return nil
				}))
			}
			from, to := []byte(key.Draw(t, "from")), []byte(key.Draw(t, "to"))
			for _, reverse := range []bool{false, true} {
				require.Equal(t, keys(t, memory, from, to, reverse), keys(t, file, from, to, reverse))
			}
		}
	})
}

func TestFailedUpdateChangesNothing(t *testing.T) {
	onBothStores(t, func(t require.TestingT, s storage.Store) {
		refused := errors.New("refused")
		err := s.Update(func(_ storage.Reader, b *storage.Batch) error {
			b.Put(space, []byte("a"), []byte("1"))
			return refused
		})
		require.ErrorIs(t, err, refused)
		require.Empty(t, get(t, s, "a"))
	})
}

func TestSnapshotStaysAsItWas(t *testing.T) {
	onBothStores(t, func(t require.TestingT, s storage.Store) {
		put(t, s, "a", "1")
		require.NoError(t, s.View(func(r storage.Reader) error {
			done := make(chan error)
			go func() {
				done <- s.Update(func(_ storage.Reader, b *storage.Batch) error {
					b.Put(space, []byte("a"), []byte("2"))
					b.Put(space, []byte("b"), []byte("2"))
					return nil
				})
			}()
			require.NoError(t, <-done)
			require.Equal(t, "1", string(r.Get(space, []byte("a"))))
			require.Nil(t, r.Get(space, []byte("b")))
			return nil
		}))
		require.Equal(t, "2", get(t, s, "a"))
	})
}

// Every writer adds one to a counter that all share; a third of them fail.
func TestConcurrentUpdatesAreSerialAndIndependent(t *testing.T) {
	onBothStores(t, func(t require.TestingT, s storage.Store) {
		refused := errors.New("refused")
		var wg sync.WaitGroup
		for i := range 300 {
			wg.Go(func() {
				err := s.Update(func(r storage.Reader, b *storage.Batch) error {
					n, _ := strconv.Atoi(string(r.Get(space, []byte("counter"))))
					b.Put(space, []byte("counter"), []byte(strconv.Itoa(n+1)))
					if i%3 == 0 {
						return refused
					}
					return nil
				})
				if i%3 == 0 {
					require.ErrorIs(t, err, refused)
				} else {
					require.NoError(t, err)
				}
			})
		}
		wg.Wait()
		require.Equal(t, "200", get(t, s, "counter"))
	})
}

func TestPanicOfOneUpdateIsItsOwn(t *testing.T) {
	s := openFile(t, filepath.Join(t.TempDir(), "store.db"))
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	err := s.Update(func(storage.Reader, *storage.Batch) error { panic("boom") })
	require.ErrorContains(t, err, "boom")
	put(t, s, "a", "1")
	require.Equal(t, "1", get(t, s, "a"))
}

func TestClosed(t *testing.T) {
	for name, s := range map[string]storage.Store{"memory": storage.NewMemory(), "file": openFile(t, filepath.Join(t.TempDir(), "store.db"))} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, s.Close())
			require.NoError(t, s.Close())
			require.ErrorIs(t, s.View(func(storage.Reader) error { return nil }), storage.ErrClosed)
			require.ErrorIs(t, s.Update(func(storage.Reader, *storage.Batch) error { return nil }), storage.ErrClosed)
		})
	}
}

func TestReopenKeepsEverything(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s := openFile(t, path)
	put(t, s, "a", "1", "b", "2")
	require.NoError(t, s.Close())
	s = openFile(t, path)
	require.Equal(t, []string{"a", "b"}, keys(t, s, nil, nil, false))
	require.NoError(t, s.Close())
}

func TestLockedFileIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s := openFile(t, path)
	_, err := storage.OpenBolt(path)
	require.ErrorIs(t, err, storage.ErrLocked)
	require.ErrorContains(t, err, path)
	require.NoError(t, s.Close())
}

func TestDamagedFilesAreRefused(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "whole.db")
	s := openFile(t, whole)
	require.NoError(t, s.Update(func(_ storage.Reader, b *storage.Batch) error {
		for i := range 20000 {
			b.Put(space, fmt.Appendf(nil, "key %06d", i), fmt.Appendf(nil, "value %0100d", i))
		}
		return nil
	}))
	require.NoError(t, s.Close())
	content, err := os.ReadFile(whole)
	require.NoError(t, err)
	page := os.Getpagesize()

	for name, damage := range map[string]func([]byte) []byte{
		"not a database":  func([]byte) []byte { return []byte("this is a text, and not a short one either, in no way a database") },
		"both meta pages": func(b []byte) []byte { clear(b[:2*page]); return b },
		"cut short":       func(b []byte) []byte { return b[:64*page] },
		"cut very short":  func(b []byte) []byte { return b[:3*page] },
		"zeroed middle":   func(b []byte) []byte { clear(b[2*page : len(b)/2]); return b },
		"garbage middle": func(b []byte) []byte {
			for i := 2 * page; i < len(b)/2; i++ {
				b[i] = byte(i * 7)
			}
			return b
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "damaged.db")
			require.NoError(t, os.WriteFile(path, damage(append([]byte(nil), content...)), 0o600))
			_, err := storage.OpenBolt(path)
			require.ErrorIs(t, err, storage.ErrDamaged)
			require.ErrorContains(t, err, path)
		})
	}
}

func TestMissingFolder(t *testing.T) {
	_, err := storage.OpenBolt(filepath.Join(t.TempDir(), "none", "store.db"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

const childVariable = "STORAGE_TEST_CHILD_FILE"

// TestAcknowledgedWritesSurviveAKill starts this test again as a process that writes, and kills it in the middle.
func TestAcknowledgedWritesSurviveAKill(t *testing.T) {
	if path := os.Getenv(childVariable); path != "" { //nolint:forbidigo // how the test tells its child what to do
		writeForever(t, path)
	}
	path := filepath.Join(t.TempDir(), "store.db")
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestAcknowledgedWritesSurviveAKill$")
	child.Env = append(os.Environ(), childVariable+"="+path)
	acknowledged, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	var last int
	for last < 50 {
		_, err := fmt.Fscanln(acknowledged, &last)
		require.NoError(t, err)
	}
	require.NoError(t, child.Process.Kill())
	require.Error(t, child.Wait())

	s := openFile(t, path)
	for i := 1; i <= last; i++ {
		require.Equal(t, "v", get(t, s, strconv.Itoa(i)))
	}
	require.NoError(t, s.Close())
}

func writeForever(t *testing.T, path string) {
	t.Helper()
	s := openFile(t, path)
	for i := 1; ; i++ {
		put(t, s, strconv.Itoa(i), "v")
		_, err := fmt.Fprintln(os.Stdout, i)
		require.NoError(t, err)
	}
}

// TestReadersHoldNoWriterUp keeps a View open while others write a few megabytes.
func TestReadersHoldNoWriterUp(t *testing.T) {
	onBothStores(t, func(t require.TestingT, s storage.Store) {
		put(t, s, "a", "1")
		require.NoError(t, s.View(func(r storage.Reader) error {
			done := make(chan time.Duration)
			go func() {
				slowest := time.Duration(0)
				for i := range 100 {
					start := time.Now()
					put(t, s, strconv.Itoa(i), strings.Repeat("x", 50_000), "a", "2")
					slowest = max(slowest, time.Since(start))
				}
				done <- slowest
			}()
			require.Less(t, <-done, 5*time.Second)
			require.Equal(t, "1", string(r.Get(space, []byte("a"))), "the reader sees what it saw")
			return nil
		}))
		require.Equal(t, "2", get(t, s, "a"))
	})
}
