package tests

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/graph"
)

// oneByOne executes queries as one would without a plan: field by field, one read at a time, and of every list all of it,
// from which the page is then taken in memory. It knows nothing of merged reads, of bounds within keys, or of what a
// parent's read brings along, and so cannot be wrong in the same way as the program.
type oneByOne struct {
	ctx       context.Context //nolint:containedctx // it lives as long as one operation
	table     *dal.Table
	document  *ast.QueryDocument
	operation *ast.OperationDefinition
	variables map[string]any
	schema    *ast.Schema
}

// errNull is a field that cannot be null and is: its parent is.
var errNull = errors.New("null where it must not be")

// TestOneByOne holds every golden that reads to the same data.
func TestOneByOne(t *testing.T) {
	t.Parallel()
	schema := graph.NewExecutableSchema(graph.Config{}).Schema()
	for name, g := range readGoldens(t) {
		document, err := gqlparser.LoadQueryWithRules(schema, g.file("query.graphql"), nil)
		if err != nil || document.Operations[0].Operation != ast.Query || refused(t, g) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := &oneByOne{
				ctx: t.Context(), schema: schema, document: document, operation: document.Operations[0],
				table: dal.New(newClient(backend()), dal.Config{Name: g.table(t)}),
			}
			_, err := n.table.RefreshSettings(t.Context())
			require.NoError(t, err)
			n.variables, err = validator.VariableValues(schema, n.operation, g.variables(t))
			require.NoError(t, err)
			var wanted struct{ Data json.RawMessage }
			require.NoError(t, json.Unmarshal([]byte(g.file("response.json")), &wanted))
			data, err := json.Marshal(n.data())
			require.NoError(t, err)
			require.JSONEq(t, string(wanted.Data), string(data))
		})
	}
}

// refused says that the golden's operation never ran.
func refused(t *testing.T, g *golden) bool {
	t.Helper()
	var answer map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(g.file("response.json")), &answer))
	return answer["data"] == nil
}

func (n *oneByOne) data() any {
	data, err := n.object(n.schema.Query, nil, n.operation.SelectionSet)
	if err != nil {
		return nil
	}
	return data
}

// object is an object of the response: every selected field, in turn.
func (n *oneByOne) object(of *ast.Definition, value any, sets ...ast.SelectionSet) (map[string]any, error) {
	fields := map[string][]*ast.Field{}
	for _, set := range sets {
		n.collect(of, set, fields)
	}
	object := map[string]any{}
	for key, same := range fields {
		selected := make([]ast.SelectionSet, len(same))
		for i, f := range same {
			selected[i] = f.SelectionSet
		}
		resolved, err := n.resolve(of.Name, value, same[0])
		if err == nil {
			object[key], err = n.complete(same[0].Definition.Type, resolved, selected)
		}
		if err != nil {
			if same[0].Definition.Type.NonNull {
				return nil, errNull
			}
			object[key] = nil
		}
	}
	return object, nil
}

func (n *oneByOne) collect(of *ast.Definition, set ast.SelectionSet, into map[string][]*ast.Field) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			if n.included(s.Directives) {
				into[s.Alias] = append(into[s.Alias], s)
			}
		case *ast.InlineFragment:
			if n.included(s.Directives) && n.applies(of, s.TypeCondition) {
				n.collect(of, s.SelectionSet, into)
			}
		case *ast.FragmentSpread:
			f := n.document.Fragments.ForName(s.Name)
			if n.included(s.Directives) && n.applies(of, f.TypeCondition) {
				n.collect(of, f.SelectionSet, into)
			}
		}
	}
}

func (n *oneByOne) included(directives ast.DirectiveList) bool {
	for _, d := range directives {
		holds, _ := d.ArgumentMap(n.variables)["if"].(bool)
		if d.Name == "skip" && holds || d.Name == "include" && !holds {
			return false
		}
	}
	return true
}

func (n *oneByOne) applies(of *ast.Definition, condition string) bool {
	return condition == "" || condition == of.Name || slices.Contains(of.Interfaces, condition)
}

