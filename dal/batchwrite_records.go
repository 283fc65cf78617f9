package dal

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"
)

// Record is an entity with everything that is stored for it: [CustomerRecord], [OrderRecord], [ProductRecord] or
// [WarehouseRecord].
type Record interface {
	items(shards int) []item
}

// CustomerRecord is a customer and the guard of its e-mail address.
type CustomerRecord struct {
	Customer *Customer
	Email    Email
}

// OrderRecord is an order, stored twice, and its lines. The customer's counters are its customer's record's.
type OrderRecord struct {
	Order *Order
	Lines []*OrderItem
}

// ProductRecord is a product.
type ProductRecord struct{ Product *Product }

// WarehouseRecord is a warehouse.
type WarehouseRecord struct{ Warehouse *Warehouse }

func (r CustomerRecord) items(int) []item {
	guard := &EmailOwner{Folded: r.Email.Folded, CustomerID: r.Customer.ID}
	return []item{r.Customer.item(r.Email.Folded), guard.item()}
}

func (r OrderRecord) items(shards int) []item {
	items := []item{r.Order.customerCopy(shards), r.Order.header()}
	for _, line := range r.Lines {
		items = append(items, line.item())
	}
	return items
}

func (r ProductRecord) items(int) []item   { return []item{r.Product.item()} }
func (r WarehouseRecord) items(int) []item { return []item{r.Warehouse.item()} }

// maxBatchWrites is the most items of one BatchWriteItem
// (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html).
const maxBatchWrites = 25

// Fill writes records into a table that nobody else uses yet: nothing is checked against what is there.
//
// Access pattern: none; for demo data and tests.
//
// Cost: a write unit for each KB of each item and of its copies in indexes; 25 items a request, several at once.
//
// Consistency: no transaction: a failure leaves a part written.
//
// Errors: KindThrottled when items stay unprocessed after all retries, and the like.
func (t *Table) Fill(ctx context.Context, records []Record) error {
	var writes []types.WriteRequest
	for _, r := range records {
		for _, it := range r.items(t.Shards()) {
			writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{Item: it}})
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(t.config.Parallel)
	for chunk := range slices.Chunk(writes, maxBatchWrites) {
		group.Go(func() error { return t.putMany(ctx, chunk) })
	}
	return group.Wait()
}

func (t *Table) putMany(ctx context.Context, pending []types.WriteRequest) error {
	for try := 0; ; try++ {
		out, err := t.client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
			RequestItems: map[string][]types.WriteRequest{t.config.Name: pending},
		})
		if err != nil {
			return wrap("BatchWriteItem", Key{}, err)
		}
		pending = out.UnprocessedItems[t.config.Name]
		if len(pending) == 0 {
			return nil
		}
		if try == t.config.Retries {
			return &Error{Op: "BatchWriteItem", Kind: KindThrottled, Err: errUnprocessed}
		}
		if err := wait(ctx, try); err != nil {
			return wrap("BatchWriteItem", Key{}, err)
		}
	}
}
