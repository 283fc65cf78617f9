package engine

import (
	"maps"
	"slices"
	"strconv"

	"example.com/keyfirst/internal/engine/attr"
)

// Units of capacity
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html).
const (
	readUnit  = 4096 // bytes of a strongly consistent read
	writeUnit = 1024 // bytes of a write
)

// Values of ReturnConsumedCapacity.
const (
	capacityNone    = "NONE"
	capacityTotal   = "TOTAL"
	capacityIndexes = "INDEXES"
)

func checkCapacityMode(mode string) error {
	switch mode {
	case "", capacityNone, capacityTotal, capacityIndexes:
		return nil
	}
	return constraint("'"+mode+"'", "returnConsumedCapacity", "Member must satisfy enum value set: [INDEXES, TOTAL, NONE]")
}

func blocks(size, unit int) float64 {
	return float64(max((size+unit-1)/unit, 1))
}

// readUnits is the cost of reading bytes at once; half as much when the read may be stale.
func readUnits(size int, consistent bool) float64 {
	if consistent {
		return blocks(size, readUnit)
	}
	return blocks(size, readUnit) / 2
}

func writeUnits(size int) float64 { return blocks(size, writeUnit) }

// consumption is the capacity that a request took from one table.
type consumption struct {
	table  string
	own    float64 // by the table itself
	local  map[string]float64
	global map[string]float64
	name   string // "ReadCapacityUnits" or "WriteCapacityUnits" when units appear under that name too, as in transactions
}

func (c *consumption) addIndex(ix *index, units float64) {
	if units == 0 {
		return
	}
	of := &c.global
	if ix.record.Local {
		of = &c.local
	}
	if *of == nil {
		*of = map[string]float64{}
	}
	(*of)[ix.record.Name] += units
}

func (c *consumption) add(other *consumption) {
	c.own += other.own
	for name, units := range other.local {
		if c.local == nil {
			c.local = map[string]float64{}
		}
		c.local[name] += units
	}
	for name, units := range other.global {
		if c.global == nil {
			c.global = map[string]float64{}
		}
		c.global[name] += units
	}
}

// times multiplies everything, as by two for a transaction.
func (c *consumption) times(factor float64) {
	c.own *= factor
	for name := range c.local {
		c.local[name] *= factor
	}
	for name := range c.global {
		c.global[name] *= factor
	}
}

func (c *consumption) total() float64 {
	sum := c.own
	for _, units := range c.local {
		sum += units
	}
	for _, units := range c.global {
		sum += units
	}
	return sum
}

// appendJSON appends the ConsumedCapacity of the mode, which must not be NONE.
func (c *consumption) appendJSON(dst []byte, mode string) []byte {
	dst = append(dst, `{"TableName":`...)
	dst = attr.AppendString(dst, c.table)
	dst = append(dst, ',')
	dst = c.appendUnits(dst, c.total())
	if mode == capacityIndexes {
		dst = append(dst, `,"Table":{`...)
		dst = c.appendUnits(dst, c.own)
		dst = append(dst, '}')
		dst = c.appendIndexes(dst, "LocalSecondaryIndexes", c.local)
		dst = c.appendIndexes(dst, "GlobalSecondaryIndexes", c.global)
	}
	return append(dst, '}')
}

func (c *consumption) appendUnits(dst []byte, units float64) []byte {
	dst = append(dst, `"CapacityUnits":`...)
	dst = strconv.AppendFloat(dst, units, 'f', 1, 64)
	if c.name != "" {
		dst = append(dst, ',')
		dst = append(attr.AppendString(dst, c.name), ':')
		dst = strconv.AppendFloat(dst, units, 'f', 1, 64)
	}
	return dst
}

func (c *consumption) appendIndexes(dst []byte, field string, units map[string]float64) []byte {
	if len(units) == 0 {
		return dst
	}
	dst = append(dst, ',')
	dst = append(attr.AppendString(dst, field), ':', '{')
	for i, name := range slices.Sorted(maps.Keys(units)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(attr.AppendString(dst, name), ':', '{')
		dst = append(c.appendUnits(dst, units[name]), '}')
	}
	return append(dst, '}')
}
