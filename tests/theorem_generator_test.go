package tests

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"example.com/keyfirst/dal"
)

// generated is a random operation.
type generated struct {
	query     string
	variables map[string]any
}

// taste says what a generator makes.
type taste struct {
	// mutation asks for root fields that write; else for those that read.
	mutation bool
	// depth is how deep fields nest.
	depth int
	// valid makes pages that are full on a full table: no arguments that are refused, no filters, no cursors.
	valid bool
	// page is the largest page that is asked for in earnest.
	page int
	// values bounds the leaves of the response, about.
	values int
}

// generator writes a random valid operation by walking the schema. What it knows beside the schema is which values
// make sense for an argument, by the argument's name and type.
//
// That every selection merges with every other follows from two rules kept over the whole document: a response key
// stands for one type of value, and on one type of parent for one field with one list of arguments.
type generator struct {
	taste

	random    *rand.Rand
	schema    *ast.Schema
	shop      *shop
	variables []string
	values    map[string]any
	keys      map[string]*keyUse
	// calls are the fields with arguments that were made, to be made again.
	calls     map[string][]fieldCall
	fragments []*fragment
	left      int
	serial    int
}

type keyUse struct {
	result string
	fields map[string]string // field and arguments by parent type
}

type fieldCall struct {
	key, arguments string
	times          int // how many elements of its list there may be
}

type fragment struct {
	name, on, text string
	height, leaves int
	done           bool
}

func generate(random *rand.Rand, schema *ast.Schema, s *shop, like taste) generated {
	g := &generator{
		taste: like, random: random, schema: schema, shop: s, values: map[string]any{}, keys: map[string]*keyUse{},
		calls: map[string][]fieldCall{}, left: like.values,
	}
	kind, root := "query", schema.Query
	if like.mutation {
		kind, root = "mutation", schema.Mutation
	}
	set, _ := g.set(root, 1, 1, g.roots())
	var text strings.Builder
	text.WriteString(kind + " Q")
	if len(g.variables) > 0 {
		text.WriteString("(" + strings.Join(g.variables, ", ") + ")")
	}
	if !like.mutation && g.one(6) {
		text.WriteString(" @consistent")
	}
	text.WriteString(" " + set)
	for _, f := range g.fragments {
		text.WriteString(" fragment " + f.name + " on " + f.on + " " + f.text)
	}
	return generated{query: text.String(), variables: g.values}
}

// one is true once in n times.
func (g *generator) one(n int) bool { return g.random.IntN(n) == 0 }

func (g *generator) roots() int {
	if g.mutation && g.valid {
		return 1
	}
	return 1 + g.random.IntN(3)
}

func pick[T any](g *generator, from []T) T { return from[g.random.IntN(len(from))] }

// set writes a selection set on a type and tells how high it is.
func (g *generator) set(on *ast.Definition, depth, parents, least int) (text string, height int) {
	var parts []string
	for range least + g.random.IntN(3) {
		part, h := g.selection(on, depth, parents)
		parts, height = append(parts, part), max(height, h)
	}
	return "{ " + strings.Join(parts, " ") + " }", height
}

func (g *generator) selection(on *ast.Definition, depth, parents int) (text string, height int) {
	switch n := g.random.IntN(20); {
	case on.IsAbstractType() && n < 12, !on.IsAbstractType() && n < 2:
		return g.inline(on, depth, parents)
	case n < 14 && n > 11 && !g.isRoot(on):
		return g.spread(on, depth, parents)
	default:
		return g.field(on, depth, parents)
	}
}

func (g *generator) isRoot(on *ast.Definition) bool {
	return on == g.schema.Query || on == g.schema.Mutation
}

// narrower picks a type that a fragment within on may be on; empty is the type around it.
func (g *generator) narrower(on *ast.Definition) string {
	names := []string{on.Name}
	for _, d := range g.schema.GetPossibleTypes(on) {
		names = append(names, d.Name)
	}
	names = append(names, on.Interfaces...)
	return pick(g, names)
}

