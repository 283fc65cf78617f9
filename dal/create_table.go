package dal

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

var errOtherFormat = errors.New("the table was made by another version")

// tableWait bounds the wait for a new table; on AWS it takes about ten seconds.
const tableWait = 5 * time.Minute

// Create makes the table with its indexes, its time to live and its settings, and waits until it serves. A table that
// exists is left as it is, but for what is missing of the settings and the time to live.
//
// Access pattern: none; for the command line and the embedded engine.
//
// Cost: a handful of control requests.
//
// Consistency: the table serves strongly consistent reads when Create returns.
//
// Errors: KindUnavailable, KindTimeout and the like.
func (t *Table) Create(ctx context.Context, shards int) error {
	_, err := t.client.CreateTable(ctx, t.definition())
	if _, exists := errors.AsType[*types.ResourceInUseException](err); err != nil && !exists {
		return wrap("CreateTable", Key{}, err)
	}
	waiter := dynamodb.NewTableExistsWaiter(t.client, func(o *dynamodb.TableExistsWaiterOptions) {
		o.MinDelay, o.MaxDelay = 10*time.Millisecond, 2*time.Second
	})
	if err := waiter.Wait(ctx, &dynamodb.DescribeTableInput{TableName: &t.config.Name}, tableWait); err != nil {
		return wrap("CreateTable", Key{}, err)
	}
	if err := t.enableTimeToLive(ctx); err != nil {
		return err
	}
	if err := t.writeSettings(ctx, shards); err != nil {
		return err
	}
	_, err = t.RefreshSettings(ctx)
	return err
}

// enableTimeToLive leaves a time to live that is there as it is. Another process may be first to enable it, which
// DynamoDB calls an invalid request.
func (t *Table) enableTimeToLive(ctx context.Context) error {
	if enabled, err := t.hasTimeToLive(ctx); enabled || err != nil {
		return err
	}
	_, err := t.client.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName:               &t.config.Name,
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String(attrTTL), Enabled: aws.Bool(true)},
	})
	if err == nil {
		return nil
	}
	if enabled, again := t.hasTimeToLive(ctx); enabled || again != nil {
		return again
	}
	return wrap("UpdateTimeToLive", Key{}, err)
}

func (t *Table) hasTimeToLive(ctx context.Context) (bool, error) {
	out, err := t.client.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: &t.config.Name})
	if err != nil || out.TimeToLiveDescription == nil {
		return false, wrap("DescribeTimeToLive", Key{}, err)
	}
	status := out.TimeToLiveDescription.TimeToLiveStatus
	return status == types.TimeToLiveStatusEnabled || status == types.TimeToLiveStatusEnabling, nil
}

// definition is the table as it is made: string keys, and three indexes that project everything.
func (t *Table) definition() *dynamodb.CreateTableInput {
	all := &types.Projection{ProjectionType: types.ProjectionTypeAll}
	in := &dynamodb.CreateTableInput{
		TableName: &t.config.Name, BillingMode: types.BillingModePayPerRequest, KeySchema: keySchema(attrPK, attrSK),
		LocalSecondaryIndexes: []types.LocalSecondaryIndex{
			{IndexName: aws.String(indexStatus), KeySchema: keySchema(attrPK, attrStatusKey), Projection: all},
		},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{
			{IndexName: aws.String(indexEmail), KeySchema: keySchema(attrEmailKey), Projection: all},
			{IndexName: aws.String(indexOpenOrders), KeySchema: keySchema(attrOpenWarehouse, attrOpenSince), Projection: all},
		},
	}
	for _, name := range []string{attrPK, attrSK, attrEmailKey, attrStatusKey, attrOpenWarehouse, attrOpenSince} {
		in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{
			AttributeName: aws.String(name), AttributeType: types.ScalarAttributeTypeS,
		})
	}
	return in
}

func keySchema(attributes ...string) []types.KeySchemaElement {
	kinds := []types.KeyType{types.KeyTypeHash, types.KeyTypeRange}
	schema := make([]types.KeySchemaElement, len(attributes))
	for i, name := range attributes {
		schema[i] = types.KeySchemaElement{AttributeName: aws.String(name), KeyType: kinds[i]}
	}
	return schema
}
