package order_test

import (
	"bytes"
	"hash/fnv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"example.com/keyfirst/internal/engine/attr"
	"example.com/keyfirst/internal/engine/order"
)

// awkward are strings whose bytes are special to the encoding, or end where others go on.
func awkward() *rapid.Generator[string] {
	return rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{"\x00", "\x01", "\xff", "a", "#", "é", "😀", "\uffff"}), 0, 5),
		func(parts []string) string { return strings.Join(parts, "") })
}

func TestPartsKeepTheOrderOfBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := awkward().Draw(t, "a"), awkward().Draw(t, "b")
		tail := []byte(awkward().Draw(t, "tail"))
		left := append(order.AppendPart(nil, attr.String(a)), tail...)
		right := order.AppendPart(nil, attr.String(b))
		if a != b {
			require.Equal(t, strings.Compare(a, b), bytes.Compare(left, right))
			require.False(t, bytes.HasPrefix(left, right), "partitions must not interleave")
		}
	})
}

func TestPrefixRangeHoldsExactlyWhatBeginsWithIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole, prefix := awkward().Draw(t, "whole"), awkward().Draw(t, "prefix")
		if rapid.Bool().Draw(t, "begins") {
			whole = prefix + whole
		}
		key := order.AppendPart([]byte{'p'}, attr.String(whole))
		from := order.AppendPrefix([]byte{'p'}, attr.String(prefix))
		to := order.Successor(from)
		inside := bytes.Compare(key, from) >= 0 && bytes.Compare(key, to) < 0
		require.Equal(t, strings.HasPrefix(whole, prefix), inside)
	})
}

func TestNumbersAreInNumericOrder(t *testing.T) {
	sorted := []string{"-1000", "-10.5", "-10", "-1.01", "-1", "-0.001", "0", "0.0001", "0.1", "1", "1.01", "9", "10", "99", "100", "12345678901234567890"}
	for i := 1; i < len(sorted); i++ {
		a := order.AppendPart(nil, attr.Value{Kind: attr.N, Text: sorted[i-1]})
		b := order.AppendPart(nil, attr.Value{Kind: attr.N, Text: sorted[i]})
		require.Negative(t, bytes.Compare(a, b), sorted[i-1]+" < "+sorted[i])
	}
}

func TestSuccessor(t *testing.T) {
	require.Equal(t, []byte{1, 3}, order.Successor([]byte{1, 2}))
	require.Equal(t, []byte{2}, order.Successor([]byte{1, 0xFF, 0xFF}))
	require.Nil(t, order.Successor([]byte{0xFF}))
	require.Nil(t, order.Successor(nil))
}

func TestHashSpreadsNumberedPartitions(t *testing.T) {
	var buckets [8]int
	for i := range 8000 {
		h := order.Hash(attr.String("CUST#" + strings.Repeat("0", i%3) + string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676))))
		buckets[h>>29]++
	}
	for _, n := range buckets {
		require.InDelta(t, 1000, n, 200)
	}
}

// A file keeps the hashes that its keys were made with: they must be FNV-1a for ever.
func TestHashIsTheLibrarys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := awkward().Draw(t, "text")
		h := fnv.New32a()
		_, err := h.Write([]byte(text))
		require.NoError(t, err)
		mixed := h.Sum32()
		mixed ^= mixed >> 16
		mixed *= 0x85ebca6b
		mixed ^= mixed >> 13
		mixed *= 0xc2b2ae35
		mixed ^= mixed >> 16
		require.Equal(t, mixed, order.Hash(attr.String(text)))
	})
}
