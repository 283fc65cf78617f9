package dal

import (
	"context"
)

// PatternPutProduct is the name of the pattern behind [Table.PutProduct].
const PatternPutProduct Pattern = "put-product"

// NewProduct is a product as it shall be.
type NewProduct struct {
	SKU   SKU
	Name  string
	Price Money
}

// PutProduct creates the product, or changes the one that has the SKU.
//
// Access pattern: put-product, GetItem of the product, then one TransactWriteItems with an Update of what was read.
//
// Cost: 2 requests in 2 rounds; 1 read unit, 2 write units.
//
// Consistency: strong; when another write comes between, both steps are done again, a bounded number of times.
//
// Errors: a rejection for a bad name or price; KindConflict when others kept winning.
func (t *Table) PutProduct(ctx context.Context, in NewProduct) (*Product, []*Rejection, error) {
	if r := checkName(in.Name, "name"); r != nil {
		return nil, []*Rejection{r}, nil
	}
	if in.Price.Amount.Sign() < 0 {
		return nil, []*Rejection{
			reject(RejectedInvalid, []string{"price", "amount"}, "a price is not negative"),
		}, nil
	}
	p := &Product{SKU: in.SKU, Name: in.Name, Price: in.Price}
	err := t.upsert(ctx, PatternPutProduct, ProductBySKU(in.SKU), func(old Entity) item {
		p.Version, p.UpdatedAt = 1, t.now()
		if before, ok := old.(*Product); ok {
			p.Version = before.Version + 1
		}
		return p.item()
	})
	if err != nil {
		return nil, nil, err
	}
	return p, nil, nil
}

func putProductAccess() Access {
	key := productKey("<sku>")
	return Access{
		Pattern: PatternPutProduct, Operation: opTransactWrite, Key: key.PK + " / " + key.SK,
		ItemBytes: MaxProductBytes, Strong: true,
	}.writing(PutProductBound())
}
