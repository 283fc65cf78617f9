package tests

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"

	"example.com/keyfirst/dal"
)

// naive executes an operation over a shop, field by field as the GraphQL specification writes it, one lookup a field:
// no plan, no table, no batches, no keys.
type naive struct {
	schema     *ast.Schema
	shop       *shop
	variables  map[string]any
	consistent bool
	// answered is what the program answered: a mutation's new ids and times are taken from it.
	answered map[string]any
	// errors are the paths and codes of what went wrong.
	errors []string
	// reached are the fields that were executed.
	reached map[string]bool
}

// object is an object of the response, in order.
type object []member

type member struct {
	key   string
	value any
}

// failed stands for a value whose non-null type has to become its parent's null.
type failed struct{}

func (n *naive) run(operation *ast.OperationDefinition) any {
	root := n.schema.Query
	if operation.Operation == ast.Mutation {
		root = n.schema.Mutation
	}
	n.consistent = operation.Directives.ForName("consistent") != nil
	value := n.object(root, nil, operation.SelectionSet, nil)
	if _, isNull := value.(failed); isNull {
		return nil
	}
	return value
}

// object executes a selection set.
func (n *naive) object(on *ast.Definition, parent any, set ast.SelectionSet, path []any) any {
	fields := collect(n.variables, on, set)
	o := make(object, 0, len(fields))
	null := false
	for _, f := range fields {
		value := n.field(on, parent, f, append(slices.Clip(path), f[0].Alias))
		if _, isNull := value.(failed); isNull {
			null = true
		}
		o = append(o, member{f[0].Alias, value})
	}
	if null {
		return failed{}
	}
	return o
}

// collect merges the selected fields by response key.
func collect(variables map[string]any, on *ast.Definition, set ast.SelectionSet) (fields [][]*ast.Field) {
	at := map[string]int{}
	var visit func(ast.SelectionSet)
	visit = func(set ast.SelectionSet) {
		for _, selection := range set {
			switch s := selection.(type) {
			case *ast.Field:
				if !selected(s.Directives, variables) {
					continue
				}
				if i, known := at[s.Alias]; known {
					fields[i] = append(fields[i], s)
					continue
				}
				at[s.Alias] = len(fields)
				fields = append(fields, []*ast.Field{s})
			case *ast.InlineFragment:
				if selected(s.Directives, variables) && applies(on, s.TypeCondition) {
					visit(s.SelectionSet)
				}
			case *ast.FragmentSpread:
				if selected(s.Directives, variables) && applies(on, s.Definition.TypeCondition) {
					visit(s.Definition.SelectionSet)
				}
			}
		}
	}
	visit(set)
	return fields
}

func applies(on *ast.Definition, condition string) bool {
	return condition == "" || condition == on.Name || slices.Contains(on.Interfaces, condition)
}

func selected(directives ast.DirectiveList, variables map[string]any) bool {
	for _, d := range directives {
		if d.Name != "skip" && d.Name != "include" {
			continue
		}
		given, err := d.Arguments.ForName("if").Value.Value(variables)
		if err != nil {
			panic(err)
		}
		if given != (d.Name == "include") {
			return false
		}
	}
	return true
}

func (n *naive) field(on *ast.Definition, parent any, merged []*ast.Field, path []any) any {
	f := merged[0]
	if f.Name == "__typename" {
		return on.Name
	}
	n.reached[on.Name+"."+f.Name] = true
	value, err := n.resolve(on.Name, parent, f, path)
	if err != nil {
		n.fail(path, "BAD_USER_INPUT")
		if f.Definition.Type.NonNull {
			return failed{}
		}
		return nil
	}
	var set ast.SelectionSet
	for _, same := range merged {
		set = append(set, same.SelectionSet...)
	}
	return n.complete(f.Definition.Type, value, set, path)
}

func (n *naive) fail(path []any, code string) { n.errors = append(n.errors, fmt.Sprint(path, code)) }

