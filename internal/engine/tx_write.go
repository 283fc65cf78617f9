package engine

import (
	"strings"

	"example.com/keyfirst/internal/engine/attr"
)

type transactWriteItemsRequest struct {
	TransactItems          []transactWriteItem
	ClientRequestToken     string
	ReturnConsumedCapacity string
}

type transactWriteItem struct {
	Put            *transactPut
	Update         *transactKeyed
	Delete         *transactKeyed
	ConditionCheck *transactKeyed
}

type transactPut struct {
	writeParameters
	Item attr.Item
}

type transactKeyed struct {
	writeParameters
	Key attr.Item
}

const reasonNone = "None"

// reason says what one action of a transaction had to do with its cancellation.
type reason struct {
	Code    string
	Message string    `json:",omitempty"`
	Item    attr.Item `json:",omitempty"`
}

// transactWriteItems implements
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html.
func (e *Engine) transactWriteItems(request *transactWriteItemsRequest) ([]byte, error) {
	if err := checkCapacityMode(request.ReturnConsumedCapacity); err != nil {
		return nil, err
	}
	mutations, err := request.parse()
	if err != nil {
		return nil, err
	}
	token := newToken(request, e.now())
	var spent *costs
	err = e.update(func(w *writer) (err error) {
		known, err := w.checkToken(token)
		if err != nil {
			return err
		}
		if known {
			spent, err = w.replayCosts(mutations)
			return err
		}
		if spent, err = w.transact(mutations); err == nil {
			w.rememberToken(token)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	response := newReply(0)
	response.capacities(request.ReturnConsumedCapacity, spent.all)
	return response.done(), nil
}

func (request *transactWriteItemsRequest) parse() ([]*mutation, error) {
	if err := checkTransactionLength(len(request.TransactItems)); err != nil {
		return nil, err
	}
	if len(request.ClientRequestToken) > maxTokenLength {
		return nil, constraint("'"+request.ClientRequestToken+"'", "clientRequestToken", "Member must have length less than or equal to 36")
	}
	mutations := make([]*mutation, len(request.TransactItems))
	for i := range request.TransactItems {
		var err error
		if mutations[i], err = request.TransactItems[i].parse(); err != nil {
			return nil, err
		}
	}
	return mutations, nil
}

func (one *transactWriteItem) parse() (*mutation, error) {
	var chosen *mutation
	actions := 0
	add := func(p *writeParameters, kind mutationKind, item, key attr.Item) error {
		actions++
		m, err := p.parse(kind)
		if err != nil {
			return err
		}
		m.item, m.key = item, key
		chosen = m
		return m.checkComplete()
	}
	var err error
	if one.Put != nil {
		one.Put.UpdateExpression = nil
		err = add(&one.Put.writeParameters, putMutation, one.Put.Item, nil)
	}
	for _, keyed := range []struct {
		kind mutationKind
		of   *transactKeyed
	}{{updateMutation, one.Update}, {deleteMutation, one.Delete}, {checkMutation, one.ConditionCheck}} {
		if keyed.of == nil || err != nil {
			continue
		}
		if keyed.kind != updateMutation {
			keyed.of.UpdateExpression = nil
		}
		err = add(&keyed.of.writeParameters, keyed.kind, nil, keyed.of.Key)
	}
	if err == nil && actions != 1 {
		err = validation("TransactItems can only contain one of Check, Put, Update or Delete")
	}
	return chosen, err
}

// checkComplete checks that nothing is missing that the kind of action must have.
func (m *mutation) checkComplete() error {
	switch {
	case m.kind == putMutation && m.item == nil:
		return missingParameter("transactItems.member.put.item")
	case m.kind != putMutation && m.key == nil:
		return missingParameter("transactItems.member.key")
	case m.kind == updateMutation && m.update == nil:
		return missingParameter("transactItems.member.update.updateExpression")
	case m.kind == checkMutation && m.condition == nil:
		return missingParameter("transactItems.member.conditionCheck.conditionExpression")
	}
	return nil
}

// transact carries out all mutations or none.
func (w *writer) transact(mutations []*mutation) (*costs, error) {
	err := cancelling(len(mutations), func(i int) error {
		_, err := w.locate(mutations[i])
		return err
	})
	if err != nil {
		return nil, err
	}
	effects, err := w.locateAll(mutations, oneItemTwice)
	if err != nil {
		return nil, err
	}
	if err := w.decideTogether(mutations, effects); err != nil {
		return nil, err
	}
	spent, err := w.applyAll(effects, transactionFactor)
	if err != nil {
		return nil, err
	}
	for _, c := range spent.all {
		c.name = "WriteCapacityUnits"
	}
	return spent, nil
}

// cancelling runs a step of each of n actions, and returns TransactionCanceledException with the reasons of all when one
// fails.
func cancelling(n int, step func(i int) error) error {
	reasons := make([]reason, n)
	failed := false
	for i := range reasons {
		reasons[i] = reason{Code: reasonNone}
		if err := step(i); err != nil {
			if reasons[i], err = transactionReason(err); err != nil {
				return err
			}
			failed = true
		}
	}
	if failed {
		return cancelled(reasons)
	}
	return nil
}

// decideTogether decides all mutations, and returns TransactionCanceledException with the reasons of all when one fails.
func (w *writer) decideTogether(mutations []*mutation, effects []*effect) error {
	size := 0
	err := cancelling(len(mutations), func(i int) error {
		err := w.decide(mutations[i], effects[i])
		size += max(effects[i].before.bytes(), effects[i].after.bytes())
		return err
	})
	if err != nil {
		return err
	}
	return checkTransactionSize(size)
}

func cancelled(reasons []reason) error {
	codes := make([]string, len(reasons))
	for i, r := range reasons {
		codes[i] = r.Code
	}
	return &serviceError{
		code:    "TransactionCanceledException",
		message: "Transaction cancelled, please refer cancellation reasons for specific reasons [" + strings.Join(codes, ", ") + "]",
		reasons: reasons,
	}
}

// transactionReason makes a reason of an error that cancels a transaction; any other error it returns.
func transactionReason(err error) (reason, error) {
	service := asServiceError(err)
	if service.early {
		return reason{}, err
	}
	switch service.code {
	case "ConditionalCheckFailedException":
		return reason{Code: "ConditionalCheckFailed", Message: service.message, Item: service.item}, nil
	case "ValidationException":
		return reason{Code: "ValidationError", Message: service.message}, nil
	}
	return reason{}, err
}
