package conformance

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// sdkCases are what AWS's own client must make of the replies.
func sdkCases() []testCase {
	return []testCase{
		{"sdk/the waiters see a table come and go", waitForTable},
		{"sdk/every kind of value comes back as it was put", roundTrip},
		{"sdk/a failed condition and a cancelled transaction have their types", typedErrors},
	}
}

// sdk is an unmodified client of the SDK.
func (p *probe) sdk() *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region: "us-east-1", BaseEndpoint: &p.where, HTTPClient: p.doer,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "local", SecretAccessKey: "local"}, nil
		}),
	})
}

func waitForTable(p *probe) {
	const soon, limit = 20 * time.Millisecond, 20 * time.Second
	client, name := p.sdk(), p.newName()
	described := &dynamodb.DescribeTableInput{TableName: &name}
	for range 2 { // a table of the same name can come again, and is empty
		_, err := client.CreateTable(p.ctx, &dynamodb.CreateTableInput{
			TableName: &name, BillingMode: types.BillingModePayPerRequest,
			AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("PK"), AttributeType: types.ScalarAttributeTypeS}},
			KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("PK"), KeyType: types.KeyTypeHash}},
		})
		require.NoError(p, err)
		exists := dynamodb.NewTableExistsWaiter(client, func(o *dynamodb.TableExistsWaiterOptions) { o.MinDelay, o.MaxDelay = soon, soon })
		require.NoError(p, exists.Wait(p.ctx, described, limit))
		require.Empty(p, p.must("Scan", `{"TableName":"`+name+`"}`)["Items"])
		_, err = client.PutItem(p.ctx, &dynamodb.PutItemInput{TableName: &name, Item: map[string]types.AttributeValue{"PK": &types.AttributeValueMemberS{Value: "a"}}})
		require.NoError(p, err)
		_, err = client.DeleteTable(p.ctx, &dynamodb.DeleteTableInput{TableName: &name})
		require.NoError(p, err)
		gone := dynamodb.NewTableNotExistsWaiter(client, func(o *dynamodb.TableNotExistsWaiterOptions) { o.MinDelay, o.MaxDelay = soon, soon })
		require.NoError(p, gone.Wait(p.ctx, described, limit))
	}
}

func roundTrip(p *probe) {
	client, name := p.sdk(), p.newTable("hash")
	item := map[string]types.AttributeValue{
		"PK":   &types.AttributeValueMemberS{Value: "a"},
		"s":    &types.AttributeValueMemberS{Value: ""},
		"ünï":  &types.AttributeValueMemberS{Value: "çødé\U0001F600\x00"},
		"n":    &types.AttributeValueMemberN{Value: "-1.5"},
		"b":    &types.AttributeValueMemberB{Value: []byte{0, 255}},
		"bool": &types.AttributeValueMemberBOOL{Value: false},
		"null": &types.AttributeValueMemberNULL{Value: true},
		"l":    &types.AttributeValueMemberL{Value: []types.AttributeValue{}},
		"m":    &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{}},
		"ss":   &types.AttributeValueMemberSS{Value: []string{"a"}},
		"ns":   &types.AttributeValueMemberNS{Value: []string{"2.5"}},
		"bs":   &types.AttributeValueMemberBS{Value: [][]byte{{1}}},
		"deep": &types.AttributeValueMemberL{Value: []types.AttributeValue{&types.AttributeValueMemberM{Value: map[string]types.AttributeValue{
			"x": &types.AttributeValueMemberL{Value: []types.AttributeValue{&types.AttributeValueMemberBOOL{Value: true}}},
		}}}},
	}
	_, err := client.PutItem(p.ctx, &dynamodb.PutItemInput{TableName: &name, Item: item})
	require.NoError(p, err)
	got, err := client.GetItem(p.ctx, &dynamodb.GetItemInput{
		TableName: &name, Key: map[string]types.AttributeValue{"PK": item["PK"]}, ConsistentRead: aws.Bool(true),
	})
	require.NoError(p, err)
	require.Equal(p, item, got.Item)
}

func typedErrors(p *probe) {
	client, name := p.sdk(), p.newTable("hash")
	item := map[string]types.AttributeValue{"PK": &types.AttributeValueMemberS{Value: "a"}}
	put := func() error {
		_, err := client.PutItem(p.ctx, &dynamodb.PutItemInput{
			TableName: &name, Item: item, ConditionExpression: aws.String("attribute_not_exists(PK)"),
			ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
		})
		return err
	}
	require.NoError(p, put())
	var failed *types.ConditionalCheckFailedException
	require.ErrorAs(p, put(), &failed)
	require.Equal(p, item, failed.Item)

	_, err := client.TransactWriteItems(p.ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Put: &types.Put{TableName: &name, Item: item, ConditionExpression: aws.String("attribute_not_exists(PK)")}},
	}})
	var cancelled *types.TransactionCanceledException
	require.ErrorAs(p, err, &cancelled)
	require.Len(p, cancelled.CancellationReasons, 1)
	require.Equal(p, "ConditionalCheckFailed", *cancelled.CancellationReasons[0].Code)

	_, err = client.DescribeTable(p.ctx, &dynamodb.DescribeTableInput{TableName: aws.String("no-such-table")})
	var missing *types.ResourceNotFoundException
	require.ErrorAs(p, err, &missing)
}
