package resolvers

import (
	"example.com/keyfirst/dal"
	"example.com/keyfirst/graph"
)

// pageInfo is the place of a page between its cursors. What is behind the page in the direction it was read is known
// exactly; the other flag is what the client said, since no read is spent on it.
func pageInfo(args dal.PageArgs, more bool, cursors []string) *graph.PageInfo {
	info := &graph.PageInfo{HasNextPage: more, HasPreviousPage: args.After != nil}
	if args.Last != nil {
		info = &graph.PageInfo{HasNextPage: args.Before != nil, HasPreviousPage: more}
	}
	if len(cursors) > 0 {
		info.StartCursor, info.EndCursor = &cursors[0], &cursors[len(cursors)-1]
	}
	return info
}

// orderConnection makes a page of orders. What is none is an error, never a shorter page.
func orderConnection(args dal.PageArgs, res dal.Result) (*graph.OrderConnection, error) {
	c := &graph.OrderConnection{
		Edges: make([]*graph.OrderEdge, 0, len(res.Entities)), Nodes: make([]*dal.Order, 0, len(res.Entities)),
	}
	cursors := make([]string, 0, len(res.Entities))
	for _, e := range res.Entities {
		o, ok := e.(*dal.Order)
		if !ok {
			return nil, notOfItsType()
		}
		cursors = append(cursors, o.Position().Cursor())
		c.Nodes = append(c.Nodes, o)
		c.Edges = append(c.Edges, &graph.OrderEdge{Cursor: o.Position().Cursor(), Node: o})
	}
	c.PageInfo = pageInfo(args, res.More, cursors)
	return c, nil
}

// itemConnection makes a page of order lines. What is none is an error, never a shorter page.
func itemConnection(args dal.PageArgs, items []dal.Entity, more bool) (*graph.OrderItemConnection, error) {
	c := &graph.OrderItemConnection{
		Edges: make([]*graph.OrderItemEdge, 0, len(items)), Nodes: make([]*dal.OrderItem, 0, len(items)),
	}
	cursors := make([]string, 0, len(items))
	for _, e := range items {
		item, ok := e.(*dal.OrderItem)
		if !ok {
			return nil, notOfItsType()
		}
		cursors = append(cursors, dal.LineCursor(item.Line))
		c.Nodes = append(c.Nodes, item)
		c.Edges = append(c.Edges, &graph.OrderItemEdge{Cursor: cursors[len(cursors)-1], Node: item})
	}
	c.PageInfo = pageInfo(args, more, cursors)
	return c, nil
}
