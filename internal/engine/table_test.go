package engine_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

func (d *db) describe() *types.TableDescription {
	d.t.Helper()
	out, err := d.DescribeTable(d.ctx(), &dynamodb.DescribeTableInput{TableName: aws.String(table)})
	require.NoError(d.t, err)
	return out.Table
}

func TestDescribeTable(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create(global("by-g", include("v"), "g", "gs"), local("by-due", projectAll(), "due"))
		for i := range 5 {
			d.put(it("PK", "P", "SK", strconv.Itoa(i), "g", "G", "gs", "1"))
		}
		d.put(it("PK", "P", "SK", "0", "due", 1))
		x := d.describe()
		require.Equal(d.t, types.TableStatusActive, x.TableStatus)
		require.Equal(d.t, types.BillingModePayPerRequest, x.BillingModeSummary.BillingMode)
		require.NotNil(d.t, x.CreationDateTime)
		require.Regexp(d.t, "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$", *x.TableId)
		require.Len(d.t, x.AttributeDefinitions, 5)
		require.EqualValues(d.t, 5, *x.ItemCount)
		require.EqualValues(d.t, 4*len("PKPSK0gGgs1")+len("PKPSK0due")+2, *x.TableSizeBytes)
		g, l := x.GlobalSecondaryIndexes[0], x.LocalSecondaryIndexes[0]
		require.Equal(d.t, types.IndexStatusActive, g.IndexStatus)
		require.Equal(d.t, []string{"v"}, g.Projection.NonKeyAttributes)
		require.EqualValues(d.t, 4, *g.ItemCount)
		require.EqualValues(d.t, 1, *l.ItemCount)
		require.Equal(d.t, *x.TableArn+"/index/by-due", *l.IndexArn)
	})
}

func TestMissingTables(t *testing.T) {
	onBothStores(t, func(d *db) {
		_, err := d.GetItem(d.ctx(), &dynamodb.GetItemInput{TableName: aws.String(table), Key: key("a", "1")})
		requireCode(d.t, err, "ResourceNotFoundException", "Requested resource not found")
		_, err = d.DescribeTable(d.ctx(), &dynamodb.DescribeTableInput{TableName: aws.String(table)})
		requireCode(d.t, err, "ResourceNotFoundException", "Requested resource not found: Table: things not found")
		_, err = d.DeleteTable(d.ctx(), &dynamodb.DeleteTableInput{TableName: aws.String(table)})
		requireCode(d.t, err, "ResourceNotFoundException")
	})
}

func TestCreateTableAgain(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create()
		in := &dynamodb.CreateTableInput{TableName: aws.String(table), BillingMode: "PAY_PER_REQUEST", KeySchema: keys("PK")}
		define(in, "PK")
		_, err := d.CreateTable(d.ctx(), in)
		requireCode(d.t, err, "ResourceInUseException")
		d.put(key("a", "1"))
		_, err = d.DeleteTable(d.ctx(), &dynamodb.DeleteTableInput{TableName: aws.String(table)})
		require.NoError(d.t, err)
		d.create()
		require.Nil(d.t, d.get(key("a", "1")), "a new table of the name is empty")
		require.Zero(d.t, *d.describe().ItemCount)
	})
}

func TestTableByARN(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create()
		d.put(key("a", "1"))
		out, err := d.GetItem(d.ctx(), &dynamodb.GetItemInput{TableName: d.describe().TableArn, Key: key("a", "1")})
		require.NoError(d.t, err)
		require.Equal(d.t, key("a", "1"), out.Item)
	})
}

func TestDeletionProtection(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create(func(in *dynamodb.CreateTableInput) { in.DeletionProtectionEnabled = aws.Bool(true) })
		require.True(d.t, *d.describe().DeletionProtectionEnabled)
		_, err := d.DeleteTable(d.ctx(), &dynamodb.DeleteTableInput{TableName: aws.String(table)})
		requireInvalid(d.t, err, "protected against deletion")
		_, err = d.UpdateTable(d.ctx(), &dynamodb.UpdateTableInput{TableName: aws.String(table), DeletionProtectionEnabled: aws.Bool(false)})
		require.NoError(d.t, err)
		_, err = d.DeleteTable(d.ctx(), &dynamodb.DeleteTableInput{TableName: aws.String(table)})
		require.NoError(d.t, err)
	})
}

func TestBillingMode(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create()
		throughput := &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(3), WriteCapacityUnits: aws.Int64(4)}
		out, err := d.UpdateTable(d.ctx(), &dynamodb.UpdateTableInput{TableName: aws.String(table), BillingMode: "PROVISIONED", ProvisionedThroughput: throughput})
		require.NoError(d.t, err)
		require.EqualValues(d.t, 3, *out.TableDescription.ProvisionedThroughput.ReadCapacityUnits)
		_, err = d.UpdateTable(d.ctx(), &dynamodb.UpdateTableInput{TableName: aws.String(table), BillingMode: "PAY_PER_REQUEST"})
		require.NoError(d.t, err)
		require.Zero(d.t, *d.describe().ProvisionedThroughput.ReadCapacityUnits)
		_, err = d.UpdateTable(d.ctx(), &dynamodb.UpdateTableInput{TableName: aws.String(table)})
		requireInvalid(d.t, err, "At least one of")
	})
}

