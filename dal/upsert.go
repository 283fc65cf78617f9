package dal

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// upsert writes an item that may exist: it reads the old one, has the new one made, and writes it on the condition
// that the old one is still there. It is an Update and never a Put, so attributes it does not know stay. When another
// write came between, both steps are done again, as retries of their rounds.
func (t *Table) upsert(ctx context.Context, p Pattern, r Read, renew func(old Entity) item) error {
	round := RecorderFrom(ctx).Round() + 1
	read := Read{pattern: p, key: r.key}
	for try := 0; ; try++ {
		old, err := t.getItems(ctx, singlesOf([]Read{read}), batch{strong: true, round: round, retry: try > 0}).one(read)
		if err != nil {
			return err
		}
		s := startSpan(ctx, opTransactWrite, round+1, p)
		s.call.Retry = try > 0
		refused, err := t.transact(ctx, s, []types.TransactWriteItem{t.update(r.key, renew(old), old)})
		switch {
		case err != nil:
			return err
		case len(refused) == 0:
			return nil
		case try == maxAttempts-1:
			return &Error{Op: "upsert", Kind: KindConflict, Key: r.key}
		}
		if err := wait(ctx, try); err != nil {
			return wrap("upsert", r.key, err)
		}
	}
}

// update sets every attribute of the new item, if the old one is as it was read.
func (t *Table) update(key Key, renewed item, old Entity) types.TransactWriteItem {
	delete(renewed, attrPK)
	delete(renewed, attrSK)
	names := make(map[string]string, len(renewed))
	values := make(item, len(renewed)+1)
	sets := make([]string, 0, len(renewed))
	for i, attribute := range slices.Sorted(maps.Keys(renewed)) {
		name, value := fmt.Sprintf("#a%d", i), fmt.Sprintf(":a%d", i)
		names[name], values[value] = attribute, renewed[attribute]
		sets = append(sets, name+" = "+value)
	}
	condition := ifAbsent
	if v, ok := versionOf(old); ok {
		condition = attrVersion + " = :old"
		values[":old"] = num(v)
	}
	return types.TransactWriteItem{Update: &types.Update{
		TableName: &t.config.Name, Key: key.attributes(), ConditionExpression: &condition,
		UpdateExpression:         aws.String("SET " + strings.Join(sets, ", ")),
		ExpressionAttributeNames: names, ExpressionAttributeValues: values,
	}}
}

// versionOf is the version of an entity that has one.
func versionOf(e Entity) (int, bool) {
	switch e := e.(type) {
	case *Customer:
		return e.Version, true
	case *Order:
		return e.Version, true
	case *Product:
		return e.Version, true
	case *Warehouse:
		return e.Version, true
	}
	return 0, false
}
