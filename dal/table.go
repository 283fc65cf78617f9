package dal

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// Client is the part of the DynamoDB client that this package uses.
type Client interface {
	GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error)
	BatchGetItem(context.Context, *dynamodb.BatchGetItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error)
	Query(context.Context, *dynamodb.QueryInput, ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error)
	BatchWriteItem(context.Context, *dynamodb.BatchWriteItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error)
	TransactWriteItems(context.Context, *dynamodb.TransactWriteItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error)
	CreateTable(context.Context, *dynamodb.CreateTableInput, ...func(*dynamodb.Options)) (*dynamodb.CreateTableOutput, error)
	DescribeTable(context.Context, *dynamodb.DescribeTableInput, ...func(*dynamodb.Options)) (*dynamodb.DescribeTableOutput, error)
	DescribeTimeToLive(context.Context, *dynamodb.DescribeTimeToLiveInput, ...func(*dynamodb.Options)) (*dynamodb.DescribeTimeToLiveOutput, error)
	UpdateTimeToLive(context.Context, *dynamodb.UpdateTimeToLiveInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateTimeToLiveOutput, error)
}

// Config sets up a [Table].
type Config struct {
	// Name is the table's name. Default: keyfirst.
	Name string
	// Retries bounds how often unprocessed keys of one request are asked for again. Default: 8.
	Retries int
	// Parallel bounds the requests that one [Table.Load] has under way at once. Default: 64.
	Parallel int
	// Clock tells the time that writes are stamped with. Default: time.Now.
	Clock func() time.Time
}

func (c Config) withDefaults() Config {
	if c.Name == "" {
		c.Name = DefaultTable
	}
	if c.Retries == 0 {
		c.Retries = 8
	}
	if c.Parallel == 0 {
		c.Parallel = 64
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	return c
}

// DefaultTable is the table's name unless another is set.
const DefaultTable = "keyfirst"

// Table is the one table. It is safe for concurrent use.
type Table struct {
	client Client
	config Config
	shards atomic.Int64
}

// New makes a Table over a client made by [NewClient]. It sends nothing.
func New(client Client, config Config) *Table {
	t := &Table{client: client, config: config.withDefaults()}
	t.shards.Store(1)
	return t
}

// Shards is the number of shards that a warehouse's open orders are spread over, as last read from the settings.
func (t *Table) Shards() int { return int(t.shards.Load()) }