// complete turns what a field resolved to into what the response shows.
func (n *naive) complete(t *ast.Type, value any, set ast.SelectionSet, path []any) any {
	done := n.completeNullable(t, value, set, path)
	if _, isNull := done.(failed); isNull && !t.NonNull {
		return nil
	}
	if done == nil && t.NonNull {
		panic(fmt.Sprintf("the naive executor has null at %v", path))
	}
	return done
}

func (n *naive) completeNullable(t *ast.Type, value any, set ast.SelectionSet, path []any) any {
	if value == nil {
		return nil
	}
	if t.Elem != nil {
		list := make([]any, 0)
		null := false
		for i, element := range value.([]any) {
			done := n.complete(t.Elem, element, set, append(slices.Clip(path), i))
			if _, isNull := done.(failed); isNull {
				null = true
			}
			list = append(list, done)
		}
		if null {
			return failed{}
		}
		return list
	}
	d := n.schema.Types[t.Name()]
	if !d.IsCompositeType() {
		return value
	}
	if d.IsAbstractType() {
		d = n.schema.Types[strings.TrimPrefix(fmt.Sprintf("%T", value), "*dal.")]
	}
	return n.object(d, value, set, path)
}

// found is nil for what is not there, whatever its type.
func found[E any, K comparable](in map[K]*E, id K) any {
	if e := in[id]; e != nil {
		return e
	}
	return nil
}

// resolve looks one field up.
func (n *naive) resolve(on string, parent any, f *ast.Field, path []any) (any, error) {
	a := args{f.ArgumentMap(n.variables)}
	switch p := parent.(type) {
	case nil:
		return n.root(f.Name, a, path)
	case *dal.Customer:
		return n.customer(p, f.Name, a)
	case *dal.Order:
		return n.order(p, f.Name, a)
	case *dal.OrderItem:
		switch f.Name {
		case "product":
			return found(n.shop.products, p.SKU), nil
		case "order":
			return found(n.shop.orders, p.OrderID), nil
		}
		return leafOf(f.Name, map[string]any{
			"id": p.NodeID(), "line": p.Line, "sku": string(p.SKU), "name": p.Name, "quantity": p.Quantity,
			"unitPrice": p.UnitPrice, "lineTotal": p.UnitPrice.Mul(p.Quantity),
		}), nil
	case *dal.Product:
		return leafOf(f.Name, map[string]any{
			"id": p.NodeID(), "sku": string(p.SKU), "name": p.Name, "price": p.Price, "version": p.Version,
			"updatedAt": p.UpdatedAt,
		}), nil
	case *dal.Warehouse:
		if f.Name == "openOrders" {
			if n.consistent {
				return nil, errBadInput
			}
			return orderPage(n.shop.byWarehouse[p.ID], false, a)
		}
		return leafOf(f.Name, map[string]any{
			"id": p.NodeID(), "name": p.Name, "version": p.Version, "updatedAt": p.UpdatedAt,
		}), nil
	case dal.Money:
		return leafOf(f.Name, map[string]any{"amount": p.Amount.String(), "currency": p.Currency}), nil
	case map[string]any: // connections, edges, page infos and payloads
		return leafOf(f.Name, p), nil
	}
	panic(fmt.Sprintf("%s.%s of a %T", on, f.Name, parent))
}

func leafOf(name string, of map[string]any) any {
	value, known := of[name]
	if !known {
		panic("the naive executor does not know the field " + name)
	}
	if at, isTime := value.(time.Time); isTime {
		return dal.FormatTime(at)
	}
	return value
}

