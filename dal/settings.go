package dal

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// formatVersion is the version of keys and items that this code reads and writes.
const formatVersion = 1

// Settings are what the table says of itself.
type Settings struct {
	// Format is the version of keys and items.
	Format int
	// Shards is the number of partitions that a warehouse's open orders are spread over. It may grow, never shrink.
	Shards int
}

// RefreshSettings reads the table's settings and takes the number of shards over.
//
// Access pattern: table-settings, GetItem.
//
// Cost: 1 read unit.
//
// Consistency: strong.
//
// Errors: KindNoTable when there is no table, KindCorrupt when it has no settings or they are of another version.
func (t *Table) RefreshSettings(ctx context.Context) (Settings, error) {
	key := settingsKey()
	out, err := t.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &t.config.Name, Key: key.attributes(), ConsistentRead: aws.Bool(true),
	})
	if err != nil {
		return Settings{}, wrap("RefreshSettings", key, err)
	}
	r := &reader{item: out.Item}
	settings := Settings{Format: r.int(attrFormat), Shards: r.int(attrShards)}
	if r.err == nil && (settings.Format != formatVersion || settings.Shards < 1) {
		r.fail(attrFormat, errOtherFormat)
	}
	if r.err != nil {
		return Settings{}, &Error{Op: "RefreshSettings", Kind: KindCorrupt, Key: key, Err: r.err}
	}
	t.grow(settings.Shards)
	return settings, nil
}

// grow takes a number of shards over, unless it is smaller: the orders beyond it would no longer be read.
func (t *Table) grow(shards int) {
	for {
		now := t.shards.Load()
		if int64(shards) <= now || t.shards.CompareAndSwap(now, int64(shards)) {
			return
		}
	}
}

// writeSettings writes the settings of a new table; those of an old one stay.
func (t *Table) writeSettings(ctx context.Context, shards int) error {
	_, err := t.client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
		TransactItems: []types.TransactWriteItem{t.create(settingsKey().with(item{
			attrFormat: num(formatVersion), attrShards: num(shards),
		}))},
	})
	if len(refusedActions(err)) > 0 {
		return nil
	}
	return wrap("writeSettings", settingsKey(), err)
}
