package dal

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseID(t *testing.T) {
	t.Parallel()
	longest := strings.Repeat("x", maxIDBytes)
	for _, c := range []struct {
		text string
		want ID
	}{
		{"cust_42", ID{Type: TypeCustomer, Raw: "42"}},
		{"order_A17", ID{Type: TypeOrder, Raw: "A17"}},
		{"item_A17_001", ID{Type: TypeOrderItem, Raw: "A17", Line: 1}},
		{"item_A17_090", ID{Type: TypeOrderItem, Raw: "A17", Line: MaxLines}},
		{"prod_SKU 1", ID{Type: TypeProduct, Raw: "SKU 1"}},
		{"wh_north", ID{Type: TypeWarehouse, Raw: "north"}},
		{"cust_" + longest, ID{Type: TypeCustomer, Raw: longest}},
		{"item_" + longest + "_001", ID{Type: TypeOrderItem, Raw: longest, Line: 1}},
		{"order_a_b_", ID{Type: TypeOrder, Raw: "a_b_"}},
		{"item_a_b_003", ID{Type: TypeOrderItem, Raw: "a_b", Line: 3}},
		{"item___001", ID{Type: TypeOrderItem, Raw: "_", Line: 1}},
		{"cust_a#b%c", ID{Type: TypeCustomer, Raw: "a#b%c"}},
		{"cust_\x00\n", ID{Type: TypeCustomer, Raw: "\x00\n"}},
		{"wh_\U0001F600", ID{Type: TypeWarehouse, Raw: "\U0001F600"}},
	} {
		t.Run(c.text, func(t *testing.T) {
			t.Parallel()
			got, err := ParseID(c.text)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
			require.Equal(t, c.text, got.String(), "an id has one spelling")
		})
	}
}

func TestParseIDRefuses(t *testing.T) {
	t.Parallel()
	tooLong := strings.Repeat("x", maxIDBytes+1)
	for _, text := range []string{
		"", "_", "42", "cust", "cust_", "Cust_42", "CUST_42", " cust_42", "customer_42", "custard_42",
		"order_", "prod_", "wh_", "item_", "item_A17", "item__001", "item_001",
		"item_A17_000", "item_A17_091", "item_A17_1", "item_A17_01", "item_A17_0001", "item_A17_-01",
		"item_A17_+01", "item_A17_0x1", "item_A17_ 01", "item_A17_00\u0661", "item_A17_1e1",
		"cust_" + tooLong, "order_" + tooLong, "prod_" + tooLong, "wh_" + tooLong, "item_" + tooLong + "_001",
		"cust_\xff", "item_\xff_001", "wh_\xed\xa0\x80", "prod_a\xc0\x80",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			got, err := ParseID(text)
			require.Error(t, err)
			require.Equal(t, KindInvalid, kindOf(err))
			require.NotEmpty(t, ReasonOf(err), "the client is told why")
			require.Zero(t, got)
		})
	}
}

func TestParseIDOfAnotherType(t *testing.T) {
	t.Parallel()
	ids := map[EntityType]string{
		TypeCustomer: "cust_42", TypeOrder: "order_A17", TypeOrderItem: "item_A17_001", TypeProduct: "prod_X", TypeWarehouse: "wh_n",
	}
	for want := range ids {
		for got, text := range ids {
			_, err := ParseIDOf(want, text)
			if want == got {
				require.NoError(t, err)
				continue
			}
			require.Equal(t, KindInvalid, kindOf(err))
			require.Contains(t, ReasonOf(err), string(want), "says which type was expected")
			require.Contains(t, ReasonOf(err), string(got))
		}
	}
	for _, parse := range []func(string) error{
		func(s string) error { _, err := ParseCustomerID(s); return err },
		func(s string) error { _, err := ParseOrderID(s); return err },
		func(s string) error { _, err := ParseProductID(s); return err },
		func(s string) error { _, err := ParseWarehouseID(s); return err },
	} {
		accepted := 0
		for _, text := range ids {
			if parse(text) == nil {
				accepted++
			}
		}
		require.Equal(t, 1, accepted)
	}
}

func TestParseIDs(t *testing.T) {
	t.Parallel()
	many := slices.Repeat([]string{"cust_42"}, MaxIDs)
	ids, err := ParseIDs(many)
	require.NoError(t, err)
	require.Len(t, ids, MaxIDs)

	_, err = ParseIDs(append(many, "cust_42"))
	require.Equal(t, KindInvalid, kindOf(err))

	_, err = ParseIDs([]string{"cust_42", "nonsense"})
	require.Equal(t, KindInvalid, kindOf(err))
	require.Contains(t, ReasonOf(err), "id 1", "says which of the ids")

	ids, err = ParseIDs(nil)
	require.NoError(t, err)
	require.Empty(t, ids)
}

func TestParseSKU(t *testing.T) {
	t.Parallel()
	for text, ok := range map[string]bool{
		"X": true, "a#b": true, strings.Repeat("x", maxIDBytes): true,
		"": false, strings.Repeat("x", maxIDBytes+1): false, "\xff": false,
	} {
		_, err := ParseSKU(text)
		require.Equal(t, ok, err == nil, "%q", text)
	}
}

func TestIDReadIsThatOfItsEntity(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		id     string
		entity interface {
			Entity
			NodeID() string
		}
	}{
		{"cust_4#2", &Customer{ID: "4#2"}},
		{"order_A17", &Order{ID: "A17"}},
		{"item_A17_007", &OrderItem{OrderID: "A17", Line: 7}},
		{"prod_X", &Product{SKU: "X"}},
		{"wh_n", &Warehouse{ID: "n"}},
	} {
		id, err := ParseID(c.id)
		require.NoError(t, err)
		require.Equal(t, c.id, c.entity.NodeID())
		require.Equal(t, id.Read(), c.entity.ByID())
	}
}

func FuzzParseID(f *testing.F) {
	for _, s := range []string{"cust_42", "item_A17_001", "item_a_+01", "prod_\xff", "wh_#", "order_%23"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		id, err := ParseID(s)
		if err != nil {
			require.Equal(t, KindInvalid, kindOf(err))
			require.NotEmpty(t, ReasonOf(err))
			return
		}
		require.Equal(t, s, id.String())
		require.Equal(t, keyOf(id.Read().key.attributes()), id.Read().key)
	})
}
