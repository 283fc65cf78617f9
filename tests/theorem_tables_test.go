package tests

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/dal"
)

// shop is what is in a table, in plain maps by raw id.
type shop struct {
	shards     int
	customers  map[dal.CustomerID]*dal.Customer
	emails     map[string]dal.CustomerID // by the folded address
	orders     map[dal.OrderID]*dal.Order
	items      map[dal.OrderID][]*dal.OrderItem
	products   map[dal.SKU]*dal.Product
	warehouses map[dal.WarehouseID]*dal.Warehouse
	// byCustomer and byWarehouse are the two lists of orders, oldest first.
	byCustomer  map[dal.CustomerID][]*dal.Order
	byWarehouse map[dal.WarehouseID][]*dal.Order
	// ids are all ids of each type, of what is there and of what is gone.
	ids map[dal.EntityType][]string
}

func newShop(shards int) *shop {
	return &shop{
		shards: shards, customers: map[dal.CustomerID]*dal.Customer{}, emails: map[string]dal.CustomerID{},
		orders: map[dal.OrderID]*dal.Order{}, items: map[dal.OrderID][]*dal.OrderItem{},
		products: map[dal.SKU]*dal.Product{}, warehouses: map[dal.WarehouseID]*dal.Warehouse{},
		byCustomer: map[dal.CustomerID][]*dal.Order{}, byWarehouse: map[dal.WarehouseID][]*dal.Order{},
		ids: map[dal.EntityType][]string{},
	}
}

// hostile are ids made to break keys, orders and readable ids.
var hostile = []string{
	"#", "%", "%23", "a#b", "a", "a_001", "a_002", "_", "#PROFILE", "1#HEADER", "PROFILE", "HEADER", "001", "$", "~",
	"0", "9", ":", " ", "é", "e\u0301", "👾", "\x00", "\"", "2025-03-01#x", "42", "042", "item_a_001", "\uffff", "A", "b",
	strings.Repeat("#", 64), strings.Repeat("z", 64), strings.Repeat("👾", 16), "%25", "a%23b", "north", "north#0", "north#1",
}

// newID gives an id that the type does not have yet.
func (s *shop) newID(random *rand.Rand, t dal.EntityType) string {
	for try := 0; ; try++ {
		raw := hostile[random.IntN(len(hostile))]
		if try > 5 || random.IntN(3) == 0 {
			raw = fmt.Sprintf("%c%d", 'a'+rune(random.IntN(26)), random.IntN(100_000))
		}
		id := dal.ID{Type: t, Raw: raw}.String()
		if !slices.Contains(s.ids[t], id) {
			s.ids[t] = append(s.ids[t], id)
			return raw
		}
	}
}

// sizes bound a random shop.
type sizes struct{ customers, orders, lines, products, warehouses, shards int }

// instants are few, so that orders of one customer are often placed at the same one.
var instants = []string{
	"2025-03-01T00:00:00Z", "2025-03-01T00:00:00.001Z", "2025-03-01T09:15:00Z", "2025-03-01T23:59:59.999Z",
	"2025-03-02T00:00:00Z", "2024-02-29T12:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.998Z",
}

func randomInstant(random *rand.Rand) time.Time {
	at, err := dal.ParseTime(instants[random.IntN(len(instants))])
	if err != nil {
		panic(err)
	}
	if random.IntN(3) == 0 {
		at = time.Date(2025, 3, 1+random.IntN(3), random.IntN(24), 0, 0, 0, time.UTC)
	}
	return at
}

var statuses = []dal.OrderStatus{
	dal.StatusPending, dal.StatusPaid, dal.StatusShipped, dal.StatusDelivered, dal.StatusCancelled,
}

