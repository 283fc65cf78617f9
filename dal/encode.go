package dal

import (
	"hash/fnv"
)

// item is the customer as it is stored; folded is the e-mail address as it is compared.
func (c *Customer) item(folded string) item {
	return customerKey(c.ID).with(item{
		attrName: str(c.Name), attrEmail: str(c.Email), attrEmailKey: str(folded),
		attrCreatedAt: when(c.CreatedAt), attrUpdatedAt: when(c.UpdatedAt), attrVersion: num(c.Version),
		attrOrderCount: num(c.OrderCount), attrOpenOrderCount: num(c.OpenOrderCount),
	})
}

// attributes are what both copies of an order carry.
func (o *Order) attributes() item {
	return item{
		attrCustomer: str(string(o.CustomerID)), attrWarehouse: str(string(o.WarehouseID)),
		attrPlacedAt: when(o.PlacedAt), attrStatus: str(string(o.Status)),
		attrTotal: dec(o.Total.Amount), attrCurrency: str(o.Total.Currency),
		attrItemCount: num(o.ItemCount), attrVersion: num(o.Version), attrUpdatedAt: when(o.UpdatedAt),
	}
}

// header is the copy in the order's own partition. It carries no key of an index: an index sees one of the copies.
func (o *Order) header() item { return orderKey(o.ID).with(o.attributes()) }

// customerCopy is the copy in the customer's partition, with the keys of the indexes.
func (o *Order) customerCopy(shards int) item {
	copied := customerOrderKey(o.CustomerID, o.Position()).with(o.attributes())
	copied[attrStatusKey] = str(statusSortKey(o.Status, o.Position()))
	if o.Status.Open() {
		copied[attrOpenWarehouse] = str(openWarehouseKey(o.WarehouseID, shardOf(o.ID, shards)))
		copied[attrOpenSince] = str(o.Position().segment())
	}
	return copied
}

// shardOf spreads the open orders of one warehouse.
func shardOf(id OrderID, shards int) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id))                     // a hash never fails
	return int(h.Sum32() % uint32(max(1, shards))) //nolint:gosec // shards is small and positive
}

func (i *OrderItem) item() item {
	return itemKey(i.OrderID, i.Line).with(item{
		attrSKU: str(string(i.SKU)), attrName: str(i.Name), attrQuantity: num(i.Quantity),
		attrUnitPrice: dec(i.UnitPrice.Amount), attrCurrency: str(i.UnitPrice.Currency),
	})
}

func (e *EmailOwner) item() item {
	return emailKey(e.Folded).with(item{attrCustomer: str(string(e.CustomerID))})
}

func (p *Product) item() item {
	return productKey(p.SKU).with(item{
		attrName: str(p.Name), attrPrice: dec(p.Price.Amount), attrCurrency: str(p.Price.Currency),
		attrVersion: num(p.Version), attrUpdatedAt: when(p.UpdatedAt),
	})
}

func (w *Warehouse) item() item {
	return warehouseKey(w.ID).with(item{
		attrName: str(w.Name), attrVersion: num(w.Version), attrUpdatedAt: when(w.UpdatedAt),
	})
}
