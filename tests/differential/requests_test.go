package differential

import (
	"fmt"
)

// request is one operation to send to both engines.
type request struct {
	operation  string
	parameters object
}

// request draws an operation on the table.
func (g generator) request(table string) request {
	// All kinds come early in the list: rapid prefers what does.
	switch pick(g,
		"put", "query", "update", "scan", "get", "transact write", "batch write", "delete", "batch get", "transact get",
		"put", "update", "query", "put", "update", "query", "transact write", "put", "update", "put",
	) {
	case "put":
		return g.put(table)
	case "update":
		return g.updateItem(table)
	case "delete":
		return g.deleteItem(table)
	case "get":
		return g.get(table)
	case "query":
		return g.query(table)
	case "scan":
		return g.scan(table)
	case "batch get":
		return g.batchGet(table)
	case "batch write":
		return g.batchWrite(table)
	case "transact write":
		return g.transactWrite(table)
	default:
		return g.transactGet(table)
	}
}

func (g generator) capacity(parameters object) {
	if mode := pick(g, "", "NONE", "TOTAL", "INDEXES", "INDEXES"); mode != "" {
		parameters["ReturnConsumedCapacity"] = mode
	}
}

func (g generator) conditioned(e *expressions, parameters object) {
	if !g.oneIn(3) {
		return
	}
	parameters["ConditionExpression"] = e.condition(2)
	if g.oneIn(3) {
		parameters["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
	}
}

func (g generator) returning(parameters object, kinds ...string) {
	if g.oneIn(2) {
		parameters["ReturnValues"] = pick(g, kinds...)
	}
}

func (g generator) put(table string) request {
	e := g.expressions()
	parameters := object{"TableName": table, "Item": g.item()}
	g.conditioned(e, parameters)
	g.returning(parameters, "ALL_OLD", "ALL_OLD", "ALL_OLD", "NONE", "ALL_OLD", "NONE", "ALL_NEW")
	g.capacity(parameters)
	e.addTo(parameters)
	return request{"PutItem", parameters}
}

func (g generator) updateItem(table string) request {
	e := g.expressions()
	parameters := object{"TableName": table, "Key": g.key()}
	if !g.oneIn(30) {
		parameters["UpdateExpression"] = e.update()
	}
	g.conditioned(e, parameters)
	g.returning(parameters, "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW", "NONE")
	g.capacity(parameters)
	e.addTo(parameters)
	return request{"UpdateItem", parameters}
}

func (g generator) deleteItem(table string) request {
	e := g.expressions()
	parameters := object{"TableName": table, "Key": g.key()}
	g.conditioned(e, parameters)
	g.returning(parameters, "ALL_OLD", "NONE", "ALL_OLD", "ALL_OLD", "UPDATED_OLD")
	g.capacity(parameters)
	e.addTo(parameters)
	return request{"DeleteItem", parameters}
}

func (g generator) get(table string) request {
	e := g.expressions()
	parameters := object{"TableName": table, "Key": g.key()}
	if g.oneIn(2) {
		parameters["ProjectionExpression"] = e.projection()
	}
	if g.oneIn(2) {
		parameters["ConsistentRead"] = true
	}
	g.capacity(parameters)
	if len(e.names) > 0 {
		parameters["ExpressionAttributeNames"] = e.names
	}
	return request{"GetItem", parameters}
}

// read has what Query and Scan have in common.
func (g generator) read(e *expressions, parameters object) (ix *indexShape) {
	if !g.oneIn(3) {
		indexes := g.shape.indexes()
		ix = &indexes[g.upTo(len(indexes)-1)]
		parameters["IndexName"] = ix.name
	}
	if g.oneIn(3) {
		parameters["FilterExpression"] = e.condition(2)
	}
	if g.oneIn(4) {
		parameters["ProjectionExpression"] = e.projection()
	}
	if g.oneIn(3) {
		parameters["Limit"] = 1 + g.upTo(4)
	}
	if ix == nil || ix.local || g.oneIn(30) {
		parameters["ConsistentRead"] = g.oneIn(2)
	}
	if g.oneIn(4) {
		parameters["Select"] = pick(g, "COUNT", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES", "SPECIFIC_ATTRIBUTES")
	}
	g.capacity(parameters)
	return ix
}

func (g generator) query(table string) request {
	e := g.expressions()
	parameters := object{"TableName": table}
	ix := g.read(e, parameters)
	hash, sort := hashName, g.shape.sortAttribute()
	if ix != nil {
		hash, sort = ix.hash, ix.sort
	}
	parameters["KeyConditionExpression"] = e.keyCondition(hash, sort)
	if g.oneIn(2) {
		parameters["ScanIndexForward"] = g.oneIn(2)
	}
	e.addTo(parameters)
	return request{"Query", parameters}
}

func (g generator) scan(table string) request {
	e := g.expressions()
	parameters := object{"TableName": table}
	g.read(e, parameters)
	e.addTo(parameters)
	return request{"Scan", parameters}
}

func (g generator) batchGet(table string) request {
	e := g.expressions()
	of := object{"Keys": g.keys()}
	if g.oneIn(3) {
		of["ProjectionExpression"] = e.projection()
	}
	if g.oneIn(2) {
		of["ConsistentRead"] = true
	}
	if len(e.names) > 0 {
		of["ExpressionAttributeNames"] = e.names
	}
	parameters := object{"RequestItems": object{table: of}}
	g.capacity(parameters)
	return request{"BatchGetItem", parameters}
}

// keys are distinct, but for one in many that comes twice, spelled the same: DynamoDB Local takes
// 1 and 1.0 for two, and any binary keys.
func (g generator) keys() []any {
	keys := []any{}
	seen := map[string]bool{}
	for range 1 + g.upTo(5) {
		key := g.key()
		if id := g.identity(key); !seen[id] {
			seen[id] = true
			keys = append(keys, key)
		}
	}
	if g.shape.hash != "B" && g.shape.sort != "B" && g.oneIn(40) {
		keys = append(keys, keys[0])
	}
	return keys
}

func (g generator) identity(key object) string {
	return fmt.Sprint(normalized(key[hashName]), normalized(key[sortName]))
}

func (g generator) batchWrite(table string) request {
	writes := []any{}
	for _, key := range g.keys() {
		if g.oneIn(3) {
			writes = append(writes, object{"DeleteRequest": object{"Key": key}})
			continue
		}
		item := g.item()
		for _, name := range []string{hashName, sortName} {
			if value, has := key.(object)[name]; has {
				item[name] = value
			}
		}
		writes = append(writes, object{"PutRequest": object{"Item": item}})
	}
	parameters := object{"RequestItems": object{table: writes}}
	g.capacity(parameters)
	return request{"BatchWriteItem", parameters}
}

func (g generator) transactWrite(table string) request {
	actions := []any{}
	for _, key := range g.keys() {
		e := g.expressions()
		parameters := object{"TableName": table}
		kind := pick(g, "Put", "Put", "Update", "Update", "Delete", "ConditionCheck")
		switch kind {
		case "Put":
			item := g.item()
			for _, name := range []string{hashName, sortName} {
				if value, has := key.(object)[name]; has {
					item[name] = value
				}
			}
			parameters["Item"] = item
		default:
			parameters["Key"] = key
		}
		if kind == "Update" {
			parameters["UpdateExpression"] = e.update()
		}
		if kind == "ConditionCheck" {
			parameters["ConditionExpression"] = e.condition(1)
		} else {
			g.conditioned(e, parameters)
		}
		e.addTo(parameters)
		actions = append(actions, object{kind: parameters})
	}
	parameters := object{"TransactItems": actions}
	g.capacity(parameters)
	return request{"TransactWriteItems", parameters}
}

func (g generator) transactGet(table string) request {
	actions := []any{}
	for _, key := range g.keys() {
		e := g.expressions()
		parameters := object{"TableName": table, "Key": key}
		if g.oneIn(2) {
			parameters["ProjectionExpression"] = e.projection()
		}
		if len(e.names) > 0 {
			parameters["ExpressionAttributeNames"] = e.names
		}
		actions = append(actions, object{"Get": parameters})
	}
	parameters := object{"TransactItems": actions}
	g.capacity(parameters)
	return request{"TransactGetItems", parameters}
}
