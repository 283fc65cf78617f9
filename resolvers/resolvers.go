package resolvers

import (
	"context"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/graph"
	"example.com/keyfirst/loaders"
)

// Table is what mutations write to.
type Table interface {
	CreateCustomer(context.Context, dal.NewCustomer) (*dal.Customer, []*dal.Rejection, error)
	PutProduct(context.Context, dal.NewProduct) (*dal.Product, []*dal.Rejection, error)
	PutWarehouse(context.Context, dal.NewWarehouse) (*dal.Warehouse, []*dal.Rejection, error)
	PlaceOrder(context.Context, dal.NewOrder) (*dal.PlacedOrder, []*dal.Rejection, error)
}

// Root gives the executor the resolvers of each type.
type Root struct{ table Table }

// New makes the resolvers over a table.
func New(table Table) *Root { return &Root{table: table} }

type (
	query     struct{}
	mutation  struct{ table Table }
	customer  struct{}
	order     struct{}
	orderItem struct{}
	warehouse struct{}
)

// Query resolves the root fields that read.
func (r *Root) Query() graph.QueryResolver { return query{} }

// Mutation resolves the root fields that write.
func (r *Root) Mutation() graph.MutationResolver { return mutation{r.table} }

// Customer resolves the fields of Customer.
func (r *Root) Customer() graph.CustomerResolver { return customer{} }

// Order resolves the fields of Order.
func (r *Root) Order() graph.OrderResolver { return order{} }

// OrderItem resolves the fields of OrderItem.
func (r *Root) OrderItem() graph.OrderItemResolver { return orderItem{} }

// Warehouse resolves the fields of Warehouse.
func (r *Root) Warehouse() graph.WarehouseResolver { return warehouse{} }

// one answers the read of a single item; nil is an item that does not exist.
func one[E dal.Entity](ctx context.Context, r dal.Read) (found E, err error) {
	e, err := loaders.From(ctx).One(ctx, r)
	if err != nil || e == nil {
		return found, err
	}
	found, ok := e.(E)
	if !ok {
		return found, notOfItsType()
	}
	return found, nil
}

// notOfItsType is the error of a read that found an entity of another type than its pattern reads.
func notOfItsType() error { return &dal.Error{Op: "resolve", Kind: dal.KindCorrupt} }