func (n *naive) root(name string, a args, path []any) (any, error) {
	switch name {
	case "node":
		id, err := dal.ParseID(a.text("id"))
		return n.entity(id), err
	case "nodes":
		var all []string
		for _, v := range a.list("ids") {
			all = append(all, args{map[string]any{"": v}}.text(""))
		}
		ids, err := dal.ParseIDs(all)
		entities := make([]any, len(ids))
		for i, id := range ids {
			entities[i] = n.entity(id)
		}
		return entities, err
	case "customer", "order", "product", "warehouse":
		t := dal.EntityType(strings.ToUpper(name[:1]) + name[1:])
		id, err := dal.ParseIDOf(t, a.text("id"))
		return n.entity(id), err
	case "customerByEmail":
		email, err := dal.ParseEmail(a.text("email"))
		return found(n.shop.customers, n.shop.emails[email.Folded]), err
	}
	answered, _ := n.answered[path[0].(string)].(map[string]any)
	wrote, _ := answered["written"].(map[string]any)
	return n.shop.write(name, args{a.values["input"].(map[string]any)}, args{wrote})
}

func (n *naive) entity(id dal.ID) any {
	switch id.Type {
	case dal.TypeCustomer:
		return found(n.shop.customers, dal.CustomerID(id.Raw))
	case dal.TypeOrder:
		return found(n.shop.orders, dal.OrderID(id.Raw))
	case dal.TypeProduct:
		return found(n.shop.products, dal.SKU(id.Raw))
	case dal.TypeWarehouse:
		return found(n.shop.warehouses, dal.WarehouseID(id.Raw))
	case dal.TypeOrderItem:
		for _, item := range n.shop.items[dal.OrderID(id.Raw)] {
			if item.Line == id.Line {
				return item
			}
		}
	}
	return nil
}

func (n *naive) customer(c *dal.Customer, name string, a args) (any, error) {
	orders := n.shop.byCustomer[c.ID]
	switch name {
	case "latestOrder":
		if len(orders) == 0 {
			return nil, nil //nolint:nilnil // null is an answer
		}
		return orders[len(orders)-1], nil
	case "orders":
		filter, _ := a.values["filter"].(map[string]any)
		wanted, err := criteria(args{filter})
		if err != nil {
			return nil, err
		}
		var kept []*dal.Order
		for _, o := range orders {
			if wanted(o) {
				kept = append(kept, o)
			}
		}
		return orderPage(kept, true, a)
	}
	return leafOf(name, map[string]any{
		"id": c.NodeID(), "name": c.Name, "email": c.Email, "createdAt": c.CreatedAt, "updatedAt": c.UpdatedAt,
		"version": c.Version, "orderCount": c.OrderCount,
	}), nil
}

func criteria(filter args) (func(*dal.Order) bool, error) {
	from, err := filter.time("placedFrom")
	if err != nil {
		return nil, err
	}
	before, err := filter.time("placedBefore")
	if err != nil {
		return nil, err
	}
	return func(o *dal.Order) bool {
		return (filter.values["status"] == nil || filter.values["status"] == string(o.Status)) &&
			(from == nil || !o.PlacedAt.Before(*from)) && (before == nil || o.PlacedAt.Before(*before))
	}, nil
}

func (n *naive) order(o *dal.Order, name string, a args) (any, error) {
	switch name {
	case "customer":
		return found(n.shop.customers, o.CustomerID), nil
	case "warehouse":
		return found(n.shop.warehouses, o.WarehouseID), nil
	case "items":
		return linePage(n.shop.items[o.ID], a)
	}
	return leafOf(name, map[string]any{
		"id": o.NodeID(), "placedAt": o.PlacedAt, "status": string(o.Status), "total": o.Total, "itemCount": o.ItemCount,
		"version": o.Version, "updatedAt": o.UpdatedAt,
	}), nil
}

// entry is something in a list, with its place there.
type entry struct {
	node   any
	cursor string
	place  string // ascending
}

func orderPage(oldestFirst []*dal.Order, newestFirst bool, a args) (any, error) {
	entries := make([]entry, len(oldestFirst))
	for i, o := range oldestFirst {
		entries[i] = entry{o, o.Position().Cursor(), sortKey(o.Position())}
	}
	return page(entries, newestFirst, a, func(cursor string) (string, error) {
		at, err := dal.ParseOrderCursor(cursor)
		return sortKey(at), err
	})
}

