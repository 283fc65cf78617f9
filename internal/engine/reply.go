package engine

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"example.com/keyfirst/internal/engine/attr"
)

// reply builds the JSON object of a response. Items that come from the store are copied into it as they are.
type reply struct{ buf []byte }

func newReply(sizeHint int) *reply { return &reply{append(make([]byte, 0, sizeHint+64), '{')} }

// field starts a member of the innermost object; its value is for the caller to append.
func (r *reply) field(name string) *reply {
	r.separate('{')
	r.buf = append(attr.AppendString(r.buf, name), ':')
	return r
}

// element appends an element of the innermost array.
func (r *reply) element(value []byte) {
	r.separate('[')
	r.raw(value)
}

// separate appends a comma, except after the bracket that opens an object or an array.
func (r *reply) separate(open byte) {
	if r.buf[len(r.buf)-1] != open {
		r.buf = append(r.buf, ',')
	}
}

func (r *reply) open(bracket byte) { r.buf = append(r.buf, bracket) }

func (r *reply) close(bracket byte) { r.buf = append(r.buf, bracket) }

func (r *reply) raw(value []byte) { r.buf = append(r.buf, value...) }

func (r *reply) item(item attr.Item) { r.buf = item.AppendJSON(r.buf) }

// names appends ExpressionAttributeNames.
func (r *reply) names(names map[string]string) {
	r.open('{')
	for _, name := range slices.Sorted(maps.Keys(names)) {
		r.field(name).text(names[name])
	}
	r.close('}')
}

func (r *reply) integer(n int) { r.buf = strconv.AppendInt(r.buf, int64(n), 10) }

// capacity adds the ConsumedCapacity of one table, if the mode asks for it.
func (r *reply) capacity(mode string, c *consumption) {
	if mode == capacityTotal || mode == capacityIndexes {
		r.field("ConsumedCapacity")
		r.buf = c.appendJSON(r.buf, mode)
	}
}

// capacities adds the ConsumedCapacity of several tables, if the mode asks for it.
func (r *reply) capacities(mode string, all []*consumption) {
	if mode != capacityTotal && mode != capacityIndexes {
		return
	}
	r.field("ConsumedCapacity").open('[')
	for _, c := range all {
		r.separate('[')
		r.buf = c.appendJSON(r.buf, mode)
	}
	r.close(']')
}

func (r *reply) done() []byte { return append(r.buf, '}') }

func marshal(response any) ([]byte, error) {
	body, err := json.Marshal(response)
	if err != nil {
		return nil, fmt.Errorf("engine: write a response: %w", err)
	}
	return body, nil
}

func (r *reply) text(text string) { r.buf = attr.AppendString(r.buf, text) }
