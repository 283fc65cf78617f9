package demo

import (
	"context"
	"fmt"

	"example.com/keyfirst/dal"
)

// Records are all entities of the demo: products, warehouses, Ann with her orders, and the shop's customers with
// theirs. Every call makes them anew.
func Records() ([]dal.Record, error) {
	m := &maker{}
	shelf := m.shelf()
	m.products(shelf)
	m.warehouses()
	m.ann(shelf)
	m.shop(shelf)
	if m.err != nil {
		return nil, fmt.Errorf("demo: %w", m.err)
	}
	return m.records, nil
}

// Load writes the demo into an empty table.
func Load(ctx context.Context, table *dal.Table) error {
	records, err := Records()
	if err != nil {
		return err
	}
	if err := table.Fill(ctx, records); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	return nil
}
