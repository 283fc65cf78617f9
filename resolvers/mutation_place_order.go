package resolvers

import (
	"context"
	"strconv"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/graph"
)

// PlaceOrder places an order at today's prices.
func (m mutation) PlaceOrder(ctx context.Context, input graph.PlaceOrderInput) (*graph.PlaceOrderPayload, error) {
	customerID, err := dal.ParseCustomerID(input.CustomerID)
	if err != nil {
		return nil, err
	}
	warehouseID, err := dal.ParseWarehouseID(input.WarehouseID)
	if err != nil {
		return nil, err
	}
	in := dal.NewOrder{Customer: customerID, Warehouse: warehouseID}
	for i, line := range input.Lines {
		sku, err := dal.ParseSKU(line.Sku)
		if err != nil {
			return &graph.PlaceOrderPayload{UserErrors: invalidInput(err, "lines", strconv.Itoa(i), "sku")}, nil
		}
		in.Lines = append(in.Lines, dal.NewLine{SKU: sku, Quantity: line.Quantity})
	}
	placed, rejections, err := m.table.PlaceOrder(ctx, in)
	if err != nil {
		return nil, err
	}
	if placed == nil {
		return &graph.PlaceOrderPayload{UserErrors: listed(rejections)}, nil
	}
	wrote(ctx, placed.Order, placed.Answers()...)
	return &graph.PlaceOrderPayload{Order: placed.Order, UserErrors: listed(nil)}, nil
}