// complete makes a resolved value a part of the response.
func (n *oneByOne) complete(of *ast.Type, value any, selected []ast.SelectionSet) (any, error) {
	if value == nil {
		if of.NonNull {
			return nil, errNull
		}
		return nil, nil //nolint:nilnil // null is a value
	}
	if of.Elem != nil {
		list := []any{}
		for _, element := range value.([]any) {
			completed, err := n.complete(of.Elem, element, selected)
			if err != nil {
				return nil, err
			}
			list = append(list, completed)
		}
		return list, nil
	}
	definition := n.schema.Types[of.NamedType]
	if definition.IsLeafType() {
		return value, nil
	}
	if definition.IsAbstractType() {
		definition = n.schema.Types[typeName(value)]
	}
	return n.object(definition, value, selected...)
}

func typeName(value any) string {
	switch value.(type) {
	case *dal.Customer:
		return "Customer"
	case *dal.Order:
		return "Order"
	case *dal.OrderItem:
		return "OrderItem"
	case *dal.Product:
		return "Product"
	case *dal.Warehouse:
		return "Warehouse"
	}
	return ""
}

// listPage is a page of a list, before it becomes a connection.
type listPage struct {
	entities []any
	cursors  []string
	info     map[string]any
}

// resolve gives a field's value: an entity, a list, a page, or a leaf.
func (n *oneByOne) resolve(object string, value any, field *ast.Field) (any, error) {
	if field.Name == "__typename" {
		return object, nil
	}
	arguments := field.ArgumentMap(n.variables)
	switch v := value.(type) {
	case nil:
		return n.root(field.Name, arguments)
	case *dal.Customer:
		return n.customer(v, field.Name, arguments)
	case *dal.Order:
		return n.order(v, field.Name, arguments)
	case *dal.OrderItem:
		return n.item(v, field.Name)
	case *dal.Product:
		return scalarOf(field.Name, map[string]any{
			"id": v.NodeID(), "sku": string(v.SKU), "name": v.Name, "price": v.Price, "version": v.Version, "updatedAt": at(v.UpdatedAt),
		})
	case *dal.Warehouse:
		if field.Name == "openOrders" {
			return n.openOrders(v, arguments)
		}
		return scalarOf(field.Name, map[string]any{"id": v.NodeID(), "name": v.Name, "version": v.Version, "updatedAt": at(v.UpdatedAt)})
	case dal.Money:
		return scalarOf(field.Name, map[string]any{"amount": v.Amount.String(), "currency": v.Currency})
	case *listPage:
		return v.field(field.Name)
	case map[string]any:
		return scalarOf(field.Name, v)
	}
	return nil, fmt.Errorf("no field %s of %T", field.Name, value)
}

func scalarOf(name string, of map[string]any) (any, error) {
	value, ok := of[name]
	if !ok {
		return nil, fmt.Errorf("no field %s", name)
	}
	return value, nil
}

func at(t time.Time) string { return dal.FormatTime(t) }

// one sends a single read.
func (n *oneByOne) one(r dal.Read) (any, error) {
	found, err := n.load(r)
	if err != nil || len(found.Entities) == 0 {
		return nil, err
	}
	return found.Entities[0], nil
}

func (n *oneByOne) load(r dal.Read) (dal.Result, error) {
	o := dal.LoadOptions{}
	if n.operation.Directives.ForName("consistent") != nil {
		o.Consistency = dal.Strong
	}
	res := n.table.Load(n.ctx, []dal.Read{r}, o)[r]
	return res, res.Err
}

func (n *oneByOne) root(name string, arguments map[string]any) (any, error) {
	id := fmt.Sprint(arguments["id"])
	types := map[string]dal.EntityType{
		"customer": dal.TypeCustomer, "order": dal.TypeOrder, "product": dal.TypeProduct, "warehouse": dal.TypeWarehouse,
	}
	switch name {
	case "customerByEmail":
		email, err := dal.ParseEmail(arguments["email"].(string))
		if err != nil {
			return nil, err
		}
		owner, err := n.one(dal.OwnerByEmail(email))
		if owner == nil || err != nil {
			return nil, err
		}
		return n.one(dal.CustomerByID(owner.(*dal.EmailOwner).CustomerID))
	case "node":
		parsed, err := dal.ParseID(id)
		if err != nil {
			return nil, err
		}
		return n.one(parsed.Read())
	case "nodes":
		return n.nodes(arguments["ids"])
	}
	parsed, err := dal.ParseIDOf(types[name], id)
	if err != nil {
		return nil, err
	}
	return n.one(parsed.Read())
}

