package tests

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/dal"
)

// seedRecord is one line of a golden's seed: exactly one of its fields is given. What is left out has a default, so
// that a line says only what its test is about.
type seedRecord struct {
	Customer  *seedCustomer  `json:"customer"`
	Order     *seedOrder     `json:"order"`
	Product   *seedProduct   `json:"product"`
	Warehouse *seedWarehouse `json:"warehouse"`
}

type seedCustomer struct {
	ID, Name, Email string
	Orders, Open    int
}

type seedOrder struct {
	ID, Customer, Warehouse, Placed, Status string
	Lines                                   []seedLine
}

type seedLine struct {
	SKU      string
	Name     string
	Quantity int
	Price    string
	Currency string
}

type seedProduct struct{ SKU, Name, Price, Currency string }

type seedWarehouse struct{ ID, Name string }

// seedTime is when everything was created that does not say otherwise.
const seedTime = "2025-01-01T08:00:00Z"

// parseSeed reads JSON Lines of records.
func parseSeed(t require.TestingT, seed []byte) (records []dal.Record) {
	lines := json.NewDecoder(bytes.NewReader(seed))
	lines.DisallowUnknownFields()
	for {
		var line seedRecord
		err := lines.Decode(&line)
		if err == io.EOF { //nolint:errorlint // it is how a decoder ends
			return records
		}
		require.NoError(t, err)
		record, err := line.record()
		require.NoError(t, err)
		records = append(records, record)
	}
}

func (r seedRecord) record() (dal.Record, error) {
	switch {
	case r.Customer != nil:
		return r.Customer.record()
	case r.Order != nil:
		return r.Order.record()
	case r.Product != nil:
		return r.Product.record()
	case r.Warehouse != nil:
		created, err := dal.ParseTime(seedTime)
		return dal.WarehouseRecord{Warehouse: &dal.Warehouse{
			ID: dal.WarehouseID(r.Warehouse.ID), Name: r.Warehouse.Name, Version: 1, UpdatedAt: created,
		}}, err
	}
	return nil, errors.New("an empty line in a seed")
}

func (c *seedCustomer) record() (dal.Record, error) {
	email, err := dal.ParseEmail(c.Email)
	if err != nil {
		return nil, err
	}
	created, err := dal.ParseTime(seedTime)
	return dal.CustomerRecord{Email: email, Customer: &dal.Customer{
		ID: dal.CustomerID(c.ID), Name: c.Name, Email: c.Email, Version: 1, CreatedAt: created, UpdatedAt: created,
		OrderCount: c.Orders, OpenOrderCount: c.Open,
	}}, err
}

func (o *seedOrder) record() (dal.Record, error) {
	placed, err := dal.ParseTime(o.Placed)
	if err != nil {
		return nil, err
	}
	order := &dal.Order{
		ID: dal.OrderID(o.ID), CustomerID: dal.CustomerID(o.Customer), WarehouseID: dal.WarehouseID(o.Warehouse),
		PlacedAt: placed, UpdatedAt: placed, Status: dal.OrderStatus(o.Status), Version: 1, ItemCount: len(o.Lines),
	}
	record := dal.OrderRecord{Order: order}
	for i, l := range o.Lines {
		price, err := money(l.Price, l.Currency)
		if err != nil {
			return nil, err
		}
		item := &dal.OrderItem{
			OrderID: order.ID, Line: i + 1, SKU: dal.SKU(l.SKU), Name: l.Name, Quantity: l.Quantity, UnitPrice: price,
		}
		if i == 0 {
			order.Total.Currency = price.Currency
		}
		if order.Total, err = order.Total.Add(item.LineTotal()); err != nil {
			return nil, err
		}
		record.Lines = append(record.Lines, item)
	}
	return record, nil
}

func (p *seedProduct) record() (dal.Record, error) {
	price, err := money(p.Price, p.Currency)
	if err != nil {
		return nil, err
	}
	created, err := dal.ParseTime(seedTime)
	return dal.ProductRecord{Product: &dal.Product{
		SKU: dal.SKU(p.SKU), Name: p.Name, Price: price, Version: 1, UpdatedAt: created,
	}}, err
}

// money is an amount; without a currency it is in EUR.
func money(amount, currency string) (dal.Money, error) {
	parsed, err := dal.ParseDecimal(amount)
	if err != nil {
		return dal.Money{}, err
	}
	if currency == "" {
		currency = "EUR"
	}
	return dal.NewMoney(parsed, currency)
}
