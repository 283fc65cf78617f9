package dal

// PatternProductByID is the name of the pattern behind [ProductBySKU].
const PatternProductByID Pattern = "product-by-id"

// ProductBySKU reads one product.
//
// Access pattern: product-by-id, GetItem of the product's PROFILE; siblings of any type merge into BatchGetItem.
//
// Cost: 1 key; 0.5 read units, 1 when strongly consistent.
//
// Consistency: eventual or strong.
//
// Errors: an unknown product is a result without entities.
func ProductBySKU(sku SKU) Read { return itemRead(PatternProductByID, productKey(sku)) }

func productByIDAccess() Access {
	key := productKey("<sku>")
	return Access{
		Pattern: PatternProductByID, Operation: opGetItem, Key: key.PK + " / " + key.SK,
		ItemBytes: MaxProductBytes, Strong: true,
	}.reading(ProductBySKU("sku"))
}