func (g *generator) inline(on *ast.Definition, depth, parents int) (text string, height int) {
	name := g.narrower(on)
	if name == on.Name && g.one(2) {
		set, h := g.set(on, depth, parents, 1)
		return "..." + g.directives() + " " + set, h
	}
	set, h := g.set(g.schema.Types[name], depth, parents, 1)
	return "... on " + name + g.directives() + " " + set, h
}

// spread spreads a fragment that fits here, an old one or a new one.
func (g *generator) spread(on *ast.Definition, depth, parents int) (text string, height int) {
	name := g.narrower(on)
	for _, f := range g.fragments {
		if f.on == name && f.done && depth+f.height <= g.depth && parents*f.leaves <= g.left && g.one(2) {
			g.left -= parents * f.leaves
			return "..." + f.name + g.directives(), f.height
		}
	}
	f := &fragment{name: "F" + strconv.Itoa(len(g.fragments)), on: name}
	g.fragments = append(g.fragments, f)
	before := g.left
	f.text, f.height = g.set(g.schema.Types[name], depth, parents, 1)
	f.leaves, f.done = 1+(before-g.left)/parents, true
	return "..." + f.name + g.directives(), f.height
}

func (g *generator) field(on *ast.Definition, depth, parents int) (text string, height int) {
	if g.one(20) {
		g.left -= parents
		return g.alias("__typename", "String!", on.Name, "__typename") + g.directives(), 0
	}
	f := pick(g, g.choice(on, depth, parents))
	result := g.schema.Types[f.Type.Name()]
	call := g.call(on, f, result)
	text = call.key + call.arguments + g.directives()
	if len(g.schema.GetPossibleTypes(result)) == 0 {
		g.left -= parents
		return text, 0
	}
	set, h := g.set(result, depth+g.descends(on), parents*call.times, 1)
	if on == g.schema.Mutation {
		set = g.withWritten(result, set)
	}
	return text + " " + set, h + g.descends(on)
}

// descends is 0 for the fields between a list and what is in it, which do not count as depth.
func (g *generator) descends(on *ast.Definition) int {
	if strings.HasSuffix(on.Name, "Connection") || strings.HasSuffix(on.Name, "Edge") {
		return 0
	}
	return 1
}

// choice are the fields that may come here: leaves only, when it is deep or large enough.
func (g *generator) choice(on *ast.Definition, depth, parents int) []*ast.FieldDefinition {
	var leaves, all []*ast.FieldDefinition
	for _, f := range on.Fields {
		if strings.HasPrefix(f.Name, "__") {
			continue
		}
		if len(g.schema.GetPossibleTypes(g.schema.Types[f.Type.Name()])) == 0 {
			leaves = append(leaves, f)
			if g.one(3) {
				all = append(all, f) // so that most fields picked are those that go on
			}
			continue
		}
		all = append(all, f)
	}
	if len(all) == 0 || len(leaves) > 0 && (depth >= g.depth || parents*8 > g.left) {
		return leaves
	}
	return all
}

// call gives the field a response key and arguments, often ones it had before.
func (g *generator) call(on *ast.Definition, f *ast.FieldDefinition, result *ast.Definition) fieldCall {
	name := on.Name + "." + f.Name
	if made := g.calls[name]; len(made) > 0 && g.one(2) {
		return pick(g, made)
	}
	arguments, times := g.arguments(f, result)
	key := g.alias(f.Name, f.Type.String(), on.Name, f.Name+arguments)
	made := fieldCall{key: key, arguments: arguments, times: times}
	g.calls[name] = append(g.calls[name], made)
	return made
}

