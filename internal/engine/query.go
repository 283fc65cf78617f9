package engine

import (
	"slices"

	"example.com/keyfirst/internal/engine/attr"
	"example.com/keyfirst/internal/engine/expr"
	"example.com/keyfirst/internal/engine/order"
	"example.com/keyfirst/internal/engine/storage"
)

type queryRequest struct {
	readParameters
	KeyConditionExpression *string
	ScanIndexForward       *bool
}

// query implements https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Query.html.
func (e *Engine) query(request *queryRequest) ([]byte, error) {
	name, err := request.check()
	if err != nil {
		return nil, err
	}
	if request.KeyConditionExpression == nil {
		return nil, validation("Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.")
	}
	holders, err := request.begin(request.KeyConditionExpression)
	if err != nil {
		return nil, err
	}
	tests, err := expr.ParseKeyCondition(*request.KeyConditionExpression, holders)
	if err != nil {
		return nil, err
	}
	reading, err := request.parse(name, holders)
	if err != nil {
		return nil, err
	}
	return e.readPage("Query", reading, func(p *page) error {
		p.backwards = request.ScanIndexForward != nil && !*request.ScanIndexForward
		if err := p.restrict(tests); err != nil {
			return err
		}
		return p.startAfter(request.ExclusiveStartKey)
	})
}

// readPage reads the page whose range is set by limits.
func (e *Engine) readPage(operation string, reading *reading, limits func(*page) error) ([]byte, error) {
	var response []byte
	err := e.store.View(func(r storage.Reader) error {
		p, err := reading.page(&e.catalog, r)
		if err != nil {
			return err
		}
		if err := limits(p); err != nil {
			return err
		}
		result, err := p.read(e.lagging(r, operation, p))
		if err != nil {
			return err
		}
		response = result.finish(p.countOnly, reading.ReturnConsumedCapacity)
		return nil
	})
	return response, err
}

// restrict sets the range of keys that satisfy the key condition.
func (p *page) restrict(tests []expr.KeyTest) error {
	keys := p.table.keys
	if p.index != nil {
		keys = p.index.keys
	}
	if err := p.checkFilter(keys); err != nil {
		return err
	}
	hash, rest, err := keys.splitTests(tests)
	if err != nil {
		return err
	}
	if hash.Operator != "=" {
		return validation("Query key condition not supported")
	}
	if err := keys[0].checkTest(hash, true); err != nil {
		return err
	}
	p.partition = &hash.Values[0]
	p.from = order.AppendPartition(nil, hash.Values[0])
	p.to = order.Successor(p.from)
	if rest == nil {
		return nil
	}
	if err := keys[1].checkTest(*rest, false); err != nil {
		return err
	}
	p.from, p.to = sortRange(p.from, p.to, *rest)
	return nil
}

// checkFilter refuses a filter on key attributes, which belong into the key condition.
func (p *page) checkFilter(keys schema) error {
	if p.filter == nil {
		return nil
	}
	for _, name := range p.filter.Attributes() {
		if keys.has(name) {
			return validation("Filter Expression can only contain non-primary key attributes: Primary key attribute: " + name)
		}
	}
	return nil
}

// splitTests finds the test of the partition key, and that of the sort key if there is one.
func (s schema) splitTests(tests []expr.KeyTest) (hash expr.KeyTest, rest *expr.KeyTest, err error) {
	find := func(name string) *expr.KeyTest {
		i := slices.IndexFunc(tests, func(t expr.KeyTest) bool { return t.Attribute == name })
		if i < 0 {
			return nil
		}
		return &tests[i]
	}
	first := find(s.hash().name)
	if first == nil {
		return hash, nil, missedKey(s.hash().name)
	}
	if len(s) > 1 {
		rest = find(s[1].name)
	}
	switch {
	case len(tests) == 1, len(tests) == 2 && rest != nil:
		return *first, rest, nil
	case len(s) > 1 && rest == nil:
		return hash, nil, missedKey(s[1].name)
	}
	return hash, nil, validation("Query key condition not supported")
}

func missedKey(name string) error {
	return validation("Query condition missed key schema element: " + name)
}

func (k keyAttribute) checkTest(test expr.KeyTest, isHash bool) error {
	for _, v := range test.Values {
		if v.Kind != k.kind {
			return invalidParameter("Condition parameter type does not match schema type")
		}
		if err := k.checkValue(v, isHash); err != nil {
			return err
		}
	}
	return nil
}

// sortRange narrows the range of one partition by the test of its sort key.
func sortRange(partition, end []byte, test expr.KeyTest) (from, to []byte) {
	at := func(v attr.Value) []byte { return order.AppendPart(slices.Clone(partition), v) }
	after := func(v attr.Value) []byte { return order.Successor(at(v)) }
	first := test.Values[0]
	switch test.Operator {
	case "<":
		return partition, at(first)
	case "<=":
		return partition, after(first)
	case ">":
		return after(first), end
	case ">=":
		return at(first), end
	case "BETWEEN":
		return at(first), after(test.Values[1])
	case "begins_with":
		prefix := order.AppendPrefix(slices.Clone(partition), first)
		return prefix, order.Successor(prefix)
	}
	return at(first), after(first)
}
