package conformance

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// concurrencyCases are about writers that meet.
func concurrencyCases() []testCase {
	return []testCase{
		{"concurrency/no write of an optimistic lock is lost", optimisticLock},
		{"concurrency/no addition to a counter is lost", atomicCounter},
		{"concurrency/transactions neither make money nor lose it, and no read sees half of one", transfers},
		{"concurrency/one token makes one transaction, however often it comes at once", sameTokenAtOnce},
	}
}

// together runs n goroutines, which may not use require.
func together(n int, run func(i int)) {
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { run(i) })
	}
	group.Wait()
}

// number is the content of a number attribute, -1 when there is none.
func number(item any, name string) int {
	of, _ := item.(object)
	value, _ := of[name].(object)
	digits, _ := value["N"].(string)
	n, err := strconv.Atoi(digits)
	if err != nil {
		return -1
	}
	return n
}

func (p *probe) getNumber(table, sortKey, name string) int {
	return number(p.must("GetItem", fmt.Sprintf(`{"TableName":"%s","ConsistentRead":true,"Key":{"PK":{"S":"a"},"SK":{"S":"%s"}}}`, table, sortKey))["Item"], name)
}

func optimisticLock(p *probe) {
	const writers, tries = 20, 2000
	table := p.newTable("plain")
	p.must("PutItem", `{"TableName":"`+table+`","Item":{"PK":{"S":"a"},"SK":{"S":"1"},"version":{"N":"0"}}}`)
	together(writers, func(int) {
		for range tries {
			got := p.trySend("GetItem", `{"TableName":"`+table+`","ConsistentRead":true,"Key":{"PK":{"S":"a"},"SK":{"S":"1"}}}`)
			version := number(got.body["Item"], "version")
			written := p.trySend("UpdateItem", fmt.Sprintf(`{"TableName":"%s","Key":{"PK":{"S":"a"},"SK":{"S":"1"}},"UpdateExpression":"SET version = version + :one",
				"ConditionExpression":"version = :v","ExpressionAttributeValues":{":one":{"N":"1"},":v":{"N":"%d"}}}`, table, version))
			if written.code == "" {
				return
			}
			if !assert.Equal(p, "ConditionalCheckFailedException", written.code, written.message) {
				return
			}
		}
	})
	require.Equal(p, writers, p.getNumber(table, "1", "version"))
}

// trySend is send for goroutines other than the case's own.
func (p *probe) trySend(operation, body string) answer {
	reply, err := p.client.Send(p.ctx, operation, []byte(body))
	if !assert.NoError(p, err) {
		return answer{code: "no reply"}
	}
	code, message := reply.Refusal()
	return answer{code, message, decoded(reply.Body)}
}

func atomicCounter(p *probe) {
	const writers, times = 20, 20
	table := p.newTable("plain")
	together(writers, func(int) {
		for range times {
			written := p.trySend("UpdateItem", `{"TableName":"`+table+`","Key":{"PK":{"S":"a"},"SK":{"S":"1"}},"UpdateExpression":"ADD n :one","ExpressionAttributeValues":{":one":{"N":"1"}}}`)
			assert.Empty(p, written.code, written.message)
		}
	})
	require.Equal(p, writers*times, p.getNumber(table, "1", "n"))
}

func transfers(p *probe) {
	const accounts, each, writers, times = 8, 100, 8, 15
	table := p.newTable("plain")
	p.putMany(table, accounts, func(i int) string {
		return fmt.Sprintf(`"PK":{"S":"a"},"SK":{"S":"%d"},"balance":{"N":"%d"}`, i, each)
	})
	var ended atomic.Bool
	var readers sync.WaitGroup
	readers.Go(func() {
		for !ended.Load() {
			p.checkBalances(table, accounts, each)
		}
	})
	together(writers, func(writer int) {
		for i := range times {
			p.transfer(table, (writer+i)%accounts, (writer+i+1+i%(accounts-1))%accounts)
		}
	})
	ended.Store(true)
	readers.Wait()
	p.checkBalances(table, accounts, each)
}

// transfer moves 7 from one account to another, if they are there.
func (p *probe) transfer(table string, from, to int) {
	update := func(account int, expression, condition string) string {
		return fmt.Sprintf(`{"Update":{"TableName":"%s","Key":{"PK":{"S":"a"},"SK":{"S":"%d"}},"UpdateExpression":"%s"%s,"ExpressionAttributeValues":{":n":{"N":"7"}}}}`, table, account, expression, condition)
	}
	body := `{"TransactItems":[` + update(from, "SET balance = balance - :n", `,"ConditionExpression":"balance >= :n"`) + `,` +
		update(to, "SET balance = balance + :n", "") + `]}`
	for range 500 {
		done := p.trySend("TransactWriteItems", body)
		if done.code == "" || strings.Contains(done.message, "ConditionalCheckFailed") {
			return
		}
		if !assert.Contains(p, done.message, "TransactionConflict") {
			return
		}
	}
}

func (p *probe) checkBalances(table string, accounts, each int) {
	gets := make([]string, accounts)
	for i := range gets {
		gets[i] = fmt.Sprintf(`{"Get":{"TableName":"%s","Key":{"PK":{"S":"a"},"SK":{"S":"%d"}}}}`, table, i)
	}
	read := p.trySend("TransactGetItems", `{"TransactItems":[`+strings.Join(gets, ",")+`]}`)
	if read.code == "TransactionCanceledException" {
		return // it met a write
	}
	responses, _ := read.body["Responses"].([]any)
	sum := 0
	for _, one := range responses {
		sum += number(one.(object)["Item"], "balance")
	}
	assert.Equal(p, accounts*each, sum, read)
}

func sameTokenAtOnce(p *probe) {
	table := p.newTable("plain")
	body := `{"ClientRequestToken":"` + p.newName()[len("conformance-"):] + `","TransactItems":[{"Update":{"TableName":"` + table + `",
		"Key":{"PK":{"S":"a"},"SK":{"S":"1"}},"UpdateExpression":"ADD n :one","ExpressionAttributeValues":{":one":{"N":"1"}}}}]}`
	together(8, func(int) {
		for range 500 {
			done := p.trySend("TransactWriteItems", body)
			if !slices.Contains([]string{"TransactionInProgressException", "TransactionCanceledException"}, done.code) {
				assert.Empty(p, done.code, done.message)
				return
			}
		}
	})
	require.Equal(p, 1, p.getNumber(table, "1", "n"))
}
