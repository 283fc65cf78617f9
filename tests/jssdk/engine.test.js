// Drives `keyfirst engine` with the AWS SDK for JavaScript, as another team's service would: what the Go SDK forgives,
// this one may not. KEYFIRST names the program.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { after, before, beforeEach, describe, test } from "node:test";
import * as dynamodb from "@aws-sdk/client-dynamodb";
import * as document from "@aws-sdk/lib-dynamodb";

const TableName = "things";
let engine, endpoint, client, doc;

before(async () => {
  const program = process.env.KEYFIRST;
  assert.ok(program, "KEYFIRST is not set: scripts/jssdk.sh sets it");
  engine = spawn(program, ["engine", "--addr", "127.0.0.1:0"], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: engine.stdout })) {
    endpoint = line.match(/http:\S+/)[0];
    break;
  }
  client = new dynamodb.DynamoDBClient({
    endpoint,
    region: "eu-central-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    maxAttempts: 3,
  });
  doc = document.DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  await client.send(
    new dynamodb.CreateTableCommand({
      TableName,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: ["PK", "SK", "g"].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
      KeySchema: [
        { AttributeName: "PK", KeyType: "HASH" },
        { AttributeName: "SK", KeyType: "RANGE" },
      ],
      GlobalSecondaryIndexes: [
        { IndexName: "by-g", KeySchema: [{ AttributeName: "g", KeyType: "HASH" }], Projection: { ProjectionType: "ALL" } },
      ],
    }),
  );
  await dynamodb.waitUntilTableExists({ client, maxWaitTime: 30 }, { TableName });
});

after(() => {
  client?.destroy();
  engine?.kill();
});

// faults replaces the faults of the engine.
async function faults(...all) {
  const reply = await fetch(`${endpoint}/_debug/faults`, { method: "PUT", body: JSON.stringify(all) });
  assert.equal(reply.status, 200, await reply.text());
}

beforeEach(() => faults());

async function fill(PK, n) {
  for (let i = 0; i < n; i += 25) {
    const puts = Array.from({ length: Math.min(25, n - i) }, (_, k) => ({
      PutRequest: { Item: { PK, SK: String(i + k).padStart(4, "0"), g: `G#${PK}`, n: i + k } },
    }));
    const { UnprocessedItems } = await doc.send(new document.BatchWriteCommand({ RequestItems: { [TableName]: puts } }));
    assert.deepEqual(UnprocessedItems, {});
  }
}

describe("tables", () => {
  test("are described", async () => {
    const { Table } = await client.send(new dynamodb.DescribeTableCommand({ TableName }));
    assert.equal(Table.TableStatus, "ACTIVE");
    assert.ok(Table.CreationDateTime instanceof Date);
    assert.equal(Table.GlobalSecondaryIndexes[0].IndexName, "by-g");
    assert.deepEqual((await client.send(new dynamodb.ListTablesCommand({}))).TableNames, [TableName]);
  });
});

describe("items", () => {
  test("keep every type", async () => {
    const Item = {
      PK: "types",
      SK: "1",
      text: 'ünï "quoted" \u0001 😀',
      number: 12.5,
      large: document.NumberValue.from("12345678901234567890.123"),
      binary: new Uint8Array([0, 1, 255]),
      yes: true,
      nothing: null,
      list: [1, "two", { three: [] }],
      map: { a: { b: "c" } },
      strings: new Set(["x", "y"]),
      numbers: new Set([1, 2]),
    };
    await doc.send(new document.PutCommand({ TableName, Item }));
    const reader = document.DynamoDBDocumentClient.from(client, {
      unmarshallOptions: { wrapNumbers: (text) => (text.length > 15 ? document.NumberValue.from(text) : Number(text)) },
    });
    const got = await reader.send(new document.GetCommand({ TableName, Key: { PK: "types", SK: "1" } }));
    assert.deepEqual(got.Item, Item);
  });

  test("are missing without an error", async () => {
    const got = await doc.send(new document.GetCommand({ TableName, Key: { PK: "none", SK: "1" }, ReturnConsumedCapacity: "TOTAL" }));
    assert.equal(got.Item, undefined);
    assert.equal(got.ConsumedCapacity.CapacityUnits, 0.5);
  });

  test("are updated and deleted", async () => {
    const Key = { PK: "update", SK: "1" };
    const updated = await doc.send(
      new document.UpdateCommand({
        TableName,
        Key,
        UpdateExpression: "SET #n = if_not_exists(#n, :zero) + :one, tags = :tags",
        ExpressionAttributeNames: { "#n": "n" },
        ExpressionAttributeValues: { ":zero": 0, ":one": 1, ":tags": ["a"] },
        ReturnValues: "ALL_NEW",
      }),
    );
    assert.deepEqual(updated.Attributes, { ...Key, n: 1, tags: ["a"] });
    const deleted = await doc.send(new document.DeleteCommand({ TableName, Key, ReturnValues: "ALL_OLD" }));
    assert.equal(deleted.Attributes.n, 1);
  });
});

