package dal

import (
	"context"
	"slices"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// PatternPlaceOrder is the name of the pattern behind [Table.PlaceOrder].
const PatternPlaceOrder Pattern = "place-order"

// maxQuantity bounds the quantity of one line, so that an order's total stays within 38 digits.
const maxQuantity = 10_000

// NewOrder is an order to place.
type NewOrder struct {
	Customer  CustomerID
	Warehouse WarehouseID
	Lines     []NewLine
}

// NewLine is one line of an order to place.
type NewLine struct {
	SKU      SKU
	Quantity int
}

// PlacedOrder is an order as it was written.
type PlacedOrder struct {
	Order *Order
	Lines []*OrderItem
}

// Answers are the reads of the order's lines that what was written already answers.
func (p *PlacedOrder) Answers() []Answer {
	entities := make([]Entity, len(p.Lines))
	for i, line := range p.Lines {
		entities[i] = line
	}
	return splitLines(Result{Entities: entities})
}

// PlaceOrder places an order at the products' prices of this moment.
//
// Access pattern: place-order, one BatchGetItem of the customer, the warehouse and the products, then one
// TransactWriteItems of both copies of the order, its lines, and the customer's counters.
//
// Cost: 2 requests in 2 rounds; 1 read unit for each item read, 2 write units for each item written and 2 for each
// copy in an index.
//
// Consistency: strong reads; the customer must still exist when the order is written.
//
// Errors: a rejection for each thing that is missing or out of bounds; KindConflict, KindThrottled and the like.
func (t *Table) PlaceOrder(ctx context.Context, in NewOrder) (*PlacedOrder, []*Rejection, error) {
	if rejections := checkLines(in.Lines); len(rejections) > 0 {
		return nil, rejections, nil
	}
	found, err := t.loadForOrder(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	if rejections := found.missing(in); len(rejections) > 0 {
		return nil, rejections, nil
	}
	placed, rejections, err := t.price(in, found)
	if err != nil || len(rejections) > 0 {
		return nil, rejections, err
	}
	refused, err := t.transact(ctx, startSpan(ctx, opTransactWrite, 0, PatternPlaceOrder), t.placeActions(placed))
	switch {
	case err != nil:
		return nil, nil, err
	case slices.Contains(refused, 0):
		return nil, []*Rejection{missingCustomer()}, nil
	case len(refused) > 0:
		return nil, nil, &Error{Op: "PlaceOrder", Kind: KindConflict, Key: orderKey(placed.Order.ID)}
	}
	return placed, nil, nil
}

func checkLines(lines []NewLine) (rejections []*Rejection) {
	if len(lines) < 1 || len(lines) > MaxLines {
		return []*Rejection{reject(RejectedInvalid, []string{"lines"}, "an order has 1 to %d lines", MaxLines)}
	}
	for i, line := range lines {
		if line.Quantity < 1 || line.Quantity > maxQuantity {
			rejections = append(rejections, reject(RejectedInvalid, []string{"lines", strconv.Itoa(i), "quantity"},
				"a quantity is 1 to %d", maxQuantity))
		}
	}
	return rejections
}

// orderInputs are what an order is made of.
type orderInputs struct {
	customer, warehouse bool
	products            map[SKU]*Product
}

func (t *Table) loadForOrder(ctx context.Context, in NewOrder) (orderInputs, error) {
	under := func(r Read) Read { return Read{pattern: PatternPlaceOrder, key: r.key} }
	customer, warehouse := under(CustomerByID(in.Customer)), under(WarehouseByID(in.Warehouse))
	reads := []Read{customer, warehouse}
	for _, line := range in.Lines {
		reads = append(reads, under(ProductBySKU(line.SKU)))
	}
	results := t.Load(ctx, reads, LoadOptions{Consistency: Strong})
	found := orderInputs{products: make(map[SKU]*Product, len(in.Lines))}
	for r, res := range results {
		if res.Err != nil {
			return orderInputs{}, res.Err
		}
		exists := len(res.Entities) > 0
		switch {
		case r == customer:
			found.customer = exists
		case r == warehouse:
			found.warehouse = exists
		case exists:
			if p, ok := res.Entities[0].(*Product); ok {
				found.products[p.SKU] = p
			}
		}
	}
	return found, nil
}

func missingCustomer() *Rejection {
	return reject(RejectedNotFound, []string{"customerId"}, "there is no such customer")
}

// missing rejects everything the input points to that does not exist.
func (f orderInputs) missing(in NewOrder) (rejections []*Rejection) {
	if !f.customer {
		rejections = append(rejections, missingCustomer())
	}
	if !f.warehouse {
		rejections = append(rejections, reject(RejectedNotFound, []string{"warehouseId"}, "there is no such warehouse"))
	}
	for i, line := range in.Lines {
		if f.products[line.SKU] == nil {
			rejections = append(rejections, reject(RejectedNotFound, []string{"lines", strconv.Itoa(i), "sku"},
				"there is no such product"))
		}
	}
	return rejections
}

// price makes the order: a snapshot of every product, and the exact total.
func (t *Table) price(in NewOrder, found orderInputs) (*PlacedOrder, []*Rejection, error) {
	now := t.now()
	id, err := newID(now)
	if err != nil {
		return nil, nil, err
	}
	placed := &PlacedOrder{Order: &Order{
		ID: OrderID(id), CustomerID: in.Customer, WarehouseID: in.Warehouse, PlacedAt: now, Status: StatusPending,
		ItemCount: len(in.Lines), Version: 1, UpdatedAt: now,
		Total: Money{Currency: found.products[in.Lines[0].SKU].Price.Currency},
	}}
	for i, line := range in.Lines {
		product := found.products[line.SKU]
		item := &OrderItem{
			OrderID: placed.Order.ID, Line: i + 1, SKU: line.SKU, Name: product.Name,
			Quantity: line.Quantity, UnitPrice: product.Price,
		}
		if product.Price.Currency != placed.Order.Total.Currency {
			return nil, []*Rejection{reject(RejectedMixedCurrencies, []string{"lines", strconv.Itoa(i), "sku"},
				"the products of one order have one currency")}, nil
		}
		if placed.Order.Total, err = placed.Order.Total.Add(item.LineTotal()); err != nil {
			return nil, nil, err
		}
		placed.Lines = append(placed.Lines, item)
	}
	return placed, nil, nil
}

// placeActions are the customer's counters, both copies of the order, and its lines.
func (t *Table) placeActions(placed *PlacedOrder) []types.TransactWriteItem {
	actions := []types.TransactWriteItem{
		{Update: &types.Update{
			TableName: &t.config.Name, Key: customerKey(placed.Order.CustomerID).attributes(),
			ConditionExpression: aws.String(ifPresent),
			UpdateExpression: aws.String("SET " + attrOrderCount + " = " + attrOrderCount + " + :one, " +
				attrOpenOrderCount + " = " + attrOpenOrderCount + " + :one"),
			ExpressionAttributeValues: item{":one": num(1)},
		}},
		t.create(placed.Order.customerCopy(t.Shards())),
		t.create(placed.Order.header()),
	}
	for _, line := range placed.Lines {
		actions = append(actions, t.create(line.item()))
	}
	return actions
}

func placeOrderAccess() Access {
	key := orderKey("<id>")
	return Access{
		Pattern: PatternPlaceOrder, Operation: opTransactWrite,
		Key: key.PK + " / " + key.SK + " and lines, " + customerKey("<customer>").PK, ItemBytes: MaxOrderBytes, Strong: true,
	}.writing(PlaceOrderBound(1))
}