func (n *oneByOne) nodes(ids any) (any, error) {
	var asked []string
	switch ids := ids.(type) {
	case []any:
		for _, id := range ids {
			asked = append(asked, fmt.Sprint(id))
		}
	case []string:
		asked = ids
	default:
		asked = []string{fmt.Sprint(ids)}
	}
	if len(asked) > 500 {
		return nil, errors.New("too many")
	}
	nodes := make([]any, len(asked))
	for i, id := range asked {
		parsed, err := dal.ParseID(id)
		if err != nil {
			return nil, err
		}
		if nodes[i], err = n.one(parsed.Read()); err != nil {
			return nil, err
		}
	}
	return nodes, nil
}

func (n *oneByOne) customer(c *dal.Customer, name string, arguments map[string]any) (any, error) {
	switch name {
	case "latestOrder":
		orders, err := n.orders(c)
		if err != nil || len(orders) == 0 {
			return nil, err
		}
		return orders[0], nil
	case "orders":
		orders, err := n.orders(c)
		if err != nil {
			return nil, err
		}
		if orders, err = filtered(orders, arguments["filter"]); err != nil {
			return nil, err
		}
		return paged(orders, arguments, newestFirst)
	}
	return scalarOf(name, map[string]any{
		"id": c.NodeID(), "name": c.Name, "email": c.Email, "version": c.Version, "orderCount": c.OrderCount,
		"createdAt": at(c.CreatedAt), "updatedAt": at(c.UpdatedAt),
	})
}

// orders are all orders of a customer.
func (n *oneByOne) orders(c *dal.Customer) ([]*dal.Order, error) {
	return n.all(func(w dal.OrderWindow) dal.Read { return dal.OrdersByCustomer(c.ID, w, dal.OrderCriteria{}) })
}

func (n *oneByOne) openOrders(w *dal.Warehouse, arguments map[string]any) (any, error) {
	orders, err := n.all(func(window dal.OrderWindow) dal.Read { return dal.OpenOrdersByWarehouse(w.ID, window) })
	if err != nil {
		return nil, err
	}
	return paged(orders, arguments, oldestFirst)
}

// all reads a list from its first page to its last.
func (n *oneByOne) all(page func(dal.OrderWindow) dal.Read) (orders []*dal.Order, err error) {
	window := dal.OrderWindow{Count: dal.MaxPage}
	for {
		res, err := n.load(page(window))
		if err != nil {
			return nil, err
		}
		for _, e := range res.Entities {
			orders = append(orders, e.(*dal.Order))
		}
		if !res.More {
			return orders, nil
		}
		window.After = orders[len(orders)-1].Position()
	}
}

func filtered(orders []*dal.Order, filter any) (kept []*dal.Order, err error) {
	conditions, _ := filter.(map[string]any)
	status, from, before := fmt.Sprint(conditions["status"]), time.Time{}, time.Time{}
	for name, bound := range map[string]*time.Time{"placedFrom": &from, "placedBefore": &before} {
		if text, ok := conditions[name].(string); ok {
			if *bound, err = dal.ParseTime(text); err != nil {
				return nil, err
			}
		}
	}
	for _, o := range orders {
		switch {
		case conditions["status"] != nil && string(o.Status) != status:
		case conditions["placedFrom"] != nil && o.PlacedAt.Before(from):
		case conditions["placedBefore"] != nil && !o.PlacedAt.Before(before):
		default:
			kept = append(kept, o)
		}
	}
	return kept, nil
}

// newestFirst and oldestFirst tell whether a position stands in front of another in a list.
func newestFirst(a, b dal.OrderPosition) bool { return oldestFirst(b, a) }

func oldestFirst(a, b dal.OrderPosition) bool {
	if a.Placed != b.Placed {
		return a.Placed+"#" < b.Placed+"#"
	}
	return a.Order < b.Order
}

