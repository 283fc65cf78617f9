package engine_test

import (
	"context"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"example.com/keyfirst/internal/engine"
	"example.com/keyfirst/internal/engine/storage"
)

func TestConfigIsChecked(t *testing.T) {
	_, err := engine.Open(engine.Config{Latency: -1})
	require.ErrorContains(t, err, "Latency")
	_, err = engine.Open(engine.Config{Path: filepath.Join(t.TempDir(), "none", "tables.db")})
	require.ErrorContains(t, err, "tables.db")
}

func TestFileInUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tables.db")
	open(t, engine.Config{Path: path})
	_, err := engine.Open(engine.Config{Path: path})
	require.ErrorIs(t, err, storage.ErrLocked)
}

func TestReopenedFileHasEverything(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tables.db")
	first, err := engine.Open(engine.Config{Path: path})
	require.NoError(t, err)
	d := connect(t, first)
	d.create(global("by-g", projectAll(), "g"))
	require.NoError(t, d.setTTL("ttl", true))
	d.put(it("PK", "a", "SK", "1", "g", "G", "n", number("1.50")))
	require.NoError(t, d.transact("token", txUpdate(key("a", "2"), "ADD n :n", "", it(":n", 1))))
	before := d.describe()
	require.NoError(t, first.Close())
	_, err = d.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String(table), Key: key("a", "1")})
	requireCode(t, err, "InternalServerError", "closed")

	d = connect(t, open(t, engine.Config{Path: path}))
	require.Equal(t, before, d.describe())
	require.Equal(t, it("PK", "a", "SK", "1", "g", "G", "n", number("1.5")), d.get(key("a", "1")))
	require.Equal(t, 1, d.countOn("by-g", "g = :g", it(":g", "G")))
	requireInvalid(t, d.setTTL("ttl", true), "already enabled")
	require.NoError(t, d.transact("token", txUpdate(key("a", "2"), "ADD n :n", "", it(":n", 1))))
	require.Equal(t, number("1"), d.get(key("a", "2"))["n"], "tokens outlive the process")
}

func TestTwoEnginesShareNothing(t *testing.T) {
	one, two := connect(t, open(t, engine.Config{})), connect(t, open(t, engine.Config{}))
	one.create()
	one.put(key("a", "1"))
	_, err := two.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String(table)})
	requireCode(t, err, "ResourceNotFoundException")
	two.create(global("by-g", projectAll(), "g"))
	require.Nil(t, two.get(key("a", "1")))
	require.Empty(t, one.describe().GlobalSecondaryIndexes)
}

func TestNoGoroutineIsLeft(t *testing.T) {
	for _, path := range []string{engine.InMemory, filepath.Join(t.TempDir(), "tables.db")} {
		e, err := engine.Open(engine.Config{Path: path})
		require.NoError(t, err)
		d := connect(t, e)
		d.create()
		d.put(key("a", "1"))
		require.NoError(t, e.Close())
	}
	stacks := make([]byte, 1<<20)
	all := string(stacks[:runtime.Stack(stacks, true)])
	for _, code := range []string{"go.etcd.io/bbolt", "tidwall/btree", "internal/engine/storage", "internal/engine.(*Engine)"} {
		require.NotContains(t, all, code)
	}
}

func TestLatencyInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := connect(t, open(t, engine.Config{Latency: 40 * time.Millisecond}))
		start := time.Now()
		d.create()
		var wg sync.WaitGroup
		for i := range 10 {
			wg.Go(func() { d.put(key("a", strconv.Itoa(i))) })
		}
		wg.Wait()
		require.Equal(t, 80*time.Millisecond, time.Since(start), "requests at the same time wait at the same time")
	})
}

func TestCancelledRequestHasNoEffect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := connect(t, open(t, engine.Config{Latency: time.Second}))
		d.create()
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		start := time.Now()
		_, err := d.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(table), Item: key("a", "1")})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, 300*time.Millisecond, time.Since(start))
		require.Nil(t, d.get(key("a", "1")))
	})
}

func TestExpiryAndTokensUseTheClockOfTheBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := connect(t, open(t, engine.Config{}))
		d.create()
		require.NoError(t, d.setTTL("ttl", true))
		d.put(it("PK", "a", "SK", "1", "ttl", int(time.Now().Unix())+60))
		time.Sleep(time.Minute + 2*time.Second) //nolint:forbidigo // the clock of a bubble costs no time
		require.Nil(t, d.get(key("a", "1")))
	})
}