func linePage(items []*dal.OrderItem, a args) (any, error) {
	entries := make([]entry, len(items))
	for i, item := range items {
		entries[i] = entry{item, dal.LineCursor(item.Line), fmt.Sprintf("%03d", item.Line)}
	}
	return page(entries, false, a, func(cursor string) (string, error) {
		line, err := dal.ParseLineCursor(cursor)
		return fmt.Sprintf("%03d", line), err
	})
}

// page is the Relay algorithm, word by word: cut by the cursors, then by first or last.
func page(entries []entry, turned bool, a args, parse func(string) (string, error)) (any, error) {
	first, last := a.values["first"], a.values["last"]
	size := 20
	switch {
	case first != nil && last != nil:
		return nil, errBadInput
	case first != nil:
		size = a.int("first")
	case last != nil:
		size = a.int("last")
	}
	if size < 1 || size > 100 {
		return nil, errBadInput
	}
	if turned {
		entries = slices.Clone(entries)
		slices.Reverse(entries)
	}
	behind := func(e entry, place string) bool { return e.place != place && (e.place > place) != turned }
	for _, name := range []string{"after", "before"} {
		cursor, given := a.values[name].(string)
		if !given {
			continue
		}
		at, err := parse(cursor)
		if err != nil {
			return nil, err
		}
		var kept []entry
		for _, e := range entries {
			if e.place != at && behind(e, at) == (name == "after") {
				kept = append(kept, e)
			}
		}
		entries = kept
	}
	next, previous := a.values["before"] != nil, a.values["after"] != nil
	if more := len(entries) > size; last != nil {
		previous = more
		if more {
			entries = entries[len(entries)-size:]
		}
	} else {
		next = more
		if more {
			entries = entries[:size]
		}
	}
	edges, nodes := make([]any, 0), make([]any, 0)
	info := map[string]any{"hasNextPage": next, "hasPreviousPage": previous, "startCursor": nil, "endCursor": nil}
	for i, e := range entries {
		edges, nodes = append(edges, map[string]any{"cursor": e.cursor, "node": e.node}), append(nodes, e.node)
		if i == 0 {
			info["startCursor"] = e.cursor
		}
		info["endCursor"] = e.cursor
	}
	return map[string]any{"edges": edges, "nodes": nodes, "pageInfo": info}, nil
}

// args are arguments, with the variables in.
type args struct{ values map[string]any }

type badInputError struct{}

func (badInputError) Error() string { return "bad input" }

var errBadInput = badInputError{}

func (a args) text(name string) string {
	switch v := a.values[name].(type) {
	case string:
		return v
	case nil:
		return ""
	default:
		return fmt.Sprint(v)
	}
}

func (a args) int(name string) int {
	i, err := strconv.Atoi(fmt.Sprint(a.values[name]))
	if err != nil {
		panic(err)
	}
	return i
}

// list takes a single value as a list of one.
func (a args) list(name string) []any {
	switch v := a.values[name].(type) {
	case []any:
		return v
	case []string:
		return []any{v[0]}
	case []map[string]any:
		return []any{v[0]}
	case nil:
		return nil
	default:
		return []any{v}
	}
}

func (a args) time(name string) (*time.Time, error) {
	if a.values[name] == nil {
		return nil, nil //nolint:nilnil // not given
	}
	at, err := dal.ParseTime(a.text(name))
	return &at, err
}

// write does what a mutation does. wrote are the leaves of what the program wrote: only ids and times are taken from
// there.
func (s *shop) write(name string, input, wrote args) (any, error) {
	key := map[string]string{
		"createCustomer": "customer", "putProduct": "product", "putWarehouse": "warehouse", "placeOrder": "order",
	}[name]
	var (
		entity   any
		rejected []any
		err      error
	)
	switch name {
	case "createCustomer":
		entity, rejected = s.createCustomer(input, wrote)
	case "putProduct":
		entity, rejected, err = s.putProduct(input, wrote)
	case "putWarehouse":
		entity, rejected, err = s.putWarehouse(input, wrote)
	case "placeOrder":
		entity, rejected, err = s.placeOrder(input, wrote)
	}
	if err != nil {
		return nil, err
	}
	if rejected != nil {
		entity = nil
	}
	return map[string]any{key: entity, "userErrors": append([]any{}, rejected...)}, nil
}