// alias finds a response key for a field, and writes it: `key: name`, or the name alone.
func (g *generator) alias(name, result, on, call string) string {
	candidates := []string{name, string('a' + rune(g.random.IntN(6))), string('a' + rune(g.random.IntN(6)))}
	if g.one(3) {
		candidates = candidates[1:]
	}
	for _, key := range candidates {
		if g.take(key, result, on, call) {
			return written(key, name)
		}
	}
	g.serial++
	key := fmt.Sprintf("k%d", g.serial)
	g.take(key, result, on, call)
	return written(key, name)
}

func written(key, name string) string {
	if key == name {
		return name
	}
	return key + ": " + name
}

func (g *generator) take(key, result, on, call string) bool {
	use := g.keys[key]
	if use == nil {
		use = &keyUse{result: result, fields: map[string]string{}}
		g.keys[key] = use
	}
	if use.result != result {
		return false
	}
	for parent, other := range use.fields {
		merges := parent == on || g.schema.Types[parent].IsAbstractType() || g.schema.Types[on].IsAbstractType()
		if merges && other != call {
			return false
		}
	}
	use.fields[on] = call
	return true
}

// withWritten adds what the test has to know of what a mutation wrote: all leaves of the entity.
func (g *generator) withWritten(payload *ast.Definition, set string) string {
	for _, f := range payload.Fields {
		entity := g.schema.Types[f.Type.Name()]
		if f.Type.Elem != nil || len(entity.Interfaces) == 0 {
			continue
		}
		var leaves []string
		for _, leaf := range entity.Fields {
			if len(g.schema.GetPossibleTypes(g.schema.Types[leaf.Type.Name()])) == 0 {
				leaves = append(leaves, "w_"+leaf.Name+": "+leaf.Name)
			}
		}
		return strings.TrimSuffix(set, "}") + "written: " + f.Name + " { " + strings.Join(leaves, " ") + " } }"
	}
	return set
}

func (g *generator) directives() string {
	if !g.one(8) {
		return ""
	}
	var text strings.Builder
	first := g.random.IntN(2)
	for _, name := range []string{"include", "skip", "include"}[first : first+1+g.random.IntN(2)] {
		holds := g.random.IntN(4) > 0
		value := g.write(ast.NonNullNamedType("Boolean", nil), holds == (name == "include"), false)
		fmt.Fprintf(&text, " @%s(if: %s)", name, value)
	}
	return text.String()
}

// arguments writes the arguments of a field, and tells how many entries the list that it gives may have.
func (g *generator) arguments(f *ast.FieldDefinition, result *ast.Definition) (text string, times int) {
	times = 1
	given := map[string]bool{}
	var parts []string
	if strings.HasSuffix(result.Name, "Connection") {
		times = min(dal.DefaultPage, g.page)
	}
	for _, a := range f.Arguments {
		switch {
		case a.Type.NonNull:
		case g.valid && (a.Name == "first" || a.Name == "last"):
			if (a.Name == "last") == given["first"] || a.Name == "first" && g.one(4) {
				continue
			}
		case g.valid, a.Name == "last" && given["first"] && !g.one(20), !g.one(3):
			continue
		}
		given[a.Name] = true
		value := g.value(a.Type, a.Name, result.Name)
		switch v := value.(type) {
		case int:
			times = max(1, min(v, g.page))
		case []any:
			times = max(1, len(v))
		}
		parts = append(parts, a.Name+": "+g.write(a.Type, value, true))
	}
	if len(parts) == 0 {
		return "", times
	}
	if g.one(2) {
		slices.Reverse(parts)
	}
	return "(" + strings.Join(parts, ", ") + ")", times
}

// value makes a value of an input type. name is the argument's or the input field's; near is the type of the result.
func (g *generator) value(t *ast.Type, name, near string) any {
	if !t.NonNull && g.one(30) && !g.valid {
		return nil
	}
	if t.Elem != nil {
		list := make([]any, g.listSize(name))
		for i := range list {
			list[i] = g.value(t.Elem, name, near)
		}
		return list
	}
	d := g.schema.Types[t.Name()]
	switch {
	case d.Kind == ast.Enum:
		return enumValue(pick(g, d.EnumValues).Name)
	case d.Kind != ast.InputObject:
		return g.scalar(d.Name, name, near)
	}
	object := map[string]any{}
	for _, f := range d.Fields {
		if f.Type.NonNull || g.one(2) {
			object[f.Name] = g.value(f.Type, f.Name, near)
		}
	}
	return object
}

