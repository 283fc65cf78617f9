package order

import (
	"encoding/binary"

	"example.com/keyfirst/internal/engine/attr"
)

// A part is escaped so that no part is a prefix of another and order survives: 0x00 becomes 0x00 0xFF, and the part
// ends with 0x00 0x01, which sorts before everything that could follow.
const (
	escape  byte = 0x00
	escaped byte = 0xFF
	end     byte = 0x01
)

// HashSize is the length in bytes of the hash that starts every key.
const HashSize = 4

// Hash spreads partitions over 32 bits; a segment of a Scan is a range of it.
func Hash(partition attr.Value) uint32 {
	if partition.Kind == attr.N {
		return mix(fnv(partition.Decimal().AppendOrdered(nil)))
	}
	return mix(fnv(partition.Text))
}

// fnv is the hash FNV-1a. That of the library takes no string, and so costs a copy of it.
func fnv[T string | []byte](text T) uint32 {
	h := uint32(2166136261)
	for i := range len(text) {
		h = (h ^ uint32(text[i])) * 16777619
	}
	return h
}

// mix is the finalizer of MurmurHash3: FNV alone leaves the high bits of short keys alike.
func mix(h uint32) uint32 {
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	h ^= h >> 16
	return h
}

// AppendPartition appends the hash and the value of a partition key: the prefix of every key in that partition.
func AppendPartition(dst []byte, partition attr.Value) []byte {
	dst = binary.BigEndian.AppendUint32(dst, Hash(partition))
	return AppendPart(dst, partition)
}

// AppendPart appends one key value with its end mark.
func AppendPart(dst []byte, value attr.Value) []byte {
	return append(AppendPrefix(dst, value), escape, end)
}

// AppendPrefix appends one key value without its end mark: a prefix of every value that begins with it.
func AppendPrefix(dst []byte, value attr.Value) []byte {
	if value.Kind == attr.N {
		return appendEscaped(dst, value.Decimal().AppendOrdered(nil))
	}
	return appendEscaped(dst, value.Text)
}

func appendEscaped[T string | []byte](dst []byte, text T) []byte {
	for i := range len(text) {
		dst = append(dst, text[i])
		if text[i] == escape {
			dst = append(dst, escaped)
		}
	}
	return dst
}

// Successor is the first key after every key that begins with prefix; nil when there is no such key.
func Successor(prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] != 0xFF {
			next := append([]byte(nil), prefix[:i+1]...)
			next[i]++
			return next
		}
	}
	return nil
}

// After is the first key after key itself.
func After(key []byte) []byte {
	return append(append(make([]byte, 0, len(key)+1), key...), 0)
}