// randomShop makes a shop in which a part of the customers, products and warehouses that orders point to is gone.
func randomShop(t require.TestingT, random *rand.Rand, most sizes) *shop {
	s := newShop(1 + random.IntN(most.shards))
	gone := func() bool { return random.IntN(5) == 0 }
	var customers []dal.CustomerID
	for i := range random.IntN(most.customers + 1) {
		id := dal.CustomerID(s.newID(random, dal.TypeCustomer))
		customers = append(customers, id)
		if !gone() {
			s.addCustomer(t, &dal.Customer{
				ID: id, Name: randomWord(random), Email: fmt.Sprintf("Ünser.%d@example%d.com", i, i%3),
				CreatedAt: randomInstant(random), UpdatedAt: randomInstant(random), Version: 1 + i,
			})
		}
	}
	var skus []dal.SKU
	for range 1 + random.IntN(most.products) {
		p := &dal.Product{
			SKU: dal.SKU(s.newID(random, dal.TypeProduct)), Name: randomWord(random), Price: randomMoney(t, random, "EUR"),
			Version: 1, UpdatedAt: randomInstant(random),
		}
		if random.IntN(6) == 0 {
			p.Price.Currency = "JPY"
		}
		skus = append(skus, p.SKU)
		if !gone() {
			s.products[p.SKU] = p
		}
	}
	var warehouses []dal.WarehouseID
	for range 1 + random.IntN(most.warehouses) {
		w := &dal.Warehouse{
			ID: dal.WarehouseID(s.newID(random, dal.TypeWarehouse)), Name: randomWord(random), Version: 1,
			UpdatedAt: randomInstant(random),
		}
		warehouses = append(warehouses, w.ID)
		if !gone() {
			s.warehouses[w.ID] = w
		}
	}
	for _, customer := range customers {
		for range random.IntN(most.orders + 1) {
			o := &dal.Order{
				ID: dal.OrderID(s.newID(random, dal.TypeOrder)), CustomerID: customer,
				WarehouseID: warehouses[random.IntN(len(warehouses))], PlacedAt: randomInstant(random),
				Status: statuses[random.IntN(len(statuses))], Total: randomMoney(t, random, "EUR"), Version: 1,
				UpdatedAt: randomInstant(random),
			}
			var lines []*dal.OrderItem
			for line := range 1 + random.IntN(most.lines) {
				lines = append(lines, &dal.OrderItem{
					OrderID: o.ID, Line: line + 1, SKU: skus[random.IntN(len(skus))], Name: randomWord(random),
					Quantity: 1 + random.IntN(10_000), UnitPrice: randomMoney(t, random, "EUR"),
				})
			}
			s.addOrder(o, lines)
		}
	}
	return s
}

func (s *shop) addCustomer(t require.TestingT, c *dal.Customer) {
	email, err := dal.ParseEmail(c.Email)
	require.NoError(t, err)
	s.customers[c.ID] = c
	s.emails[email.Folded] = c.ID
}

// addOrder puts an order in, with its lines, and counts it.
func (s *shop) addOrder(o *dal.Order, lines []*dal.OrderItem) {
	o.ItemCount = len(lines)
	s.orders[o.ID], s.items[o.ID] = o, lines
	s.byCustomer[o.CustomerID] = inserted(s.byCustomer[o.CustomerID], o)
	if o.Status.Open() {
		s.byWarehouse[o.WarehouseID] = inserted(s.byWarehouse[o.WarehouseID], o)
	}
	if c := s.customers[o.CustomerID]; c != nil {
		counted := *c
		counted.OrderCount++
		if o.Status.Open() {
			counted.OpenOrderCount++
		}
		s.customers[o.CustomerID] = &counted
	}
}

// inserted keeps a list of orders by time, then by the bytes of their escaped ids.
func inserted(orders []*dal.Order, o *dal.Order) []*dal.Order {
	at, _ := slices.BinarySearchFunc(orders, o, func(a, b *dal.Order) int {
		return strings.Compare(sortKey(a.Position()), sortKey(b.Position()))
	})
	return slices.Insert(slices.Clone(orders), at, o)
}

var escaped = strings.NewReplacer("%", "%25", "#", "%23")

func sortKey(p dal.OrderPosition) string { return p.Placed + "#" + escaped.Replace(string(p.Order)) }

// records is the shop as the table stores it.
func (s *shop) records(t require.TestingT) (records []dal.Record) {
	for _, c := range s.customers {
		email, err := dal.ParseEmail(c.Email)
		require.NoError(t, err)
		records = append(records, dal.CustomerRecord{Customer: c, Email: email})
	}
	for _, o := range s.orders {
		records = append(records, dal.OrderRecord{Order: o, Lines: s.items[o.ID]})
	}
	for _, p := range s.products {
		records = append(records, dal.ProductRecord{Product: p})
	}
	for _, w := range s.warehouses {
		records = append(records, dal.WarehouseRecord{Warehouse: w})
	}
	return records
}

var words = []string{"Ann", "a \"quoted\" <name> & more", "Zoë", "日本", "𝒵", "line\nbreak", "\\", "x"}

func randomWord(random *rand.Rand) string { return words[random.IntN(len(words))] }

func randomMoney(t require.TestingT, random *rand.Rand, currency string) dal.Money {
	amount, err := dal.ParseDecimal([]string{"0", "19.90", "0.0000000001", "12345678901234567890.12", "7"}[random.IntN(5)])
	require.NoError(t, err)
	return dal.Money{Amount: amount, Currency: currency}
}
