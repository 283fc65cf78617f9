package patterns

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"

	"example.com/keyfirst/dal"
)

// Row is one access pattern as a person reads it.
type Row struct {
	// Pattern is its name.
	Pattern string `json:"pattern"`
	// Fields are the fields of the schema that use it, as Type.field.
	Fields []string `json:"fields"`
	// Request is the DynamoDB operation, and the index if there is one.
	Request string `json:"request"`
	// Key is the key condition, with <id> for what varies.
	Key string `json:"key"`
	// Rounds is how many rounds it takes.
	Rounds int `json:"rounds"`
	// Cost is what it costs at most: for a page, the default one.
	Cost string `json:"cost"`
	// Consistency says whether it can be read strongly.
	Consistency string `json:"consistency"`
}

// Rows are all access patterns, in the catalogue's order.
func Rows(schema *ast.Schema) []Row {
	fields := fieldsOf(schema)
	rows := make([]Row, 0, len(dal.Catalogue()))
	for _, a := range dal.Catalogue() {
		row := Row{
			Pattern: string(a.Pattern), Fields: fields[string(a.Pattern)], Request: a.Operation, Key: a.Key,
			Rounds: 1, Consistency: consistency(a),
		}
		if a.Index != "" {
			row.Request += " " + a.Index
		}
		switch {
		case a.Read != nil:
			row.Cost = readCost(*a.Read)
		case a.Write != nil:
			row.Cost = writeCost(*a.Write)
			if a.Write.Read.Requests > 0 {
				row.Rounds = 2
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// fieldsOf are the fields of each pattern, sorted.
func fieldsOf(schema *ast.Schema) map[string][]string {
	fields := map[string][]string{}
	for _, object := range schema.Types {
		for _, f := range object.Fields {
			for _, d := range f.Directives.ForNames("access") {
				pattern := d.Arguments.ForName("pattern").Value.Raw
				fields[pattern] = append(fields[pattern], object.Name+"."+f.Name)
			}
		}
	}
	for _, names := range fields {
		slices.Sort(names)
	}
	return fields
}

func consistency(a dal.Access) string {
	switch {
	case a.Write != nil:
		return "transaction"
	case a.Strong:
		return "eventual or strong"
	}
	return "eventual"
}

func readCost(r dal.Read) string {
	b := r.Bound(dal.Eventual, 1)
	if !r.IsPage() {
		return number(b.ReadUnits) + " read units"
	}
	return fmt.Sprintf("%s read units for %d items", number(b.ReadUnits), b.Keys)
}

func writeCost(b dal.WriteBound) string {
	cost := fmt.Sprintf("%s write units for %d items", number(b.WriteUnits), b.Actions)
	if b.Read.Requests > 0 {
		cost = fmt.Sprintf("%s read units, then %s", number(b.Read.ReadUnits), cost)
	}
	return cost
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
