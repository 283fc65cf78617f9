package engine

import "example.com/keyfirst/internal/engine/storage"

// Limits of transactions
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-dynamodb-transactions).
const (
	maxTransaction      = 100
	maxTransactionBytes = 4 << 20
)

// transactionFactor is how much more a transaction costs than the same requests alone.
const transactionFactor = 2

const oneItemTwice = "Transaction request cannot include multiple operations on one item"

type transactGetItemsRequest struct {
	TransactItems          []transactGetItem
	ReturnConsumedCapacity string
}

type transactGetItem struct{ Get *lookup }

// transactGetItems implements
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactGetItems.html.
func (e *Engine) transactGetItems(request *transactGetItemsRequest) ([]byte, error) {
	if err := checkCapacityMode(request.ReturnConsumedCapacity); err != nil {
		return nil, err
	}
	gets, err := request.parse()
	if err != nil {
		return nil, err
	}
	response := newReply(firstBuffer)
	err = e.store.View(func(r storage.Reader) error {
		all, err := readAll(&e.catalog, r, gets)
		if err != nil {
			return err
		}
		response.responses(all)
		response.capacities(request.ReturnConsumedCapacity, getCosts(gets, all).all)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return response.done(), nil
}

func (request *transactGetItemsRequest) parse() ([]*get, error) {
	if err := checkTransactionLength(len(request.TransactItems)); err != nil {
		return nil, err
	}
	gets := make([]*get, len(request.TransactItems))
	for i, one := range request.TransactItems {
		if one.Get == nil {
			return nil, missingParameter("transactItems." + itoa(i+1) + ".member.get")
		}
		var err error
		if gets[i], err = one.Get.parse(); err != nil {
			return nil, err
		}
	}
	return gets, nil
}

func checkTransactionLength(n int) error {
	switch {
	case n == 0:
		return constraint("'[]'", "transactItems", "Member must have length greater than or equal to 1")
	case n > maxTransaction:
		return constraint("'["+itoa(n)+" actions]'", "transactItems", "Member must have length less than or equal to 100")
	}
	return nil
}

// readAll reads the items of a transaction, all different and together not too large.
func readAll(c *catalog, r storage.Reader, gets []*get) ([]found, error) {
	err := cancelling(len(gets), func(i int) error {
		_, _, err := gets[i].locate(c, r)
		return err
	})
	if err != nil {
		return nil, err
	}
	seen := make(map[string]bool, len(gets))
	all := make([]found, len(gets))
	size := 0
	for i, g := range gets {
		t, key, err := g.locate(c, r)
		if err != nil {
			return nil, err
		}
		id := t.record.ID + string(key)
		if seen[id] {
			return nil, validation(oneItemTwice)
		}
		seen[id] = true
		if all[i], err = g.read(r, t, key); err != nil {
			return nil, err
		}
		size += all[i].size
	}
	return all, checkTransactionSize(size)
}

func checkTransactionSize(size int) error {
	if size > maxTransactionBytes {
		return validation("Transaction payload size cannot exceed 4MB. Payload Size: " + itoa(size))
	}
	return nil
}

func (r *reply) responses(all []found) {
	r.field("Responses").open('[')
	for _, f := range all {
		r.separate('[')
		r.open('{')
		if f.json != nil {
			r.field("Item").raw(f.json)
		}
		r.close('}')
	}
	r.close(']')
}

func getCosts(gets []*get, all []found) *costs {
	sum := &costs{}
	for i, g := range gets {
		c := sum.of(g.table)
		c.name = "ReadCapacityUnits"
		c.own += readUnits(all[i].size, true) * transactionFactor
	}
	return sum
}
