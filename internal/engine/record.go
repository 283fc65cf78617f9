package engine

import (
	"encoding/binary"
	"errors"
	"fmt"

	"example.com/keyfirst/internal/engine/attr"
)

// stored is an item as the store keeps it: its size in bytes as a varint, then its JSON. Reads need the size of every
// item and the parts of few.
type stored struct {
	size int
	json []byte
}

func newStored(item attr.Item) stored {
	return stored{item.Size(), item.AppendJSON(nil)}
}

func (s stored) encode() []byte {
	dst := make([]byte, 0, len(s.json)+binary.MaxVarintLen32)
	dst = binary.AppendUvarint(dst, uint64(s.size)) //nolint:gosec // a size is never negative
	return append(dst, s.json...)
}

func decodeStored(value []byte) (stored, error) {
	size, n := binary.Uvarint(value)
	if n <= 0 {
		return stored{}, errors.New("engine: a stored item has no size")
	}
	return stored{int(size), value[n:]}, nil //nolint:gosec // written by encode
}

// item parses the JSON.
func (s stored) item() (attr.Item, error) {
	item, err := attr.Decode(s.json)
	if err != nil {
		return nil, fmt.Errorf("engine: a stored item cannot be read: %s", err.Error())
	}
	return item, nil
}
