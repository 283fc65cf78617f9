package plan

import (
	"slices"

	"example.com/keyfirst/dal"
)

// access is how one field, with its arguments bound, reads the table.
type access struct {
	// wants are the reads that the field's resolver asks for; parent is nil for a root field.
	wants func(parent dal.Entity) []dal.Read
	// sends are the reads that go out for them, when they differ from wants.
	sends func(parent dal.Entity) []dal.Read
	// early are the reads that go out beside the parent's own, where only the parent's id is known. Nil when they
	// follow from the parent's attributes.
	early func(parent dal.ID) []dal.Read
	// ids are the entities that a root field fetches by its arguments alone.
	ids []dal.ID
	// together is the Query that reads the one entity of a root field and the given pages of it. Nil when there is none.
	together func(pages []dal.Read) dal.Read
	// plain says that the page is the front of its list, so that the parent's Query can bring it along.
	plain bool
	// list says that a parent has many.
	list bool
	// indexed says that what it finds comes from an index, and so is not known by its id.
	indexed bool
	// within is the type of the parent, where all that the field finds has the parent as its back field's value: a
	// customer's orders have that customer.
	within dal.EntityType
	// back is the type of what the field leads to, where that may be what the parent was found within.
	back dal.EntityType
	// like is a read, and how many of its size go out for a parent: for steps that would have to make many.
	like func(parent dal.Entity) (dal.Read, int)
	// via is the step between: its entities, not the parent, lead to this field's.
	via *access
}

// fields says how each field of the schema that carries @access reads. single is whether at most one parent can be
// there. The error is a bad argument, which the resolver will report: such a field plans no read.
func fields() map[string]func(a arguments, single bool) (access, error) {
	return map[string]func(a arguments, single bool) (access, error){
		"Query.node":            node,
		"Query.nodes":           nodes,
		"Query.customer":        customer,
		"Query.order":           order,
		"Query.product":         byID(dal.TypeProduct),
		"Query.warehouse":       byID(dal.TypeWarehouse),
		"Query.customerByEmail": customerByEmail,
		"Customer.latestOrder":  latestOrder,
		"Customer.orders":       customerOrders,
		"Order.customer":        orderCustomer,
		"Order.warehouse":       orderWarehouse,
		"Order.items":           orderItems,
		"OrderItem.product":     itemProduct,
		"OrderItem.order":       itemOrder,
		"Warehouse.openOrders":  openOrders,
	}
}

// wrote is what a root field that writes costs at most, and what is known of what it wrote.
type wrote struct {
	cost dal.WriteBound
	// lines is the number of an order's lines, all of them known once it is written; 0 where no order is.
	lines int
}

// writes says what each root field writes.
func writes() map[string]func(arguments) wrote {
	return map[string]func(arguments) wrote{
		"Mutation.createCustomer": func(arguments) wrote { return wrote{cost: dal.CreateCustomerBound()} },
		"Mutation.putProduct":     func(arguments) wrote { return wrote{cost: dal.PutProductBound()} },
		"Mutation.putWarehouse":   func(arguments) wrote { return wrote{cost: dal.PutWarehouseBound()} },
		"Mutation.placeOrder": func(a arguments) wrote {
			lines := min(a.lines(), dal.MaxLines)
			return wrote{cost: dal.PlaceOrderBound(lines), lines: lines}
		},
	}
}

func fetching(ids ...dal.ID) access {
	reads := make([]dal.Read, len(ids))
	for i, id := range ids {
		reads[i] = id.Read()
	}
	return access{ids: ids, wants: func(dal.Entity) []dal.Read { return reads }}
}

func node(a arguments, _ bool) (access, error) {
	id, err := dal.ParseID(a.string("id"))
	if err != nil {
		return access{}, err
	}
	return fetching(id), nil
}

func nodes(a arguments, _ bool) (access, error) {
	ids, err := dal.ParseIDs(a.strings("ids"))
	if err != nil {
		return access{}, err
	}
	of := fetching(distinct(ids)...)
	of.list = true
	return of, nil
}

func distinct(ids []dal.ID) []dal.ID {
	seen := make(map[dal.ID]bool, len(ids))
	return slices.DeleteFunc(ids, func(id dal.ID) bool {
		again := seen[id]
		seen[id] = true
		return again
	})
}

func byID(want dal.EntityType) func(arguments, bool) (access, error) {
	return func(a arguments, _ bool) (access, error) {
		id, err := dal.ParseIDOf(want, a.string("id"))
		if err != nil {
			return access{}, err
		}
		return fetching(id), nil
	}
}

func customer(a arguments, single bool) (access, error) {
	of, err := byID(dal.TypeCustomer)(a, single)
	of.together = func(pages []dal.Read) dal.Read {
		return dal.CustomerWithOrders(dal.CustomerID(of.ids[0].Raw), pages)
	}
	return of, err
}

