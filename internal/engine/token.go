package engine

import (
	"bytes"
	"crypto/sha256"
	"time"

	"example.com/keyfirst/internal/engine/attr"
)

// Tokens make a transaction happen once however often it is sent
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-apis-txwriteitems).
const (
	tokenLife      = 10 * time.Minute
	maxTokenLength = 36
)

// token identifies a transaction. Without text it identifies none.
type token struct {
	text   string
	digest [sha256.Size]byte // of all that the request asks for
	now    time.Time
}

func newToken(request *transactWriteItemsRequest, now time.Time) token {
	t := token{text: request.ClientRequestToken, now: now}
	if t.text != "" {
		t.digest = request.digest()
	}
	return t
}

// digest does not depend on the order of names in the JSON of the request.
func (request *transactWriteItemsRequest) digest() [sha256.Size]byte {
	canonical := newReply(firstBuffer)
	for i := range request.TransactItems {
		one := &request.TransactItems[i]
		if one.Put != nil {
			canonical.field("Put").digested(&one.Put.writeParameters, one.Put.Item)
		}
		canonical.digestedKeyed("Update", one.Update)
		canonical.digestedKeyed("Delete", one.Delete)
		canonical.digestedKeyed("ConditionCheck", one.ConditionCheck)
	}
	return sha256.Sum256(canonical.done())
}

func (r *reply) digestedKeyed(action string, of *transactKeyed) {
	if of != nil {
		r.field(action).digested(&of.writeParameters, of.Key)
	}
}

// digested appends all that an action asks for, in one order.
func (r *reply) digested(p *writeParameters, target attr.Item) {
	r.open('{')
	r.field("TableName").text(p.TableName)
	r.field("Target").item(target)
	if p.ConditionExpression != nil {
		r.field("ConditionExpression").text(*p.ConditionExpression)
	}
	if p.UpdateExpression != nil {
		r.field("UpdateExpression").text(*p.UpdateExpression)
	}
	r.field("ReturnValuesOnConditionCheckFailure").text(p.ReturnValuesOnConditionCheckFailure)
	r.field("ExpressionAttributeValues").item(p.ExpressionAttributeValues)
	r.field("ExpressionAttributeNames").names(p.ExpressionAttributeNames)
	r.close('}')
}

// tokenRecord is the expiry of a token, then the digest.
func (t token) record() []byte { return append(timeKey(t.now.Add(tokenLife).Unix()), t.digest[:]...) }

// checkToken tells whether the transaction has happened. It returns IdempotentParameterMismatchException for a token
// that came with another transaction.
func (w *writer) checkToken(t token) (known bool, err error) {
	if t.text == "" {
		return false, nil
	}
	record := w.reader.Get(tokensSpace, []byte(t.text))
	switch {
	case len(record) != timeSize+sha256.Size, bytes.Compare(record[:timeSize], timeKey(t.now.Unix())) <= 0:
		return false, nil
	case !bytes.Equal(record[timeSize:], t.digest[:]):
		return false, &serviceError{code: "IdempotentParameterMismatchException", message: "The request uses the same client token as a previous, but non-identical request"}
	}
	return true, nil
}

func (w *writer) rememberToken(t token) {
	if t.text == "" {
		return
	}
	w.batch.Put(tokensSpace, []byte(t.text), t.record())
	w.batch.Put(tokenTimesSpace, append(timeKey(t.now.Add(tokenLife).Unix()), t.text...), []byte{})
}

// deleteTokens forgets tokens that are past.
func (w *writer) deleteTokens(now time.Time) {
	left := sweepAtOnce
	for key := range w.reader.Range(tokenTimesSpace, nil, timeKey(now.Unix()), false) {
		if left--; left < 0 {
			return
		}
		w.batch.Delete(tokenTimesSpace, bytes.Clone(key))
		record := w.reader.Get(tokensSpace, key[timeSize:])
		if len(record) >= timeSize && bytes.Equal(record[:timeSize], key[:timeSize]) {
			w.batch.Delete(tokensSpace, bytes.Clone(key[timeSize:]))
		}
	}
}

// replayCosts is what a transaction costs that has already happened: the reading of its items.
func (w *writer) replayCosts(mutations []*mutation) (*costs, error) {
	sum := &costs{}
	for _, m := range mutations {
		t, err := w.catalog.table(w.reader, m.table)
		if err != nil {
			return nil, err
		}
		size := 0
		if value := w.reader.Get(t.space, t.key(m.target())); value != nil {
			s, err := decodeStored(value)
			if err != nil {
				return nil, err
			}
			size = s.size
		}
		c := sum.of(m.table)
		c.name = "ReadCapacityUnits"
		c.own += readUnits(size, true) * transactionFactor
	}
	return sum, nil
}
