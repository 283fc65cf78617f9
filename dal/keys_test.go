package dal

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestKeysAsDesigned(t *testing.T) {
	t.Parallel()
	at := func(text string) OrderPosition {
		placed, err := ParseTime(text)
		require.NoError(t, err)
		return positionOf(placed, "A17")
	}
	for _, c := range []struct{ got, want Key }{
		{customerKey("42"), Key{"CUST#42", "PROFILE"}},
		{customerOrderKey("42", at("2025-03-01T00:00:00Z")), Key{"CUST#42", "ORDER#2025-03-01#A17"}},
		{customerOrderKey("42", at("2025-03-01T10:15:00+01:00")), Key{"CUST#42", "ORDER#2025-03-01T09:15:00.000Z#A17"}},
		{orderKey("A17"), Key{"ORDER#A17", "HEADER"}},
		{itemKey("A17", 1), Key{"ORDER#A17", "ITEM#001"}},
		{productKey("X-1"), Key{"PRODUCT#X-1", "PROFILE"}},
		{warehouseKey("north"), Key{"WAREHOUSE#north", "PROFILE"}},
		{emailKey("ann@example.com"), Key{"EMAIL#ann@example.com", "OWNER"}},
		{settingsKey(), Key{"TABLE", "SETTINGS"}},
		{customerKey("a#b%c"), Key{"CUST#a%23b%25c", "PROFILE"}},
	} {
		require.Equal(t, c.want, c.got)
	}
	require.Equal(t, "PAID#2025-03-01#A17", statusSortKey(StatusPaid, at("2025-03-01T00:00:00Z")))
	require.Equal(t, "WAREHOUSE#north#3", openWarehouseKey("north", 3))
	require.Equal(t, "2025-03-01#A17", at("2025-03-01T00:00:00Z").segment())
}

func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "#", "%", "%23", "%25", "%2523", "%%##", "a#b", "\xff#\x00", "%2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		escaped := escape(s)
		require.NotContains(t, escaped, separator)
		back, ok := unescape(escaped)
		require.True(t, ok)
		require.Equal(t, s, back)
		if raw, ok := unescape(s); ok {
			require.Equal(t, s, escape(raw), "what unescape takes is what escape writes")
		}
	})
}

