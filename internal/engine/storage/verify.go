package storage

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"go.etcd.io/bbolt"
)

// verify reads every page that holds data and reports the first thing that cannot be. bbolt itself checks its two meta
// pages only, and panics or faults on a damaged page that it meets later.
func verify(db *bbolt.DB, path string) (err error) {
	defer recoverDamage(&err)
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	return db.View(func(tx *bbolt.Tx) error {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		if info.Size() < tx.Size() {
			return fmt.Errorf("it has %d bytes and should have %d", info.Size(), tx.Size())
		}
		return tx.ForEach(verifyBucket)
	})
}

func verifyBucket(name []byte, bucket *bbolt.Bucket) error {
	var last []byte
	return bucket.ForEach(func(k, v []byte) error {
		if v == nil {
			return fmt.Errorf("bucket %q holds a bucket", name)
		}
		if bytes.Compare(k, last) <= 0 {
			return fmt.Errorf("keys of bucket %q are out of order", name)
		}
		last = k
		return nil
	})
}

// recoverDamage makes an error of a panic.
func recoverDamage(err *error) {
	if p := recover(); p != nil {
		*err = errors.Join(*err, fmt.Errorf("%w: %v", ErrDamaged, p))
	}
}