func order(a arguments, single bool) (access, error) {
	of, err := byID(dal.TypeOrder)(a, single)
	of.together = func(pages []dal.Read) dal.Read {
		return dal.OrderWithItems(dal.OrderID(of.ids[0].Raw), pages)
	}
	return of, err
}

func customerByEmail(a arguments, _ bool) (access, error) {
	email, err := dal.ParseEmail(a.string("email"))
	if err != nil {
		return access{}, err
	}
	if !a.consistent {
		return access{
			indexed: true, wants: func(dal.Entity) []dal.Read { return []dal.Read{dal.CustomerByEmail(email)} },
		}, nil
	}
	return access{
		via:   &access{wants: func(dal.Entity) []dal.Read { return []dal.Read{dal.OwnerByEmail(email)} }},
		wants: from(dal.CustomerOfOwner),
	}, nil
}

func latestOrder(arguments, bool) (access, error) {
	return access{
		plain: true, within: dal.TypeCustomer,
		wants: from(func(c *dal.Customer) dal.Read { return dal.LatestOrder(c.ID) }),
		early: func(id dal.ID) []dal.Read { return []dal.Read{dal.LatestOrder(dal.CustomerID(id.Raw))} },
	}, nil
}

func customerOrders(a arguments, _ bool) (access, error) {
	args := a.page()
	window, err := dal.NewOrderWindow(args)
	if err != nil {
		return access{}, err
	}
	criteria, err := a.criteria()
	if err != nil {
		return access{}, err
	}
	read := func(id dal.CustomerID) dal.Read { return dal.CustomerOrders(id, window, criteria) }
	return access{
		list: true, plain: args.Plain() && criteria == (dal.OrderCriteria{}), within: dal.TypeCustomer,
		wants: from(func(c *dal.Customer) dal.Read { return read(c.ID) }),
		early: func(id dal.ID) []dal.Read { return []dal.Read{read(dal.CustomerID(id.Raw))} },
	}, nil
}

func orderCustomer(arguments, bool) (access, error) {
	return access{
		back: dal.TypeCustomer, wants: from(func(o *dal.Order) dal.Read { return dal.CustomerByID(o.CustomerID) }),
	}, nil
}

func orderWarehouse(arguments, bool) (access, error) {
	return access{
		back: dal.TypeWarehouse, wants: from(func(o *dal.Order) dal.Read { return dal.WarehouseByID(o.WarehouseID) }),
	}, nil
}

// orderItems is one Query where at most one order can be the parent; otherwise the lines' keys join the round's batch.
func orderItems(a arguments, single bool) (access, error) {
	args := a.page()
	window, err := dal.NewLineWindow(args)
	if err != nil {
		return access{}, err
	}
	of := access{
		list: true, plain: args.Plain(), within: dal.TypeOrder,
		like: func(parent dal.Entity) (dal.Read, int) {
			o, ok := parent.(*dal.Order)
			if !ok {
				return dal.Read{}, 0
			}
			first, last, _ := window.Of(o.ItemCount)
			return aLine(), max(0, last-first+1)
		},
		wants: func(parent dal.Entity) []dal.Read {
			o, ok := parent.(*dal.Order)
			if !ok {
				return nil
			}
			return dal.LinesOfOrder(o, window)
		},
	}
	if single {
		of.sends = from(func(o *dal.Order) dal.Read { return dal.ItemsByOrder(o.ID, window) })
		of.early = func(id dal.ID) []dal.Read { return []dal.Read{dal.ItemsByOrder(dal.OrderID(id.Raw), window)} }
	}
	return of, nil
}

// aLine is the read of one line by its key.
func aLine() dal.Read {
	return dal.LinesOfOrder(&dal.Order{ItemCount: 1}, dal.LineWindow{Count: 1})[0]
}

func itemProduct(arguments, bool) (access, error) {
	return access{wants: from(func(i *dal.OrderItem) dal.Read { return dal.ProductBySKU(i.SKU) })}, nil
}

func itemOrder(arguments, bool) (access, error) {
	return access{
		back: dal.TypeOrder, wants: from(func(i *dal.OrderItem) dal.Read { return dal.OrderByID(i.OrderID) }),
	}, nil
}

func openOrders(a arguments, _ bool) (access, error) {
	window, err := dal.NewOrderWindow(a.page())
	if err != nil {
		return access{}, err
	}
	return access{
		list: true, indexed: true, within: dal.TypeWarehouse,
		wants: from(func(w *dal.Warehouse) dal.Read { return dal.OpenOrdersByWarehouse(w.ID, window) }),
		early: func(id dal.ID) []dal.Read {
			return []dal.Read{dal.OpenOrdersByWarehouse(dal.WarehouseID(id.Raw), window)}
		},
	}, nil
}

// from makes reads of parents of one type.
func from[E dal.Entity](read func(E) dal.Read) func(dal.Entity) []dal.Read {
	return func(parent dal.Entity) []dal.Read {
		e, ok := parent.(E)
		if !ok {
			return nil
		}
		return []dal.Read{read(e)}
	}
}