type enumValue string

func (g *generator) listSize(name string) int {
	size := 1 + g.random.IntN(5)
	if g.valid || !g.one(15) {
		return size
	}
	if name == "ids" {
		return pick(g, []int{0, 101, 220})
	}
	return pick(g, []int{0, 90, 91})
}

// scalar makes a scalar that makes sense where it stands; now and then one that does not.
func (g *generator) scalar(scalar, name, near string) any {
	wild := g.one(25) && !g.valid && !g.mutation
	switch scalar {
	case "Boolean":
		return g.one(2)
	case "Int":
		return g.number(name, wild)
	case "ID":
		return g.id(name, near, wild)
	case "DateTime":
		if wild {
			return pick(g, []string{"yesterday", "", "2025-03-01"})
		}
		return pick(g, append([]string{"2025-03-01T10:00:00+01:00", "2025-03-01T00:00:00.000500Z"}, instants...))
	case "Decimal":
		return pick(g, []string{"1", "0.5", "-1", "19.90", "12345678901234567890.1234567890"})
	}
	return g.text(name, near, wild)
}

func (g *generator) number(name string, wild bool) int {
	switch {
	case name == "quantity":
		return pick(g, []int{1, 2, 10_000, 10_001, 0})
	case wild:
		return pick(g, []int{0, -1, 101, 2147483647})
	case !g.valid && g.one(12):
		return pick(g, []int{21, 50, 99, 100})
	}
	return 1 + g.random.IntN(g.page)
}

// id gives an id of the type that the place is for.
func (g *generator) id(name, near string, wild bool) string {
	t := dal.EntityType(near)
	switch {
	case name == "customerId":
		t = dal.TypeCustomer
	case name == "warehouseId", name == "id" && g.mutation:
		t = dal.TypeWarehouse
	}
	ids := g.shop.ids[t]
	if wild || len(ids) == 0 && !g.mutation {
		t = pick(g, []dal.EntityType{
			dal.TypeCustomer, dal.TypeOrder, dal.TypeOrder, dal.TypeOrderItem, dal.TypeProduct, dal.TypeWarehouse,
		})
		ids = g.shop.ids[t]
	}
	switch {
	case wild && g.one(3):
		return pick(g, []string{"", "cust_", "nothing", "item_a", "item_a_000", "order_" + strings.Repeat("x", 65)})
	case t == dal.TypeOrderItem && len(g.shop.ids[dal.TypeOrder]) > 0:
		return "item_" + strings.TrimPrefix(pick(g, g.shop.ids[dal.TypeOrder]), "order_") + fmt.Sprintf("_%03d", 1+g.random.IntN(4))
	case len(ids) == 0 || g.one(20) && !g.valid && !g.mutation:
		return dal.ID{Type: t, Raw: "nowhere", Line: 1}.String()
	}
	return pick(g, ids)
}

func (g *generator) text(name, near string, wild bool) string {
	switch name {
	case "email":
		return g.email(wild)
	case "after", "before":
		return g.cursor(near, wild)
	case "currency":
		if g.one(10) {
			return "eur"
		}
		return "EUR"
	case "sku":
		if ids := g.shop.ids[dal.TypeProduct]; len(ids) > 0 && !g.one(10) {
			return strings.TrimPrefix(pick(g, ids), "prod_")
		}
		return pick(g, []string{"", "new#" + strconv.Itoa(g.random.IntN(1000)), strings.Repeat("s", 65)})
	}
	return pick(g, append([]string{"", strings.Repeat("𝒵", 200), strings.Repeat("n", 201)}, words...))
}

