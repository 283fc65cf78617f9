package dal

import (
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// sizeOf is the size of an item by DynamoDB's rules
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html), numbers at their
// largest.
func sizeOf(t *testing.T, it item) (size int) {
	t.Helper()
	for name, v := range it {
		size += len(name)
		switch v := v.(type) {
		case *types.AttributeValueMemberS:
			size += len(v.Value)
		case *types.AttributeValueMemberN:
			size += min(21, 2+len(v.Value))
		default:
			require.Failf(t, "no attribute of this table", "%s %T", name, v)
		}
	}
	return size
}

// The worst that input can hold.
var (
	worstID     = strings.Repeat("#", maxIDBytes)
	worstName   = strings.Repeat("\U0001F600", maxNameRunes)
	worstEmail  = strings.Repeat("#", maxEmailLength)
	worstTime   = time.Date(9999, 12, 31, 23, 59, 59, 999*int(time.Millisecond), time.UTC)
	worstAmount = Money{Amount: Decimal{text: strings.Repeat("9", maxWholeDigits) + "." + strings.Repeat("9", maxFractionDigits)}, Currency: "EUR"}
)

const worstCount = 1 << 31

// worst are the largest items of each type, and what bounds them.
func worst() []struct {
	name  string
	bytes int
	item  item
} {
	total := worstAmount.Mul(maxQuantity).Mul(MaxLines)
	order := &Order{
		ID: OrderID(worstID), CustomerID: CustomerID(worstID), WarehouseID: WarehouseID(worstID), PlacedAt: worstTime,
		Status: StatusPending, Total: total, ItemCount: MaxLines, Version: worstCount, UpdatedAt: worstTime,
	}
	delivered := *order
	delivered.Status = StatusDelivered
	customer := &Customer{
		ID: CustomerID(worstID), Name: worstName, Email: worstEmail, CreatedAt: worstTime, UpdatedAt: worstTime,
		Version: worstCount, OrderCount: worstCount, OpenOrderCount: worstCount,
	}
	line := &OrderItem{
		OrderID: OrderID(worstID), Line: MaxLines, SKU: SKU(worstID), Name: worstName, Quantity: maxQuantity, UnitPrice: worstAmount,
	}
	product := &Product{SKU: SKU(worstID), Name: worstName, Price: worstAmount, Version: worstCount, UpdatedAt: worstTime}
	warehouse := &Warehouse{ID: WarehouseID(worstID), Name: worstName, Version: worstCount, UpdatedAt: worstTime}
	return []struct {
		name  string
		bytes int
		item  item
	}{
		{"customer", MaxCustomerBytes, customer.item(worstEmail)},
		{"order", MaxOrderBytes, order.header()},
		{"order of a customer", MaxOrderBytes, order.customerCopy(worstCount)},
		{"delivered order", MaxOrderBytes, delivered.customerCopy(worstCount)},
		{"line", MaxItemBytes, line.item()},
		{"product", MaxProductBytes, product.item()},
		{"warehouse", MaxWarehouseBytes, warehouse.item()},
		{"guard", maxGuardBytes, (&EmailOwner{Folded: worstEmail, CustomerID: CustomerID(worstID)}).item()},
	}
}

func TestWorstItemsStayWithinTheirBounds(t *testing.T) {
	t.Parallel()
	for _, w := range worst() {
		size := sizeOf(t, w.item)
		t.Logf("%s: %d of %d bytes", w.name, size, w.bytes)
		require.LessOrEqual(t, size, w.bytes, w.name)
	}
}

func TestWorstTotalIsExact(t *testing.T) {
	t.Parallel()
	require.Nil(t, checkName(worstName))
	total := Money{Currency: "EUR"}
	for range MaxLines {
		var err error
		total, err = total.Add((&OrderItem{Quantity: maxQuantity, UnitPrice: worstAmount}).LineTotal())
		require.NoError(t, err)
	}
	require.Equal(t, worstAmount.Mul(maxQuantity*MaxLines), total)
	read, err := decimalFromNumber(total.Amount.String())
	require.NoError(t, err, "it fits into a DynamoDB number")
	require.Equal(t, total.Amount, read)
}

func TestNames(t *testing.T) {
	t.Parallel()
	for name, good := range map[string]bool{
		"A": true, worstName: true, strings.Repeat("x", maxNameRunes): true,
		"": false, strings.Repeat("x", maxNameRunes+1): false, worstName + "x": false, "\xff": false, "a\xed\xa0\x80": false,
	} {
		r := checkName(name, "name")
		require.Equal(t, good, r == nil, "%q", name)
		if r != nil {
			require.Equal(t, RejectedInvalid, r.Code)
			require.Equal(t, []string{"name"}, r.Field)
		}
	}
}

// TestItemsRoundTrip stores and reads back each type at its largest.
func TestItemsRoundTrip(t *testing.T) {
	t.Parallel()
	for _, w := range worst() {
		e, err := decode(w.item, nil)
		require.NoError(t, err, w.name)
		again, err := decode(encode(t, e, w.item), nil)
		require.NoError(t, err)
		require.Equal(t, e, again, w.name)
	}
}

func encode(t *testing.T, e Entity, stored item) item {
	t.Helper()
	switch e := e.(type) {
	case *Customer:
		return e.item(stored[attrEmailKey].(*types.AttributeValueMemberS).Value)
	case *Order:
		if stored[attrStatusKey] != nil {
			return e.customerCopy(1)
		}
		return e.header()
	case *OrderItem:
		return e.item()
	case *Product:
		return e.item()
	case *Warehouse:
		return e.item()
	case *EmailOwner:
		return e.item()
	}
	require.Failf(t, "no entity", "%T", e)
	return nil
}

func TestCatalogueListsEachPatternOnce(t *testing.T) {
	t.Parallel()
	seen := map[Pattern]bool{}
	for _, a := range Catalogue() {
		require.False(t, seen[a.Pattern], "%s is listed twice", a.Pattern)
		seen[a.Pattern] = true
		require.NotEmpty(t, a.Key)
		require.Positive(t, a.ItemBytes)
	}
}

func TestShards(t *testing.T) {
	t.Parallel()
	used := map[int]int{}
	for _, id := range hostileIDs() {
		require.Zero(t, shardOf(OrderID(id), 1))
		require.Zero(t, shardOf(OrderID(id), 0))
		shard := shardOf(OrderID(id), 4)
		require.Equal(t, shard, shardOf(OrderID(id), 4))
		used[shard]++
	}
	require.Len(t, used, 4)
	for shard, n := range used {
		require.Greater(t, n, len(hostileIDs())/12, "shard %d takes its part", shard)
	}
}
