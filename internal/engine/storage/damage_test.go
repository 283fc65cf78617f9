package storage_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/internal/engine/storage"
)

// Offsets in bbolt's pages, and the flags of those that hold a tree.
const (
	headerSize = 16
	atFlags    = 8
	atPages    = 56 // in a meta page
	metaEnd    = 80
)

// writeSample makes a file with pages of every kind: branches, leaves, long values, small buckets inside others, and
// free pages. It returns its content, without what bbolt reserved beyond the last page.
func writeSample(t *testing.T, path string) []byte {
	t.Helper()
	s := openFile(t, path)
	for round := range 3 { // the later rounds leave free pages behind
		require.NoError(t, s.Update(func(_ storage.Reader, b *storage.Batch) error {
			for i := range 800 {
				b.Put("many", fmt.Appendf(nil, "key %06d", i), fmt.Appendf(nil, "value %d %0100d", round, i))
			}
			b.Put("long", []byte("key"), bytes.Repeat([]byte("long"), 5000))
			b.Put("small", []byte("key"), []byte("value"))
			return nil
		}))
	}
	require.NoError(t, s.Close())
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	pages := uint64(0)
	for meta := range 2 {
		pages = max(pages, binary.NativeEndian.Uint64(content[meta*os.Getpagesize()+atPages:]))
	}
	content = content[:int(pages)*os.Getpagesize()]
	require.NoError(t, os.WriteFile(path, content, 0o600))
	return content
}

// dump is everything in a store.
func dump(t *testing.T, s storage.Store) (all []string) {
	t.Helper()
	require.NoError(t, s.View(func(r storage.Reader) error {
		for _, name := range []string{"many", "long", "small"} {
			for k, v := range r.Range(name, nil, nil, false) {
				all = append(all, fmt.Sprintf("%s %s %d", name, k, len(v)))
			}
		}
		return nil
	}))
	return all
}

// TestFlippedBitsInStructure flips bits where a page says what it is: such a file is refused, or has everything because
// the bit was in a page that is free.
func TestFlippedBitsInStructure(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	content := writeSample(t, filepath.Join(folder, "whole.db"))
	whole := openFile(t, filepath.Join(folder, "whole.db"))
	want := dump(t, whole)
	require.NoError(t, whole.Close())

	page := os.Getpagesize()
	refused, free := 0, 0
	path := filepath.Join(folder, "damaged.db")
	try := func(at, bit int) {
		content[at] ^= 1 << bit
		defer func() { content[at] ^= 1 << bit }()
		require.NoError(t, os.WriteFile(path, content, 0o600))
		s, err := storage.OpenBolt(path)
		if err != nil {
			require.ErrorIs(t, err, storage.ErrDamaged, "byte %d bit %d", at, bit)
			require.ErrorContains(t, err, path)
			refused++
			return
		}
		require.True(t, slices.Equal(want, dump(t, s)), "byte %d bit %d of page %d", at%page, bit, at/page)
		require.NoError(t, s.Close())
		free++
	}
	for at := range 2 {
		for i := range metaEnd {
			if i != 10 && i != 11 && (i < 12 || i >= headerSize) { // a meta page has no use for count and overflow
				before := refused
				try(at*page+i, i%8)
				require.Greater(t, refused, before, "byte %d of meta page %d", i, at)
			}
		}
	}
	for at := 2 * page; at < len(content); at += page {
		flags := binary.NativeEndian.Uint16(content[at+atFlags:])
		if flags != 1 && flags != 2 && flags != 16 {
			continue // the middle of a long value, or never used
		}
		step := 3
		if flags != 2 || at < 16*page {
			step = 1 // leaves are many and alike
		}
		if testing.Short() {
			step *= 5
		}
		for i := 0; i < headerSize+8; i += step {
			try(at+i, (at/page+i)%8)
		}
	}
	t.Logf("%d files were refused, %d had the bit in a page that is not in use", refused, free)
	require.Greater(t, refused, free)
}

func TestOtherThingsThanFilesOfTheStore(t *testing.T) {
	t.Parallel()
	content := writeSample(t, filepath.Join(t.TempDir(), "whole.db"))
	for name, c := range map[string]struct {
		make func(path string) error
		want error // ErrDamaged or one of the operating system
		says string
	}{
		"empty":     {func(path string) error { return os.WriteFile(path, nil, 0o600) }, storage.ErrDamaged, "it is empty"},
		"one byte":  {func(path string) error { return os.WriteFile(path, []byte("x"), 0o600) }, storage.ErrDamaged, ""},
		"garbage":   {func(path string) error { return os.WriteFile(path, garbage(1<<20), 0o600) }, storage.ErrDamaged, ""},
		"zeroes":    {func(path string) error { return os.WriteFile(path, make([]byte, 1<<16), 0o600) }, storage.ErrDamaged, ""},
		"half":      {func(path string) error { return os.WriteFile(path, content[:len(content)/2], 0o600) }, storage.ErrDamaged, ""},
		"last page": {func(path string) error { return os.WriteFile(path, content[:len(content)-1], 0o600) }, storage.ErrDamaged, "should have"},
		"a folder":  {func(path string) error { return os.Mkdir(path, 0o700) }, nil, "no regular file"},
		"forbidden": {func(path string) error { return os.WriteFile(path, content, 0) }, os.ErrPermission, "permission denied"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "store.db")
			require.NoError(t, c.make(path))
			before, _ := os.ReadFile(path)
			var err error
			withoutPrivileges(t, func() { _, err = storage.OpenBolt(path) })
			if c.want != nil {
				require.ErrorIs(t, err, c.want)
			}
			require.ErrorContains(t, err, c.says)
			require.ErrorContains(t, err, path)
			after, _ := os.ReadFile(path)
			require.Equal(t, before, after, "what is refused stays as it was")
		})
	}
}

func garbage(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*i>>3 + 7*i)
	}
	return b
}

func TestAFileIsMadeWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := openFile(t, filepath.Join(folder, "store.db"))
	require.NoError(t, s.Close())
	left, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, left, 1, "nothing else is left behind")
}