func (g *generator) email(wild bool) string {
	if wild {
		return pick(g, []string{"", "nobody", "a@b@c", "a b@example.com"})
	}
	var known []string
	for _, id := range g.shop.ids[dal.TypeCustomer] {
		if c := g.shop.customers[dal.CustomerID(strings.TrimPrefix(id, "cust_"))]; c != nil {
			known = append(known, c.Email)
		}
	}
	fresh := g.one(5) && !g.valid || g.mutation && !g.one(4)
	if len(known) > 0 && !fresh {
		return strings.ToUpper(pick(g, known))
	}
	return fmt.Sprintf("new.%d@example.org", g.random.IntN(1_000_000))
}

func (g *generator) cursor(near string, wild bool) string {
	switch {
	case wild:
		return pick(g, []string{"", "!", "bzE6", dal.LineCursor(3), strings.Repeat("A", 600)})
	case near == "OrderItemConnection":
		return dal.LineCursor(1 + g.random.IntN(6))
	case len(g.shop.ids[dal.TypeOrder]) > 0 && !g.one(8):
		id := strings.TrimPrefix(pick(g, g.shop.ids[dal.TypeOrder]), "order_")
		return g.shop.orders[dal.OrderID(id)].Position().Cursor()
	}
	return dal.OrderPosition{Placed: "2025-03-01", Order: "#none"}.Cursor()
}

// write writes a value into the document: as it is, with variables inside of it, or as a variable, which may have
// another value as its default, or only a default.
func (g *generator) write(t *ast.Type, value any, nullable bool) string {
	if g.one(3) {
		return g.variable(t, value, nullable)
	}
	switch v := value.(type) {
	case map[string]any:
		d := g.schema.Types[t.Name()]
		var parts []string
		for _, f := range d.Fields {
			if inner, given := v[f.Name]; given {
				parts = append(parts, f.Name+": "+g.write(f.Type, inner, true))
			}
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		if len(v) == 1 && v[0] != nil && g.one(4) {
			return literal(v[0]) // a single value stands for a list of one
		}
		parts := make([]string, len(v))
		for i, inner := range v {
			parts[i] = literal(inner)
			if len(v) < 10 && t.Elem != nil {
				parts[i] = g.write(t.Elem, inner, false)
			}
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return literal(value)
}

// variable declares a variable that has the value when the operation runs.
func (g *generator) variable(t *ast.Type, value any, nullable bool) string {
	name := fmt.Sprintf("v%d", len(g.variables))
	declared := *t
	if value != nil {
		declared.NonNull = t.NonNull || g.one(2)
	}
	start := ""
	switch n := g.random.IntN(3); {
	case value == nil && nullable && n > 0: // not given
	case value == nil || n == 0:
		g.values[name] = plain(value)
	default:
		declared.NonNull = false
		start = " = " + literal(value)
		if n == 1 { // a default that is not used
			g.values[name] = plain(value)
		}
	}
	g.variables = append(g.variables, "$"+name+": "+declared.String()+start)
	return "$" + name
}

// plain is a value as JSON has it.
func plain(value any) any {
	switch v := value.(type) {
	case enumValue:
		return string(v)
	case map[string]any:
		object := make(map[string]any, len(v))
		for name, inner := range v {
			object[name] = plain(inner)
		}
		return object
	case []any:
		list := make([]any, len(v))
		for i, inner := range v {
			list[i] = plain(inner)
		}
		return list
	}
	return value
}

// literal is a value as the document has it.
func literal(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case enumValue:
		return string(v)
	case string:
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(v); err != nil {
			panic(err)
		}
		return strings.TrimSpace(text.String())
	case map[string]any:
		parts := make([]string, 0, len(v))
		for name, inner := range v {
			parts = append(parts, name+": "+literal(inner))
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		parts := make([]string, len(v))
		for i, inner := range v {
			parts[i] = literal(inner)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return fmt.Sprint(value)
}
