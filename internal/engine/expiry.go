package engine

import (
	"encoding/binary"
	"time"

	"example.com/keyfirst/internal/engine/attr"
	"example.com/keyfirst/internal/engine/storage"
)

// Items expire when the time in the table's attribute, a number of Unix seconds, is past, but not by more than five
// years (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/howitworks-ttl.html). They are deleted in the
// course of later requests, some at a time; nothing runs when no request does.
const (
	sweepEvery   = time.Second
	sweepAtOnce  = 200
	oldestExpiry = 5 * 365 * 24 * time.Hour
)

const timeSize = 8

// expiryKey orders the items that can expire by time; nil for an item that never does.
func expiryKey(t *table, v *version, key []byte) []byte {
	if t.record.TimeToLive == "" || v == nil {
		return nil
	}
	value, ok := v.item[t.record.TimeToLive]
	if !ok || value.Kind != attr.N {
		return nil
	}
	at, ok := value.Decimal().Int64()
	if !ok || at < 0 {
		return nil
	}
	return append(timeKey(at), key...)
}

func timeKey(unix int64) []byte {
	return binary.BigEndian.AppendUint64(nil, uint64(max(unix, 0)))
}

// applyToExpiry keeps the order of expiry up to date.
func (w *writer) applyToExpiry(f *effect) {
	before := expiryKey(f.table, f.before, f.key)
	after := expiryKey(f.table, f.after, f.key)
	if string(before) == string(after) {
		return
	}
	if before != nil {
		w.batch.Delete(expirySpace(f.table.record.ID), before)
	}
	if after != nil {
		w.batch.Put(expirySpace(f.table.record.ID), after, []byte{})
	}
}

// sweep deletes expired items and tokens when it is time to.
func (e *Engine) sweep() error {
	now := e.now()
	due := e.sweepAt.Load()
	if now.UnixNano() < due || !e.sweepAt.CompareAndSwap(due, now.Add(sweepEvery).UnixNano()) {
		return nil
	}
	if due == 0 {
		return nil // the first request of an engine has nothing to wait for
	}
	expired, err := e.anyExpired(now)
	if err != nil || !expired {
		return err
	}
	return e.update(func(w *writer) error {
		w.deleteTokens(now)
		return w.deleteExpired(now)
	})
}

func (e *Engine) anyExpired(now time.Time) (expired bool, err error) {
	err = e.store.View(func(r storage.Reader) error {
		for range r.Range(tokenTimesSpace, nil, timeKey(now.Unix()), false) {
			expired = true
			return nil
		}
		for t, err := range e.catalog.all(r) {
			if err != nil {
				return err
			}
			for range expiredKeys(r, t, now) {
				expired = true
				return nil
			}
		}
		return nil
	})
	return expired, err
}

func (w *writer) deleteExpired(now time.Time) error {
	left := sweepAtOnce
	for t, err := range w.catalog.all(w.reader) {
		if err != nil {
			return err
		}
		for key := range expiredKeys(w.reader, t, now) {
			if left--; left < 0 {
				return nil
			}
			if err := w.expire(t, key[timeSize:]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *writer) expire(t *table, key []byte) error {
	f := &effect{table: t, key: append([]byte(nil), key...)}
	var err error
	if f.before, err = w.read(t, f.key, true); err != nil || f.before == nil {
		return err
	}
	_, err = w.apply(f)
	return err
}

// expiredKeys goes over the expiry keys that are due.
func expiredKeys(r storage.Reader, t *table, now time.Time) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		if t.record.TimeToLive == "" {
			return
		}
		for key := range r.Range(expirySpace(t.record.ID), timeKey(now.Add(-oldestExpiry).Unix()), timeKey(now.Unix()), false) {
			if !yield(key) {
				return
			}
		}
	}
}