func rejection(code, message string, field ...any) map[string]any {
	return map[string]any{"code": code, "message": message, "field": field}
}

func badName(name string) []any {
	if n := utf8.RuneCountInString(name); n < 1 || n > 200 {
		return []any{rejection("INVALID", "a name has 1 to 200 characters", "name")}
	}
	return nil
}

func (s *shop) createCustomer(input, wrote args) (any, []any) {
	email, err := dal.ParseEmail(input.text("email"))
	if err != nil {
		return nil, []any{rejection("INVALID", dal.ReasonOf(err), "email")}
	}
	if bad := badName(input.text("name")); bad != nil {
		return nil, bad
	}
	if s.emails[email.Folded] != "" {
		return nil, []any{rejection("EMAIL_TAKEN", "the e-mail address belongs to another customer", "email")}
	}
	raw := strings.TrimPrefix(wrote.text("w_id"), "cust_")
	c := &dal.Customer{
		ID: dal.CustomerID(raw), Name: input.text("name"), Email: input.text("email"), Version: 1,
		CreatedAt: wrote.when("w_createdAt"), UpdatedAt: wrote.when("w_createdAt"),
	}
	s.customers[c.ID], s.emails[email.Folded] = c, c.ID
	s.ids[dal.TypeCustomer] = append(s.ids[dal.TypeCustomer], c.NodeID())
	return c, nil
}

func (a args) when(name string) time.Time {
	at, err := dal.ParseTime(a.text(name))
	if err != nil {
		panic(fmt.Sprintf("%s: %v", name, err))
	}
	return at
}

func (s *shop) putProduct(input, wrote args) (any, []any, error) {
	price := args{input.values["price"].(map[string]any)}
	amount, err := dal.ParseDecimal(price.text("amount"))
	if err != nil {
		return nil, nil, err
	}
	sku, err := dal.ParseSKU(input.text("sku"))
	if err != nil {
		return nil, []any{rejection("INVALID", dal.ReasonOf(err), "sku")}, nil
	}
	money, err := dal.NewMoney(amount, price.text("currency"))
	if err != nil {
		return nil, []any{rejection("INVALID", dal.ReasonOf(err), "price", "currency")}, nil
	}
	if bad := badName(input.text("name")); bad != nil {
		return nil, bad, nil
	}
	if amount.Sign() < 0 {
		return nil, []any{rejection("INVALID", "a price is not negative", "price", "amount")}, nil
	}
	p := &dal.Product{SKU: sku, Name: input.text("name"), Price: money, Version: 1, UpdatedAt: wrote.when("w_updatedAt")}
	if old := s.products[sku]; old != nil {
		p.Version = old.Version + 1
	}
	s.products[sku] = p
	return p, nil, nil
}

func (s *shop) putWarehouse(input, wrote args) (any, []any, error) {
	id, err := dal.ParseWarehouseID(input.text("id"))
	if err != nil {
		return nil, nil, err
	}
	if bad := badName(input.text("name")); bad != nil {
		return nil, bad, nil
	}
	w := &dal.Warehouse{ID: id, Name: input.text("name"), Version: 1, UpdatedAt: wrote.when("w_updatedAt")}
	if old := s.warehouses[id]; old != nil {
		w.Version = old.Version + 1
	}
	s.warehouses[id] = w
	return w, nil, nil
}

