package storage

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
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
	db, err := openFile(path)
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, fmt.Errorf("%w: %s", ErrLocked, path)
	case errors.Is(err, ErrDamaged), errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrChecksum), errors.Is(err, bolterrors.ErrVersionMismatch):
		return nil, damaged(path, err)
	case err != nil:
		return nil, fmt.Errorf("storage: open %s: %w", path, err)
	}
	if err := verify(db, path); err != nil {
		return nil, errors.Join(damaged(path, err), db.Close())
	}
	b := &Bolt{db: db}
	b.commit.run = b.runGroup
	return b, nil
}

func damaged(path string, err error) error { return fmt.Errorf("%w: %s: %w", ErrDamaged, path, err) }

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
