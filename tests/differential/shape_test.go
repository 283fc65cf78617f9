package differential

// shape is a table: its key schema, and the kinds of its keys and those of its indexes.
type shape struct {
	hash, sort   string // kinds; an empty one is no sort key
	index        string // kind of g and gs, the keys of the global indexes
	due          string // kind of the sort key of the local index
	localProject string
}

// The names of the keys, of the table and of its indexes.
const (
	hashName = "PK"
	sortName = "SK"

	globalHash = "g"
	globalSort = "gs"
	localSort  = "due"
)

type indexShape struct {
	name, hash, sort string
	local            bool
	project          []string // beyond its keys and the table's; nil for everything
}

func (g generator) drawShape() shape {
	return pick(g,
		shape{"S", "S", "S", "N", "ALL"},
		shape{"S", "S", "N", "S", "KEYS_ONLY"},
		shape{"S", "N", "S", "S", "INCLUDE"},
		shape{"N", "B", "B", "N", "KEYS_ONLY"},
		shape{"B", "S", "S", "B", "INCLUDE"},
		shape{"S", "", "N", "", ""},
	)
}

func (s shape) indexes() []indexShape {
	all := []indexShape{
		{name: "all", hash: globalHash, sort: globalSort},
		{name: "keys", hash: globalHash, project: []string{}},
		{name: "some", hash: globalSort, sort: globalHash, project: []string{"a", "m"}},
	}
	switch s.localProject {
	case "ALL":
		all = append(all, indexShape{name: "local", hash: hashName, sort: localSort, local: true})
	case "KEYS_ONLY":
		all = append(all, indexShape{name: "local", hash: hashName, sort: localSort, local: true, project: []string{}})
	case "INCLUDE":
		all = append(all, indexShape{name: "local", hash: hashName, sort: localSort, local: true, project: []string{"a", "l"}})
	}
	return all
}

func (s shape) kindOf(attribute string) string {
	switch attribute {
	case hashName:
		return s.hash
	case sortName:
		return s.sort
	case globalHash, globalSort:
		return s.index
	case localSort:
		return s.due
	}
	return ""
}

func keySchema(hash, sort string) []any {
	schema := []any{object{"AttributeName": hash, "KeyType": "HASH"}}
	if sort != "" {
		schema = append(schema, object{"AttributeName": sort, "KeyType": "RANGE"})
	}
	return schema
}

func (s shape) sortAttribute() string {
	if s.sort == "" {
		return ""
	}
	return sortName
}

// create is the CreateTable request.
func (s shape) create(name string) object {
	request := object{"TableName": name, "BillingMode": "PAY_PER_REQUEST", "KeySchema": keySchema(hashName, s.sortAttribute())}
	used := []string{hashName, globalHash, globalSort}
	if s.sort != "" {
		used = append(used, sortName)
	}
	var global, local []any
	for _, ix := range s.indexes() {
		projection := object{"ProjectionType": "ALL"}
		if ix.project != nil {
			projection = object{"ProjectionType": "KEYS_ONLY"}
			if len(ix.project) > 0 {
				projection = object{"ProjectionType": "INCLUDE", "NonKeyAttributes": ix.project}
			}
		}
		definition := object{"IndexName": ix.name, "KeySchema": keySchema(ix.hash, ix.sort), "Projection": projection}
		if ix.local {
			local = append(local, definition)
			used = append(used, localSort)
		} else {
			global = append(global, definition)
		}
	}
	var definitions []any
	for _, attribute := range used {
		definitions = append(definitions, object{"AttributeName": attribute, "AttributeType": s.kindOf(attribute)})
	}
	request["AttributeDefinitions"] = definitions
	request["GlobalSecondaryIndexes"] = global
	if local != nil {
		request["LocalSecondaryIndexes"] = local
	}
	return request
}

// keyValue is a value of few, so that keys meet again, some of them in another spelling.
func (g generator) keyValue(kind string) object {
	switch kind {
	case "S":
		return text(pick(g, "a", "b", "a#b", "a#", "\x00", "\U0001F600", "\uffff", "ab"))
	case "N":
		return number(pick(g, "0", "1", "-1", "1.0", "10", "2", "-0", "1e1", "0.5", "-0.5", "1E-130", "9.9999999999999999999999999999999999999E+125", "-1E+125"))
	default:
		return binary(pick(g, "a", "\x00", "\xff", "a\x00", "\x00\x00", "ab"))
	}
}

// key is the key of an item; now and then not one of this table.
func (g generator) key() object {
	key := object{hashName: g.keyValue(g.shape.hash)}
	if g.oneIn(3) {
		key[hashName] = g.firstKeyValue(g.shape.hash)
	}
	if g.shape.sort != "" {
		key[sortName] = g.keyValue(g.shape.sort)
	}
	if g.oneIn(80) {
		switch g.upTo(3) {
		case 0:
			delete(key, sortName)
		case 1:
			key["a"] = text("more")
		case 2:
			key[hashName] = g.value(1)
		default:
			key[pick(g, hashName, sortName)] = pick(g, text(""), binary(""))
		}
	}
	return key
}

// firstKeyValue makes one partition larger than the others.
func (g generator) firstKeyValue(kind string) object {
	switch kind {
	case "S":
		return text("a")
	case "N":
		return number("1")
	}
	return binary("a")
}

// item is an item to put, most of them in the indexes.
func (g generator) item() object {
	item := g.key()
	for _, name := range []string{globalHash, globalSort, localSort} {
		kind := g.shape.kindOf(name)
		if kind != "" && !g.oneIn(4) {
			item[name] = g.keyValue(kind)
			if g.oneIn(2) {
				item[name] = g.firstKeyValue(kind)
			}
		}
	}
	for range g.upTo(5) {
		name := g.attribute()
		if g.shape.kindOf(name) == "" || g.oneIn(10) {
			item[name] = g.value(3)
		}
	}
	if g.oneIn(3) {
		item["l"] = list(g.values(2)...)
	}
	if g.oneIn(3) {
		item["m"] = document(g.attributes(2))
	}
	return item
}

// indexNamed is nil for no name.
func (s shape) indexNamed(name any) *indexShape {
	for _, ix := range s.indexes() {
		if ix.name == name {
			return &ix
		}
	}
	return nil
}
