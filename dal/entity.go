package dal

import "time"

// Customer is someone who places orders.
type Customer struct {
	ID                   CustomerID
	Name                 string
	Email                string
	CreatedAt, UpdatedAt time.Time
	// Version is raised by every change of name or e-mail.
	Version int
	// OrderCount and OpenOrderCount follow the customer's orders.
	OrderCount, OpenOrderCount int
}

// NodeID is the customer's readable id.
func (c *Customer) NodeID() string { return ID{Type: TypeCustomer, Raw: string(c.ID)}.String() }

// ByID is the read that fetches the customer.
func (c *Customer) ByID() Read { return CustomerByID(c.ID) }

// OrderStatus is how far an order has come.
type OrderStatus string

// The statuses. PENDING and PAID are open: the order is in the sparse index of its warehouse.
const (
	StatusPending   OrderStatus = "PENDING"
	StatusPaid      OrderStatus = "PAID"
	StatusShipped   OrderStatus = "SHIPPED"
	StatusDelivered OrderStatus = "DELIVERED"
	StatusCancelled OrderStatus = "CANCELLED"
)

func (s OrderStatus) valid() bool {
	switch s {
	case StatusPending, StatusPaid, StatusShipped, StatusDelivered, StatusCancelled:
		return true
	}
	return false
}

// Open says that the order has still to be sent.
func (s OrderStatus) Open() bool { return s == StatusPending || s == StatusPaid }

// Order is what one customer bought at one time. It is stored twice, in its customer's partition and in its own.
type Order struct {
	ID          OrderID
	CustomerID  CustomerID
	WarehouseID WarehouseID
	PlacedAt    time.Time
	Status      OrderStatus
	Total       Money
	// ItemCount is the number of lines, fixed once placed: the keys of the lines follow from it.
	ItemCount int
	Version   int
	UpdatedAt time.Time
}

// NodeID is the order's readable id.
func (o *Order) NodeID() string { return ID{Type: TypeOrder, Raw: string(o.ID)}.String() }

// ByID is the read that fetches the order.
func (o *Order) ByID() Read { return OrderByID(o.ID) }

// Position is the order's place in every list of orders.
func (o *Order) Position() OrderPosition { return positionOf(o.PlacedAt, o.ID) }

// OrderItem is one line of an order.
type OrderItem struct {
	OrderID OrderID
	// Line is the line's number, from 1.
	Line int
	SKU  SKU
	// Name and UnitPrice are the product's when the order was placed.
	Name      string
	Quantity  int
	UnitPrice Money
}

// NodeID is the line's readable id.
func (i *OrderItem) NodeID() string {
	return ID{Type: TypeOrderItem, Raw: string(i.OrderID), Line: i.Line}.String()
}

// ByID is the read that fetches the line.
func (i *OrderItem) ByID() Read { return ItemByID(i.OrderID, i.Line) }

// SKUText is the stock-keeping unit of what was bought.
func (i *OrderItem) SKUText() string { return string(i.SKU) }

// LineTotal is quantity times unit price.
func (i *OrderItem) LineTotal() Money { return i.UnitPrice.Mul(i.Quantity) }

// Product is something that can be bought.
type Product struct {
	SKU       SKU
	Name      string
	Price     Money
	Version   int
	UpdatedAt time.Time
}

// NodeID is the product's readable id.
func (p *Product) NodeID() string { return ID{Type: TypeProduct, Raw: string(p.SKU)}.String() }

// ByID is the read that fetches the product.
func (p *Product) ByID() Read { return ProductBySKU(p.SKU) }

// SKUText is the product's stock-keeping unit.
func (p *Product) SKUText() string { return string(p.SKU) }

// Warehouse is where orders are sent from.
type Warehouse struct {
	ID        WarehouseID
	Name      string
	Version   int
	UpdatedAt time.Time
}

// NodeID is the warehouse's readable id.
func (w *Warehouse) NodeID() string { return ID{Type: TypeWarehouse, Raw: string(w.ID)}.String() }

// ByID is the read that fetches the warehouse.
func (w *Warehouse) ByID() Read { return WarehouseByID(w.ID) }

// EmailOwner is the guard that makes an e-mail address belong to one customer.
type EmailOwner struct {
	Folded     string
	CustomerID CustomerID
}

// ByID is the read that fetches the guard.
func (e *EmailOwner) ByID() Read { return ownerByEmail(e.Folded) }