func TestTableDefinitionsAreChecked(t *testing.T) {
	onBothStores(t, func(d *db) {
		for words, change := range map[string]func(*dynamodb.CreateTableInput){
			"length greater than or equal to 3":    func(in *dynamodb.CreateTableInput) { in.TableName = aws.String("ab") },
			"[a-zA-Z0-9_.-]+":                      func(in *dynamodb.CreateTableInput) { in.TableName = aws.String("bad name!") },
			"does not exactly match number":        func(in *dynamodb.CreateTableInput) { define(in, "unused") },
			"not defined in AttributeDefinitions":  func(in *dynamodb.CreateTableInput) { in.AttributeDefinitions = in.AttributeDefinitions[:1] },
			"first KeySchemaElement is not a HASH": func(in *dynamodb.CreateTableInput) { in.KeySchema[0].KeyType = "RANGE" },
			"have the same name":                   func(in *dynamodb.CreateTableInput) { in.KeySchema = keys("PK", "PK") },
			"when BillingMode is PROVISIONED":      func(in *dynamodb.CreateTableInput) { in.BillingMode = "PROVISIONED" },
			"when BillingMode is PAY_PER_REQUEST": func(in *dynamodb.CreateTableInput) {
				in.ProvisionedThroughput = &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(1), WriteCapacityUnits: aws.Int64(1)}
			},
			"enum value set: [B, N, S]": func(in *dynamodb.CreateTableInput) { in.AttributeDefinitions[0].AttributeType = "M" },
			"exceeds per-table limit of 5": func(in *dynamodb.CreateTableInput) {
				for i := range 6 {
					local(fmt.Sprint("lsi", i), projectAll(), fmt.Sprint("l", i))(in)
				}
			},
			"exceeds the per-table limit of 20": func(in *dynamodb.CreateTableInput) {
				for i := range 21 {
					global(fmt.Sprint("gsi", i), projectAll(), fmt.Sprint("g", i))(in)
				}
			},
			"Duplicate index name: same": func(in *dynamodb.CreateTableInput) {
				global("same", projectAll(), "g")(in)
				global("same", projectAll(), "h")(in)
			},
			"between 3 and 255 characters long":    global("ab", projectAll(), "g"),
			"INCLUDE, but NonKeyAttributes is not": global("by-g", types.Projection{ProjectionType: "INCLUDE"}, "g"),
			"is ALL, but NonKeyAttributes is":      global("by-g", types.Projection{ProjectionType: "ALL", NonKeyAttributes: []string{"x"}}, "g"),
			"Unknown ProjectionType":               global("by-g", types.Projection{}, "g"),
		} {
			in := &dynamodb.CreateTableInput{TableName: aws.String(table), BillingMode: "PAY_PER_REQUEST", KeySchema: keys("PK", "SK")}
			define(in, "PK", "SK")
			change(in)
			_, err := d.CreateTable(d.ctx(), in)
			requireInvalid(d.t, err, words)
		}
		in := &dynamodb.CreateTableInput{TableName: aws.String(table), BillingMode: "PAY_PER_REQUEST", KeySchema: keys("PK")}
		define(in, "PK")
		local("by-l", projectAll(), "l")(in)
		_, err := d.CreateTable(d.ctx(), in)
		requireInvalid(d.t, err, "Table KeySchema does not have a range key")
	})
}

func TestListTables(t *testing.T) {
	onBothStores(t, func(d *db) {
		for _, name := range []string{"ccc", "aaa", "bbb"} {
			d.create(func(in *dynamodb.CreateTableInput) { in.TableName = &name })
		}
		out, err := d.ListTables(d.ctx(), &dynamodb.ListTablesInput{})
		require.NoError(d.t, err)
		require.Equal(d.t, []string{"aaa", "bbb", "ccc"}, out.TableNames)
		require.Nil(d.t, out.LastEvaluatedTableName)
		out, err = d.ListTables(d.ctx(), &dynamodb.ListTablesInput{Limit: aws.Int32(2)})
		require.NoError(d.t, err)
		require.Equal(d.t, "bbb", *out.LastEvaluatedTableName)
		out, err = d.ListTables(d.ctx(), &dynamodb.ListTablesInput{ExclusiveStartTableName: out.LastEvaluatedTableName})
		require.NoError(d.t, err)
		require.Equal(d.t, []string{"ccc"}, out.TableNames)
	})
}