func (s *shop) placeOrder(input, wrote args) (any, []any, error) {
	customer, err := dal.ParseCustomerID(input.text("customerId"))
	if err != nil {
		return nil, nil, err
	}
	warehouse, err := dal.ParseWarehouseID(input.text("warehouseId"))
	if err != nil {
		return nil, nil, err
	}
	lines := input.list("lines")
	if bad := badLines(lines); bad != nil {
		return nil, bad, nil
	}
	if missing := s.missing(customer, warehouse, lines); missing != nil {
		return nil, missing, nil
	}
	o := &dal.Order{CustomerID: customer, WarehouseID: warehouse, Status: dal.StatusPending, Version: 1}
	items := make([]*dal.OrderItem, len(lines))
	for i, line := range lines {
		of := args{line.(map[string]any)}
		product := s.products[dal.SKU(of.text("sku"))]
		items[i] = &dal.OrderItem{
			Line: i + 1, SKU: product.SKU, Name: product.Name, Quantity: of.int("quantity"), UnitPrice: product.Price,
		}
		if o.Total.Currency == "" {
			o.Total.Currency = product.Price.Currency
		}
		if o.Total.Currency != product.Price.Currency {
			return nil, []any{rejection("MIXED_CURRENCIES", "the products of one order have one currency",
				"lines", strconv.Itoa(i), "sku")}, nil
		}
		o.Total.Amount = o.Total.Amount.Add(product.Price.Amount.Mul(items[i].Quantity))
	}
	o.ID = dal.OrderID(strings.TrimPrefix(wrote.text("w_id"), "order_"))
	o.PlacedAt, o.UpdatedAt = wrote.when("w_placedAt"), wrote.when("w_placedAt")
	for _, item := range items {
		item.OrderID = o.ID
	}
	s.addOrder(o, items)
	s.ids[dal.TypeOrder] = append(s.ids[dal.TypeOrder], o.NodeID())
	return o, nil, nil
}

func badLines(lines []any) (bad []any) {
	for i, line := range lines {
		of := args{line.(map[string]any)}
		if _, err := dal.ParseSKU(of.text("sku")); err != nil {
			return []any{rejection("INVALID", dal.ReasonOf(err), "lines", strconv.Itoa(i), "sku")}
		}
	}
	if len(lines) < 1 || len(lines) > 90 {
		return []any{rejection("INVALID", "an order has 1 to 90 lines", "lines")}
	}
	for i, line := range lines {
		if q := (args{line.(map[string]any)}).int("quantity"); q < 1 || q > 10_000 {
			bad = append(bad, rejection("INVALID", "a quantity is 1 to 10000", "lines", strconv.Itoa(i), "quantity"))
		}
	}
	return bad
}

func (s *shop) missing(customer dal.CustomerID, warehouse dal.WarehouseID, lines []any) (missing []any) {
	if s.customers[customer] == nil {
		missing = append(missing, rejection("NOT_FOUND", "there is no such customer", "customerId"))
	}
	if s.warehouses[warehouse] == nil {
		missing = append(missing, rejection("NOT_FOUND", "there is no such warehouse", "warehouseId"))
	}
	for i, line := range lines {
		if s.products[dal.SKU(args{line.(map[string]any)}.text("sku"))] == nil {
			missing = append(missing, rejection("NOT_FOUND", "there is no such product", "lines", strconv.Itoa(i), "sku"))
		}
	}
	return missing
}

// tokens flattens a value of the naive executor as a JSON decoder gives its tokens, order of keys included.
func tokens(value any) []json.Token {
	switch v := value.(type) {
	case object:
		all := []json.Token{json.Delim('{')}
		for _, m := range v {
			all = append(append(all, m.key), tokens(m.value)...)
		}
		return append(all, json.Delim('}'))
	case []any:
		all := []json.Token{json.Delim('[')}
		for _, element := range v {
			all = append(all, tokens(element)...)
		}
		return append(all, json.Delim(']'))
	case int:
		return []json.Token{json.Number(strconv.Itoa(v))}
	}
	return []json.Token{value}
}
