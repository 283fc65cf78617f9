package dal

// Bound is the most that the read costs when it is sent alone. Single items share requests: [BatchRequests] says how
// many a number of them takes.
func (r Read) Bound(c Consistency, shards int) Bound {
	strong := c != Eventual && !r.Indexed()
	switch {
	case r.page.empty:
		return Bound{}
	case !r.IsPage():
		return Bound{Requests: 1, Keys: 1, ReadUnits: readUnits(r.pattern.itemBytes(), strong)}
	}
	bytes := r.page.limit * r.page.itemBytes
	if r.pattern == PatternCustomerWithOrders {
		bytes += MaxCustomerBytes - MaxOrderBytes
	}
	one := Bound{Requests: 1, Keys: r.page.limit, ReadUnits: readUnits(bytes, strong)}
	if !r.page.sharded {
		return one
	}
	return Bound{Requests: shards, Keys: shards * one.Keys, ReadUnits: float64(shards) * one.ReadUnits}
}

// BatchRequests is the number of BatchGetItem requests that a number of keys takes.
func BatchRequests(keys int) int { return (keys + maxBatchKeys - 1) / maxBatchKeys }

// Found is the most entities that the read can find.
func (r Read) Found() int {
	switch {
	case r.page.empty:
		return 0
	case r.IsPage():
		return r.page.count
	}
	return 1
}

// itemBytes bounds a single item that the pattern reads.
func (p Pattern) itemBytes() int {
	if p == PatternCustomerByID || p == PatternCustomerByEmail {
		return MaxCustomerBytes
	}
	if p == PatternProductByID {
		return MaxProductBytes
	}
	if p == PatternWarehouseByID {
		return MaxWarehouseBytes
	}
	return MaxOrderBytes
}