describe("queries", () => {
  before(() => fill("query", 60));
  const input = {
    TableName,
    KeyConditionExpression: "PK = :p AND SK BETWEEN :from AND :to",
    ExpressionAttributeValues: { ":p": "query", ":from": "0010", ":to": "0049" },
  };

  test("have an order and a limit", async () => {
    const page = await doc.send(new document.QueryCommand({ ...input, ScanIndexForward: false, Limit: 3 }));
    assert.deepEqual(page.Items.map((item) => item.n), [49, 48, 47]);
    assert.deepEqual(page.LastEvaluatedKey, { PK: "query", SK: "0047" });
  });

  test("page through the paginator", async () => {
    const sizes = [];
    for await (const page of document.paginateQuery({ client: doc, pageSize: 15 }, input)) sizes.push(page.Count);
    assert.deepEqual(sizes, [15, 15, 10]);
  });

  test("read an index and filter", async () => {
    const found = await doc.send(
      new document.QueryCommand({
        TableName,
        IndexName: "by-g",
        KeyConditionExpression: "g = :g",
        FilterExpression: "n >= :n",
        ProjectionExpression: "SK",
        ExpressionAttributeValues: { ":g": "G#query", ":n": 58 },
      }),
    );
    assert.deepEqual(found.Items.map((item) => item.SK).sort(), ["0058", "0059"]);
    assert.equal(found.ScannedCount, 60);
  });

  test("scan through the paginator", async () => {
    let n = 0;
    for await (const page of document.paginateScan({ client: doc, pageSize: 25 }, { TableName, IndexName: "by-g" })) n += page.Count;
    assert.ok(n >= 60);
  });
});

describe("batches", () => {
  test("get a hundred items, and give back what was not processed", async () => {
    await fill("batch", 100);
    await faults({ kind: "unprocessed", operations: ["BatchGetItem"], rate: 0.4, seed: 1 });
    let request = { [TableName]: { Keys: Array.from({ length: 100 }, (_, i) => ({ PK: "batch", SK: String(i).padStart(4, "0") })) } };
    const found = new Set();
    let rounds = 0;
    for (; Object.keys(request).length > 0; rounds++) {
      const got = await doc.send(new document.BatchGetCommand({ RequestItems: request }));
      for (const item of got.Responses[TableName] ?? []) found.add(item.SK);
      request = got.UnprocessedKeys;
    }
    assert.equal(found.size, 100);
    assert.ok(rounds > 1);
  });
});

describe("transactions", () => {
  const put = (SK) => ({ Put: { TableName, Item: { PK: "tx", SK }, ConditionExpression: "attribute_not_exists(PK)" } });

  test("write and read together", async () => {
    await doc.send(new document.TransactWriteCommand({ TransactItems: [put("1"), put("2")] }));
    const got = await doc.send(
      new document.TransactGetCommand({ TransactItems: ["1", "3"].map((SK) => ({ Get: { TableName, Key: { PK: "tx", SK } } })) }),
    );
    assert.deepEqual(got.Responses, [{ Item: { PK: "tx", SK: "1" } }, {}]);
  });

  test("are cancelled with reasons", async () => {
    await doc.send(new document.TransactWriteCommand({ TransactItems: [put("10")] }));
    await assert.rejects(doc.send(new document.TransactWriteCommand({ TransactItems: [put("11"), put("10")] })), (err) => {
      assert.ok(err instanceof dynamodb.TransactionCanceledException);
      assert.deepEqual(err.CancellationReasons.map((reason) => reason.Code), ["None", "ConditionalCheckFailed"]);
      return true;
    });
    const got = await doc.send(new document.GetCommand({ TableName, Key: { PK: "tx", SK: "11" } }));
    assert.equal(got.Item, undefined);
  });

  test("happen once by their token", async () => {
    const add = { Update: { TableName, Key: { PK: "tx", SK: "sum" }, UpdateExpression: "ADD n :n", ExpressionAttributeValues: { ":n": 1 } } };
    for (let i = 0; i < 2; i++) {
      await doc.send(new document.TransactWriteCommand({ ClientRequestToken: "token-1", TransactItems: [add] }));
    }
    assert.equal((await doc.send(new document.GetCommand({ TableName, Key: { PK: "tx", SK: "sum" } }))).Item.n, 1);
  });
});

describe("errors have their classes", () => {
  test("of conditions, with the item", async () => {
    await doc.send(new document.PutCommand({ TableName, Item: { PK: "error", SK: "1", n: 7 } }));
    const put = new document.PutCommand({
      TableName,
      Item: { PK: "error", SK: "1" },
      ConditionExpression: "attribute_not_exists(PK)",
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    });
    await assert.rejects(doc.send(put), (err) => {
      assert.ok(err instanceof dynamodb.ConditionalCheckFailedException);
      assert.equal(err.$metadata.httpStatusCode, 400);
      assert.equal(err.Item.n.N ?? err.Item.n, "7");
      return true;
    });
  });

  test("of tables and of requests", async () => {
    const get = (name, Key) => doc.send(new document.GetCommand({ TableName: name, Key }));
    await assert.rejects(get("none", { PK: "a", SK: "1" }), (err) => err instanceof dynamodb.ResourceNotFoundException);
    await assert.rejects(get(TableName, { PK: "a" }), (err) => err.name === "ValidationException" && /schema/.test(err.message));
    await assert.rejects(
      client.send(new dynamodb.ExecuteStatementCommand({ Statement: "SELECT * FROM things" })),
      (err) => err.name === "UnknownOperationException",
    );
  });

  test("and those that pass are tried again", async () => {
    const Item = { PK: "retry", SK: "1" };
    for (const kind of ["throttle", "internal", "cut", "conflict"]) {
      await faults({ kind, operations: ["PutItem"], count: 2 });
      const put = doc.send(new document.PutCommand({ TableName, Item }));
      if (kind === "conflict") {
        await assert.rejects(put, (err) => err instanceof dynamodb.TransactionConflictException);
      } else {
        assert.equal((await put).$metadata.attempts, 3, kind);
      }
    }
    await faults({ kind: "throttle", operations: ["PutItem"] });
    await assert.rejects(
      doc.send(new document.PutCommand({ TableName, Item })),
      (err) => err instanceof dynamodb.ProvisionedThroughputExceededException && err.$metadata.attempts === 3,
    );
  });
});
