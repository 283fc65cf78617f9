package storage

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

const (
	lockTimeout = time.Second
	// mapSize is the address space reserved at start, in bytes: as long as the file is smaller, growing it never waits for
	// readers.
	mapSize  = 1 << 30
	fileMode = 0o600
)

// Bolt is a Store in a bbolt file: one bucket a space. Updates that wait at the same time share one commit.
type Bolt struct {
	db     *bbolt.DB
	commit group
}

// OpenBolt opens the file, or makes it. It returns ErrLocked when another process holds the file for longer than a
// second, and ErrDamaged when the file is not a whole database. It reads the whole file once to find out.
func OpenBolt(path string) (*Bolt, error) {
	if err := makeFile(path); err != nil {
		return nil, fmt.Errorf("storage: open %s: %w", path, err)
	}
	if err := verifyFile(path); err != nil {
		return nil, openError(path, err)
	}
	db, err := openFile(path)
	if err != nil {
		return nil, openError(path, err)
	}
	b := &Bolt{db: db}
	b.commit.run = b.runGroup
	return b, nil
}

func openError(path string, err error) error {
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return fmt.Errorf("%w: %s", ErrLocked, path)
	case errors.Is(err, ErrDamaged), errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrChecksum), errors.Is(err, bolterrors.ErrVersionMismatch):
		return fmt.Errorf("%w: %s: %w", ErrDamaged, path, err)
	}
	return fmt.Errorf("storage: open %s: %w", path, err)
}

// makeFile makes the file with its first pages, all at once, when there is none: a file without them is damaged.
func makeFile(path string) (err error) {
	switch info, err := os.Stat(path); {
	case err == nil && info.Size() == 0:
		return fmt.Errorf("%w: it is empty; remove it to start anew", ErrDamaged)
	case err == nil && !info.Mode().IsRegular():
		return errors.New("it is no regular file")
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	made, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(made.Name())) }()
	if err := made.Close(); err != nil {
		return err
	}
	db, err := openFile(made.Name())
	if err != nil {
		return err
	}
	if err := db.Close(); err != nil {
		return err
	}
	// Another process may have been quicker: its file stays.
	if err := os.Link(made.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// recoverDamage makes an error of a panic.
func recoverDamage(err *error) {
	if p := recover(); p != nil {
		*err = damage{fmt.Errorf("%v", p)}
	}
}

// verifyFile verifies a file that nobody else writes to. To write to it bbolt would trust it first, and keep it locked
// when it panics: so this opens it for reading.
func verifyFile(path string) (err error) {
	defer recoverDamage(&err)
	db, err := bbolt.Open(path, fileMode, &bbolt.Options{Timeout: lockTimeout, ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := verify(path); err != nil {
		return damage{err}
	}
	return nil
}

// damage is ErrDamaged with the text of what was found.
type damage struct{ error }

// Is implements errors.Is.
func (damage) Is(target error) bool { return target == ErrDamaged }

func openFile(path string) (db *bbolt.DB, err error) {
	defer recoverDamage(&err)
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	return bbolt.Open(path, fileMode, &bbolt.Options{
		Timeout:         lockTimeout,
		InitialMmapSize: mapSize,
		FreelistType:    bbolt.FreelistMapType,
		NoStatistics:    true,
	})
}

// View implements Store.
func (b *Bolt) View(read func(Reader) error) error {
	return closedError(b.db.View(func(tx *bbolt.Tx) error { return read(boltReader{tx}) }))
}

// Update implements Store.
func (b *Bolt) Update(decide func(Reader, *Batch) error) error {
	return closedError(b.commit.do(decide))
}

// Close implements Store.
func (b *Bolt) Close() error { return b.db.Close() }

func closedError(err error) error {
	if errors.Is(err, bolterrors.ErrDatabaseNotOpen) {
		return ErrClosed
	}
	return err
}

// runGroup commits several updates at once. The error of one leaves the others alone; an error of the commit is
// everyone's.
func (b *Bolt) runGroup(members []*member) {
	err := b.commitAll(members)
	if err == nil {
		return
	}
	for _, m := range members {
		if m.err == nil {
			m.err = err
		}
	}
}

func (b *Bolt) commitAll(members []*member) (err error) {
	defer recoverDamage(&err)
	return b.db.Update(func(tx *bbolt.Tx) error {
		for _, m := range members {
			var batch Batch
			if m.err = m.decideSafely(boltReader{tx}, &batch); m.err != nil {
				continue
			}
			if err := apply(tx, batch.changes); err != nil {
				return err
			}
		}
		return nil
	})
}

func apply(tx *bbolt.Tx, changes []change) error {
	for _, c := range changes {
		if err := applyOne(tx, c); err != nil {
			return fmt.Errorf("storage: %w", err)
		}
	}
	return nil
}

func applyOne(tx *bbolt.Tx, c change) error {
	name := []byte(c.space)
	bucket := tx.Bucket(name)
	switch {
	case c.key == nil && bucket == nil, c.value == nil && bucket == nil:
		return nil
	case c.key == nil:
		return tx.DeleteBucket(name)
	case c.value == nil:
		return bucket.Delete(c.key)
	case bucket == nil:
		var err error
		if bucket, err = tx.CreateBucket(name); err != nil {
			return err
		}
	}
	return bucket.Put(c.key, c.value)
}

type boltReader struct{ tx *bbolt.Tx }

// Get implements Reader.
func (r boltReader) Get(space string, key []byte) []byte {
	bucket := r.tx.Bucket([]byte(space))
	if bucket == nil {
		return nil
	}
	return bucket.Get(key)
}

// Range implements Reader.
func (r boltReader) Range(space string, from, to []byte, reverse bool) iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) {
		bucket := r.tx.Bucket([]byte(space))
		switch {
		case bucket == nil:
		case reverse:
			walkBack(bucket.Cursor(), from, to, yield)
		default:
			walk(bucket.Cursor(), from, to, yield)
		}
	}
}

func walk(c *bbolt.Cursor, from, to []byte, yield func(key, value []byte) bool) {
	for k, v := c.Seek(from); k != nil && (to == nil || bytes.Compare(k, to) < 0); k, v = c.Next() {
		if !yield(k, v) {
			return
		}
	}
}

func walkBack(c *bbolt.Cursor, from, to []byte, yield func(key, value []byte) bool) {
	for k, v := seekBefore(c, to); k != nil && bytes.Compare(k, from) >= 0; k, v = c.Prev() {
		if !yield(k, v) {
			return
		}
	}
}

// seekBefore moves to the last key before to, which is the last of all when to is nil.
func seekBefore(c *bbolt.Cursor, to []byte) (key, value []byte) {
	if to == nil {
		return c.Last()
	}
	if k, _ := c.Seek(to); k == nil {
		return c.Last()
	}
	return c.Prev()
}
