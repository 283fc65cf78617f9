package dal

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

const (
	ifAbsent  = "attribute_not_exists(" + attrPK + ")"
	ifPresent = "attribute_exists(" + attrPK + ")"
)

// transact writes all actions or none, and ends the span. refused are the indexes of the actions whose condition did
// not hold; then nothing was written and err is nil.
func (t *Table) transact(ctx context.Context, s *span, actions []types.TransactWriteItem) (refused []int, err error) {
	s.call.Keys = len(actions)
	out, err := t.client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
		TransactItems: actions, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	})
	if err != nil {
		s.call.Retries = retriesOfError(err)
		refused = refusedActions(err)
		if len(refused) > 0 {
			s.end(nil)
			return refused, nil
		}
		err = wrap(opTransactWrite, Key{}, err)
		s.end(err)
		return nil, err
	}
	s.call.Retries = retriesOf(out.ResultMetadata)
	for i := range out.ConsumedCapacity {
		s.call.WriteUnits += unitsOf(&out.ConsumedCapacity[i])
	}
	s.end(nil)
	return nil, nil
}

func refusedActions(err error) (refused []int) {
	cancelled, ok := errors.AsType[*types.TransactionCanceledException](err)
	if !ok {
		return nil
	}
	for i, reason := range cancelled.CancellationReasons {
		if aws.ToString(reason.Code) == "ConditionalCheckFailed" {
			refused = append(refused, i)
		}
	}
	return refused
}

// create is the action that writes an item nobody has written before.
func (t *Table) create(it item) types.TransactWriteItem {
	return types.TransactWriteItem{Put: &types.Put{
		TableName: &t.config.Name, Item: it, ConditionExpression: aws.String(ifAbsent),
	}}
}
