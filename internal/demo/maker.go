package demo

import (
	"fmt"
	"time"

	"example.com/keyfirst/dal"
)

const currency = "EUR"

// maker collects records and keeps the first failure, which can only be a fault of this package.
type maker struct {
	records []dal.Record
	err     error
}

func (m *maker) keep(err error) {
	if m.err == nil {
		m.err = err
	}
}

// euros is an exact price, from cents.
func (m *maker) euros(cents int) dal.Money {
	amount, err := dal.ParseDecimal(fmt.Sprintf("%d.%02d", cents/100, cents%100))
	m.keep(err)
	price, err := dal.NewMoney(amount, currency)
	m.keep(err)
	return price
}

func (m *maker) customer(c *dal.Customer) {
	email, err := dal.ParseEmail(c.Email)
	m.keep(err)
	m.records = append(m.records, dal.CustomerRecord{Customer: c, Email: email})
}

// pick is one line of an order to come.
type pick struct {
	good     *good
	quantity int
}

// order adds the lines and the exact total to the order, keeps it, and counts it for its customer.
func (m *maker) order(customer *dal.Customer, o *dal.Order, picks ...pick) {
	lines := make([]*dal.OrderItem, len(picks))
	total := m.euros(0)
	for i, p := range picks {
		lines[i] = &dal.OrderItem{
			OrderID: o.ID, Line: i + 1, SKU: p.good.sku, Name: p.good.name,
			Quantity: p.quantity, UnitPrice: m.euros(p.good.centsAt(o.PlacedAt)),
		}
		sum, err := total.Add(lines[i].LineTotal())
		m.keep(err)
		total = sum
	}
	o.CustomerID, o.Total, o.ItemCount = customer.ID, total, len(lines)
	customer.OrderCount++
	if o.Status.Open() {
		customer.OpenOrderCount++
	}
	m.records = append(m.records, dal.OrderRecord{Order: o, Lines: lines})
}

// progress is how an order in a status came there: the version counts the changes, the delay is that of the last.
func progress(status dal.OrderStatus) (version int, delay time.Duration) {
	switch status {
	case dal.StatusPending:
		return 1, 0
	case dal.StatusPaid:
		return 2, 25 * time.Minute
	case dal.StatusShipped:
		return 3, 26 * time.Hour
	case dal.StatusDelivered:
		return 4, 75 * time.Hour
	case dal.StatusCancelled:
		return 2, 3 * time.Hour
	}
	return 1, 0
}

// placed is an order as far as its time and status say.
func placed(id string, at time.Time, status dal.OrderStatus, warehouse dal.WarehouseID) *dal.Order {
	version, delay := progress(status)
	return &dal.Order{
		ID: dal.OrderID(id), WarehouseID: warehouse, PlacedAt: at, Status: status,
		Version: version, UpdatedAt: at.Add(delay),
	}
}

func day(year int, month time.Month, dayOfMonth int) time.Time {
	return time.Date(year, month, dayOfMonth, 0, 0, 0, 0, time.UTC)
}