// paged takes a page out of a whole list of orders.
func paged(orders []*dal.Order, arguments map[string]any, inFront func(a, b dal.OrderPosition) bool) (any, error) {
	args, err := pageArguments(arguments)
	if err != nil {
		return nil, err
	}
	window, err := dal.NewOrderWindow(args)
	if err != nil {
		return nil, err
	}
	page := &listPage{}
	for _, o := range orders {
		if args.After != nil && !inFront(window.After, o.Position()) || args.Before != nil && !inFront(o.Position(), window.Before) {
			continue
		}
		page.entities = append(page.entities, o)
		page.cursors = append(page.cursors, o.Position().Cursor())
	}
	return page.cut(args, window.Count), nil
}

func (n *oneByOne) order(o *dal.Order, name string, arguments map[string]any) (any, error) {
	switch name {
	case "customer":
		return n.one(dal.CustomerByID(o.CustomerID))
	case "warehouse":
		return n.one(dal.WarehouseByID(o.WarehouseID))
	case "items":
		return n.items(o, arguments)
	}
	return scalarOf(name, map[string]any{
		"id": o.NodeID(), "placedAt": at(o.PlacedAt), "status": string(o.Status), "total": o.Total,
		"itemCount": o.ItemCount, "version": o.Version, "updatedAt": at(o.UpdatedAt),
	})
}

func (n *oneByOne) items(o *dal.Order, arguments map[string]any) (any, error) {
	args, err := pageArguments(arguments)
	if err != nil {
		return nil, err
	}
	window, err := dal.NewLineWindow(args)
	if err != nil {
		return nil, err
	}
	page := &listPage{}
	for line := range o.ItemCount {
		item, err := n.one(dal.ItemByID(o.ID, line+1))
		if err != nil {
			return nil, err
		}
		if args.After != nil && line+1 <= window.After || args.Before != nil && line+1 >= window.Before {
			continue
		}
		page.entities = append(page.entities, item)
		page.cursors = append(page.cursors, dal.LineCursor(line+1))
	}
	return page.cut(args, window.Count), nil
}

func (n *oneByOne) item(i *dal.OrderItem, name string) (any, error) {
	switch name {
	case "product":
		return n.one(dal.ProductBySKU(i.SKU))
	case "order":
		return n.one(dal.OrderByID(i.OrderID))
	}
	return scalarOf(name, map[string]any{
		"id": i.NodeID(), "line": i.Line, "sku": string(i.SKU), "name": i.Name, "quantity": i.Quantity,
		"unitPrice": i.UnitPrice, "lineTotal": i.LineTotal(),
	})
}

// cut leaves the page's count, from the front or from the end.
func (p *listPage) cut(args dal.PageArgs, count int) *listPage {
	more := len(p.entities) > count
	p.info = map[string]any{"hasNextPage": more, "hasPreviousPage": args.After != nil, "startCursor": nil, "endCursor": nil}
	from := 0
	if args.Last != nil {
		p.info["hasNextPage"], p.info["hasPreviousPage"] = args.Before != nil, more
		from = max(0, len(p.entities)-count)
	}
	to := min(len(p.entities), from+count)
	p.entities, p.cursors = p.entities[from:to], p.cursors[from:to]
	if len(p.cursors) > 0 {
		p.info["startCursor"], p.info["endCursor"] = p.cursors[0], p.cursors[len(p.cursors)-1]
	}
	return p
}

func (p *listPage) field(name string) (any, error) {
	switch name {
	case "pageInfo":
		return p.info, nil
	case "nodes":
		return append([]any{}, p.entities...), nil
	}
	edges := make([]any, len(p.entities))
	for i, e := range p.entities {
		edges[i] = map[string]any{"cursor": p.cursors[i], "node": e}
	}
	return edges, nil
}

// pageArguments are the arguments of a connection, from a document or from variables.
func pageArguments(of map[string]any) (args dal.PageArgs, err error) {
	for name, into := range map[string]**int{"first": &args.First, "last": &args.Last} {
		if of[name] == nil {
			continue
		}
		var count int
		if _, err := fmt.Sscan(fmt.Sprint(of[name]), &count); err != nil {
			return args, err
		}
		*into = &count
	}
	for name, into := range map[string]**string{"after": &args.After, "before": &args.Before} {
		if text, ok := of[name].(string); ok {
			*into = &text
		}
	}
	return args, nil
}