// Many writers and readers at once: no update is lost, no reader sees half a transaction, counts agree in the end.
func TestHammer(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create(global("by-g", projectAll(), "g"))
		for i := range 4 {
			d.put(it("PK", "acc", "SK", strconv.Itoa(i), "bal", 100, "g", "G"))
		}
		var writers, readers sync.WaitGroup
		stop := make(chan struct{})
		for range 2 {
			readers.Go(func() { d.watchBalances(stop) })
		}
		for w := range 8 {
			writers.Go(func() {
				for i := range 15 {
					from, to := strconv.Itoa((w+i)%4), strconv.Itoa((w+i+1)%4)
					require.NoError(d.t, d.transact("",
						txUpdate(key("acc", from), "SET bal = bal - :n, g = :g", "", it(":n", 1, ":g", "G"+strconv.Itoa(i%3))),
						txUpdate(key("acc", to), "SET bal = bal + :n", "", it(":n", 1))))
					_, err := d.update(key("counter", "1"), "ADD n :n", it(":n", 1))
					require.NoError(d.t, err)
				}
			})
		}
		writers.Wait()
		close(stop)
		readers.Wait()
		require.Equal(d.t, number("120"), d.get(key("counter", "1"))["n"])
		require.EqualValues(d.t, 5, *d.describe().ItemCount)
		require.EqualValues(d.t, 4, *d.describe().GlobalSecondaryIndexes[0].ItemCount)
	})
}

func (d *db) watchBalances(stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		sum := 0
		for _, i := range d.query("PK = :p", it(":p", "acc")).Items {
			n, err := strconv.Atoi(i["bal"].(*types.AttributeValueMemberN).Value)
			require.NoError(d.t, err)
			sum += n
		}
		require.Equal(d.t, 400, sum)
	}
}

func TestOverASocket(t *testing.T) {
	server := httptest.NewServer(open(t, engine.Config{}))
	defer server.Close()
	post := func(method, target, body string) (int, http.Header, string) {
		r, err := http.NewRequestWithContext(t.Context(), method, server.URL, strings.NewReader(body))
		require.NoError(t, err)
		r.Header.Set("X-Amz-Target", target)
		response, err := server.Client().Do(r)
		require.NoError(t, err)
		answer, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		return response.StatusCode, response.Header, string(answer)
	}
	status, header, body := post("POST", "DynamoDB_20120810.ListTables", "{}")
	require.Equal(t, http.StatusOK, status)
	require.JSONEq(t, `{"TableNames":[]}`, body)
	require.Equal(t, "application/x-amz-json-1.0", header.Get("Content-Type"))
	require.Equal(t, strconv.FormatUint(uint64(crc32.ChecksumIEEE([]byte(body))), 10), header.Get("X-Amz-Crc32"))
	require.NotEmpty(t, header.Get("X-Amzn-Requestid"))

	for _, c := range []struct{ method, target, body, want string }{
		{"POST", "DynamoDB_20120810.NoSuchOperation", "{}", "com.amazon.coral.service#UnknownOperationException"},
		{"POST", "DynamoDB_20120810.ExecuteStatement", "{}", "UnknownOperationException"},
		{"POST", "ListTables", "{}", "UnknownOperationException"},
		{"GET", "DynamoDB_20120810.ListTables", "", "UnknownOperationException"},
		{"POST", "DynamoDB_20120810.GetItem", "{not json", "com.amazon.coral.service#SerializationException"},
		{"POST", "DynamoDB_20120810.GetItem", "", "SerializationException"},
		{"POST", "DynamoDB_20120810.GetItem", `{"TableName":5}`, "SerializationException"},
		{"POST", "DynamoDB_20120810.GetItem", `{"TableName":"xyz","Key":{"PK":{"S":5}}}`, "SerializationException"},
		{"POST", "DynamoDB_20120810.GetItem", `{"TableName":"xyz"}`, "Value null at 'key' failed to satisfy constraint: Member must not be null"},
		{"POST", "DynamoDB_20120810.GetItem", `{"Key":{}}`, "Value null at 'tableName' failed to satisfy constraint"},
		{"POST", "DynamoDB_20120810.DescribeTable", `{"TableName":"xyz"}`, "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException"},
	} {
		status, _, body := post(c.method, c.target, c.body)
		require.Equal(t, http.StatusBadRequest, status)
		require.Contains(t, body, c.want)
	}
	status, _, body = post("POST", "DynamoDB_20120810.PutItem", strings.Repeat(" ", 16<<20+1))
	require.Equal(t, http.StatusRequestEntityTooLarge, status)
	require.Contains(t, body, "RequestEntityTooLargeException")
}
