package engine_test

import (
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"example.com/keyfirst/internal/engine"
)

func (d *db) setTTL(attributeName string, enabled bool) error {
	_, err := d.UpdateTimeToLive(d.ctx(), &dynamodb.UpdateTimeToLiveInput{
		TableName: aws.String(table), TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: &attributeName, Enabled: &enabled},
	})
	return err
}

func TestTimeToLiveSettings(t *testing.T) {
	onBothStores(t, func(d *db) {
		requireCode(d.t, d.setTTL("ttl", true), "ResourceNotFoundException")
		d.create()
		status := func() (types.TimeToLiveStatus, string) {
			out, err := d.DescribeTimeToLive(d.ctx(), &dynamodb.DescribeTimeToLiveInput{TableName: aws.String(table)})
			require.NoError(d.t, err)
			return out.TimeToLiveDescription.TimeToLiveStatus, aws.ToString(out.TimeToLiveDescription.AttributeName)
		}
		s, _ := status()
		require.Equal(d.t, types.TimeToLiveStatusDisabled, s)
		requireInvalid(d.t, d.setTTL("ttl", false), "TimeToLive is already disabled")
		require.NoError(d.t, d.setTTL("ttl", true))
		s, name := status()
		require.Equal(d.t, types.TimeToLiveStatusEnabled, s)
		require.Equal(d.t, "ttl", name)
		requireInvalid(d.t, d.setTTL("ttl", true), "TimeToLive is already enabled")
		requireInvalid(d.t, d.setTTL("other", true), "active on a different AttributeName")
		require.NoError(d.t, d.setTTL("ttl", false))
	})
}

func TestExpiredItemsAreDeleted(t *testing.T) {
	for name, path := range map[string]string{"memory": engine.InMemory, "file": filepath.Join(t.TempDir(), "tables.db")} {
		t.Run(name, func(t *testing.T) {
			now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
			d := connect(t, open(t, engine.Config{Path: path, Clock: func() time.Time { return now }}))
			d.create(global("by-g", projectAll(), "g"))
			at := func(after time.Duration) any { return number(strconv.FormatInt(now.Add(after).Unix(), 10)) }
			d.put(it("PK", "P", "SK", "before", "ttl", at(-time.Minute), "g", "G"))
			require.NoError(t, d.setTTL("ttl", true))
			d.put(
				it("PK", "P", "SK", "past", "ttl", at(-time.Minute), "g", "G"),
				it("PK", "P", "SK", "soon", "ttl", at(5*time.Second), "g", "G"),
				it("PK", "P", "SK", "later", "ttl", at(time.Hour), "g", "G"),
				it("PK", "P", "SK", "moved", "ttl", at(time.Second), "g", "G"),
				it("PK", "P", "SK", "text", "ttl", strconv.FormatInt(now.Unix()-60, 10), "g", "G"),
				it("PK", "P", "SK", "ancient", "ttl", at(-6*365*24*time.Hour), "g", "G"),
				it("PK", "P", "SK", "never", "g", "G"),
			)
			_, err := d.update(key("P", "moved"), "SET #t = :t", nil)
			require.Error(t, err)
			_, err = d.update(key("P", "moved"), "REMOVE g", nil)
			require.NoError(t, err)
			d.put(it("PK", "P", "SK", "moved", "ttl", at(2*time.Hour), "g", "G"))

			left := func() []string {
				d.get(key("P", "x")) // any request after a second lets the engine delete
				return texts(d.query("PK = :p", it(":p", "P")).Items, "SK")
			}
			now = now.Add(2 * time.Second)
			require.Equal(t, []string{"ancient", "later", "moved", "never", "soon", "text"}, left())
			now = now.Add(10 * time.Second)
			require.Equal(t, []string{"ancient", "later", "moved", "never", "text"}, left())
			require.Equal(t, 5, d.countOn("by-g", "g = :g", it(":g", "G")))
			require.EqualValues(t, 5, *d.describe().ItemCount)

			require.NoError(t, d.setTTL("ttl", false))
			now = now.Add(3 * time.Hour)
			require.Len(t, left(), 5, "disabled, nothing expires")
		})
	}
}

func TestManyExpiredItemsAreDeletedStepByStep(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	d := connect(t, open(t, engine.Config{Clock: func() time.Time { return now }}))
	d.create()
	require.NoError(t, d.setTTL("ttl", true))
	for i := range 500 {
		d.put(it("PK", "P", "SK", strconv.Itoa(i), "ttl", int(now.Unix())-i))
	}
	for range 5 {
		now = now.Add(2 * time.Second)
		d.get(key("P", "x"))
	}
	require.Zero(t, *d.describe().ItemCount)
}