// hostileIDs are ids that try to look like parts of keys.
func hostileIDs() []string {
	ids := []string{
		"42", "4", "421", "42#", "#42", "42#PROFILE", "42#0", "42#1", "#", "##", "%", "%23", "%25", "42%23", "42%", "42$",
		"PROFILE", "HEADER", "ITEM#001", "ORDER#", "ORDER#2025-03-01#A17", "A17", "A17#HEADER", "CUST#42", "TABLE", "SETTINGS",
		"\x00", "\x01", "42\x00", "!", "\"", "$", "&", "~", "\u00e9", "\U0001F600", " ", "a b", strings.Repeat("#", maxIDBytes),
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		id := make([]byte, 1+random.IntN(4))
		for i := range id {
			id[i] = "#%0123P$"[random.IntN(8)]
		}
		ids = append(ids, string(id))
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// TestNoKeyForgesAnother takes every kind of key with every hostile id: all are different, and no partition, and no
// partition with its sort key's prefix, is another's prefix where a query could confuse them.
func TestNoKeyForgesAnother(t *testing.T) {
	t.Parallel()
	primary := map[Key]string{}
	indexed := map[string]string{}
	add := func(k Key, owner string) {
		t.Helper()
		require.Empty(t, primary[k], "%v of %s", k, owner)
		primary[k] = owner
	}
	add(settingsKey(), "settings")
	for _, id := range hostileIDs() {
		add(customerKey(CustomerID(id)), "customer "+id)
		add(productKey(SKU(id)), "product "+id)
		add(warehouseKey(WarehouseID(id)), "warehouse "+id)
		add(emailKey(id), "e-mail "+id)
		add(orderKey(OrderID(id)), "order "+id)
		for _, line := range []int{1, 10, MaxLines} {
			add(itemKey(OrderID(id), line), fmt.Sprint("item ", id, line))
		}
		for _, placed := range []string{"2025-03-01", "2025-03-01T09:15:00.000Z"} {
			add(customerOrderKey("42", OrderPosition{placed, OrderID(id)}), "order of 42 "+placed+id)
			add(customerOrderKey(CustomerID(id), OrderPosition{placed, "own"}), "order of "+id+placed)
		}
		for shard := range 12 {
			partition := openWarehouseKey(WarehouseID(id), shard)
			require.Empty(t, indexed[partition])
			indexed[partition] = id
		}
	}
	for k, owner := range primary {
		if k == settingsKey() {
			continue
		}
		require.NotEqual(t, shapeUnknown, k.shape(), "%v of %s", k, owner)
		require.Equal(t, 1, strings.Count(k.PK, separator), "%v", k)
	}
}

// TestPrefixesHoldOwnOrdersOnly is for begins_with and BETWEEN: the bounds of one list take in nothing of another.
func TestPrefixesHoldOwnOrdersOnly(t *testing.T) {
	t.Parallel()
	within := func(sk, prefix string) bool { return prefix <= sk && sk <= above(prefix) }
	for _, id := range hostileIDs() {
		for _, placed := range []string{"0001-01-01", "2025-03-01T09:15:00.000Z", "9999-12-31T23:59:59.999Z"} {
			at := OrderPosition{placed, OrderID(id)}
			require.True(t, within(customerOrderKey("42", at).SK, prefixOrder))
			require.True(t, belowEveryPosition < at.segment() && at.segment() < aboveEveryPosition)
			for _, status := range []OrderStatus{StatusPending, StatusPaid, StatusShipped, StatusDelivered, StatusCancelled} {
				for _, other := range []OrderStatus{StatusPending, StatusPaid, StatusShipped, StatusDelivered, StatusCancelled} {
					require.Equal(t, status == other, within(statusSortKey(status, at), string(other)+separator))
				}
			}
		}
	}
	require.False(t, within(skProfile, prefixOrder))
	require.False(t, within(skHeader, prefixItem))
}

func TestPositionsRoundTrip(t *testing.T) {
	t.Parallel()
	for _, id := range hostileIDs() {
		for _, placed := range []string{"0001-01-01", "2025-03-01", "2025-03-01T00:00:00.001Z"} {
			at := OrderPosition{placed, OrderID(id)}
			got, ok := parsePosition(at.segment())
			require.True(t, ok)
			require.Equal(t, at, got)
		}
	}
	for _, segment := range []string{
		"", "#", "2025-03-01", "2025-03-01#", "#A17", "2025-03-01#A#17", "2025-03-01#A%17", "2025-03-01#%2",
		"2025-03-01T00:00:00.000Z#A17", "2025-3-1#A17", "2025-02-30#A17", "2025-03-01T09:15:00Z#A17", "0000-01-01#A17",
		"10000-01-01#A17", "x#A17", "$#A17",
	} {
		_, ok := parsePosition(segment)
		require.False(t, ok, segment)
	}
}

// TestSortKeysSortByTimeThenID compares the bytes of keys with what they stand for. Among ids the order is that of their
// escaped form, which for ids without # $ and % is their own.
func TestSortKeysSortByTimeThenID(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	type placed struct {
		at time.Time
		id string
	}
	var orders []placed
	for range 400 {
		at := time.Date(1+random.IntN(9999), time.Month(1+random.IntN(12)), 1+random.IntN(28), 0, 0, 0, 0, time.UTC)
		switch random.IntN(4) {
		case 0:
			at = time.Date(2025, 3, 1, 0, 0, 0, 0, time.UTC)
		case 1:
			at = at.Add(time.Duration(random.Int64N(int64(24 * time.Hour)))).Truncate(time.Millisecond)
		case 2:
			at = time.Date(2025, 3, 1+random.IntN(2), 0, 0, 0, random.IntN(3)*int(time.Millisecond), time.UTC)
		}
		orders = append(orders, placed{at, hostileIDs()[random.IntN(len(hostileIDs()))]})
	}
	for _, prefix := range []string{"ORDER#", "PAID#", ""} {
		slices.SortFunc(orders, func(a, b placed) int {
			return strings.Compare(prefix+positionOf(a.at, OrderID(a.id)).segment(), prefix+positionOf(b.at, OrderID(b.id)).segment())
		})
		require.True(t, slices.IsSortedFunc(orders, func(a, b placed) int {
			return cmp.Or(a.at.Compare(b.at), strings.Compare(escape(a.id), escape(b.id)))
		}))
	}
}

// TestCollectionsSortAsDesigned is what the combined queries stand on.
func TestCollectionsSortAsDesigned(t *testing.T) {
	t.Parallel()
	for _, id := range hostileIDs() {
		for _, placed := range []string{"0001-01-01", "9999-12-31T23:59:59.999Z"} {
			require.Less(t, customerOrderKey("42", OrderPosition{placed, OrderID(id)}).SK, skProfile)
		}
	}
	require.Less(t, skHeader, itemSortKey(1))
	for line := 1; line < MaxLines; line++ {
		require.Less(t, itemSortKey(line), itemSortKey(line+1))
	}
}

func TestKeysWithinDynamoDBLimits(t *testing.T) {
	t.Parallel()
	worst := strings.Repeat("#", maxIDBytes)
	at := OrderPosition{"2025-03-01T09:15:00.000Z", OrderID(worst)}
	for _, k := range []Key{
		customerOrderKey(CustomerID(worst), at), itemKey(OrderID(worst), MaxLines), productKey(SKU(worst)),
		warehouseKey(WarehouseID(worst)), emailKey(strings.Repeat("#", maxEmailLength)),
	} {
		require.LessOrEqual(t, len(k.PK), 2048)
		require.LessOrEqual(t, len(k.SK), 1024)
	}
	require.LessOrEqual(t, len(statusSortKey(StatusDelivered, at)), 1024)
	require.LessOrEqual(t, len(openWarehouseKey(WarehouseID(worst), 1<<30)), 2048)
}
