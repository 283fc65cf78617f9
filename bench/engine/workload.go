package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
)

// The items: partitions of 20, each item of some 300 bytes with a list of maps in it, as an order has.
const (
	perPartition = 20
	tableName    = "bench"
)

const tableDefinition = `{"TableName":"` + tableName + `","BillingMode":"PAY_PER_REQUEST",` +
	`"KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"SK","KeyType":"RANGE"}],` +
	`"AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"S"}]}`

func key(i int) string {
	return fmt.Sprintf(`"PK":{"S":"CUST#%07d"},"SK":{"S":"ORDER#%03d"}`, i/perPartition, i%perPartition)
}

func item(i, version int) string {
	return fmt.Sprintf(`{%s,"total":{"N":"%d.99"},"status":{"S":"OPEN"},"placed":{"S":"2026-01-02T03:04:05Z"},`+
		`"lines":{"L":[{"M":{"sku":{"S":"SKU-%d"},"n":{"N":"2"}}},{"M":{"sku":{"S":"SKU-7"},"n":{"N":"1"}}}]},"note":{"S":"%s"}}`,
		key(i), version, i, strings.Repeat("x", 100))
}

func items(n int, one func(k int) string) string {
	all := make([]string, n)
	for k := range all {
		all[k] = one(k)
	}
	return strings.Join(all, ",")
}

// operation is what is measured.
type operation struct {
	name string
	api  string
	// body is a request about items that the random numbers choose.
	body func(r *rand.Rand, items int) string
	// found is how often the reply must have it.
	found []byte
	times int
	// calls is how many calls one round makes.
	calls int
	// dynoxide and local are the most that the processor time may be, as parts of theirs.
	dynoxide, local float64
}

func operations() []operation {
	inReply := []byte(`"note"`)
	return []operation{
		{"GetItem", "GetItem", getItem, inReply, 1, 8000, 0.5, 0.15},
		{"Query 20", "Query", query, inReply, perPartition, 3000, 0.3, 0.15},
		{"BatchGetItem 100", "BatchGetItem", batchGet, inReply, 100, 600, 0.3, 0.15},
		{"TransactWriteItems 12", "TransactWriteItems", transact, nil, 0, 1000, 0.3, 0.15},
	}
}

func getItem(r *rand.Rand, items int) string {
	return `{"TableName":"` + tableName + `","Key":{` + key(r.IntN(items)) + `}}`
}

func query(r *rand.Rand, items int) string {
	return fmt.Sprintf(`{"TableName":"%s","KeyConditionExpression":"PK = :p","ExpressionAttributeValues":{":p":{"S":"CUST#%07d"}}}`,
		tableName, r.IntN(items/perPartition))
}

func batchGet(r *rand.Rand, total int) string {
	chosen := r.Perm(total / 100)[:100]
	return `{"RequestItems":{"` + tableName + `":{"Keys":[` +
		items(100, func(k int) string { return "{" + key(chosen[k]*100+k) + "}" }) + `]}}}`
}

func transact(r *rand.Rand, total int) string {
	version := r.IntN(1_000_000)
	chosen := r.Perm(total / 12)[:12]
	return fmt.Sprintf(`{"ClientRequestToken":"%016x","TransactItems":[%s]}`, r.Uint64(), items(12, func(k int) string {
		return `{"Put":{"TableName":"` + tableName + `","Item":` + item(chosen[k]*12+k, version) + `}}`
	}))
}

func (o operation) check(reply []byte) error {
	if o.found == nil {
		return nil
	}
	if n := bytes.Count(reply, o.found); n != o.times {
		return fmt.Errorf("%s: a reply has %d items, not %d", o.name, n, o.times)
	}
	return nil
}

// fill makes the table and puts the items.
func fill(addr string, total int) error {
	c, err := dial(addr)
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // it was only read
	if _, err := c.call(newRequest(addr, "CreateTable", tableDefinition)); err != nil {
		return err
	}
	const batch = 25
	return callAll(addr, 4, total/batch, func(b int) []byte {
		return newRequest(addr, "BatchWriteItem", `{"RequestItems":{"`+tableName+`":[`+items(batch, func(k int) string {
			return `{"PutRequest":{"Item":` + item(b*batch+k, 1) + `}}`
		})+`]}}`)
	}, nil)
}
