package dal

import "time"

// The sizes of a page.
const (
	// DefaultPage is the size of a page whose size was not asked for.
	DefaultPage = 20
	// MaxPage is the largest page.
	MaxPage = 100
)

// PageArgs are the arguments of a connection as a client gave them; nil is an argument left out.
type PageArgs struct {
	First, Last   *int
	After, Before *string
}

// Plain says that the page is the front of the list: its size is all that was asked.
func (a PageArgs) Plain() bool { return a.Last == nil && a.After == nil && a.Before == nil }

// size is the page's size and whether it is taken from the end of the list. Its errors are KindInvalid.
func (a PageArgs) size() (count int, backward bool, err error) {
	switch {
	case a.First != nil && a.Last != nil:
		return 0, false, invalid("PageArgs", "give first or last, not both")
	case a.Last != nil:
		count, backward = *a.Last, true
	case a.First != nil:
		count = *a.First
	default:
		count = DefaultPage
	}
	if count < 1 || count > MaxPage {
		return 0, false, invalid("PageArgs", "first and last take 1 to %d", MaxPage)
	}
	return count, backward, nil
}

// OrderWindow is the part of a list of orders that is wanted. It is comparable.
type OrderWindow struct {
	// Count is the size of the page, 1 to MaxPage.
	Count int
	// Backward takes the page from the end of the list.
	Backward bool
	// After and Before are positions the page lies between, exclusive; zero is the end of the list.
	After, Before OrderPosition
}

// NewOrderWindow reads the arguments of a connection of orders. Its errors are KindInvalid.
func NewOrderWindow(args PageArgs) (w OrderWindow, err error) {
	if w.Count, w.Backward, err = args.size(); err != nil {
		return OrderWindow{}, err
	}
	if args.After != nil {
		if w.After, err = ParseOrderCursor(*args.After); err != nil {
			return OrderWindow{}, err
		}
	}
	if args.Before != nil {
		if w.Before, err = ParseOrderCursor(*args.Before); err != nil {
			return OrderWindow{}, err
		}
	}
	return w, nil
}

// OrderCriteria narrows a customer's orders. It is comparable; the zero value lets everything through.
type OrderCriteria struct {
	// Status is the one status wanted; empty for all.
	Status OrderStatus
	// From and Before bound the instant the order was placed, as it stands in keys: From inclusive, Before exclusive.
	From, Before string
}

// NewOrderCriteria reads a filter; nil is a condition left out. Bounds are rounded up to the millisecond, the precision
// orders are stored with. Its errors are KindInvalid.
func NewOrderCriteria(status *OrderStatus, from, before *time.Time) (c OrderCriteria, err error) {
	if status != nil {
		if !status.valid() {
			return OrderCriteria{}, invalid("NewOrderCriteria", "no such order status")
		}
		c.Status = *status
	}
	if from != nil {
		c.From = encodeTime(roundUpToMillisecond(*from))
	}
	if before != nil {
		c.Before = encodeTime(roundUpToMillisecond(*before))
	}
	return c, nil
}

// LineWindow is the part of an order's lines that is wanted. It is comparable.
type LineWindow struct {
	// Count is the size of the page, 1 to MaxPage.
	Count int
	// Backward takes the page from the end of the list.
	Backward bool
	// After and Before are line numbers the page lies between, exclusive; zero is the end of the list.
	After, Before int
}

// NewLineWindow reads the arguments of a connection of order lines. Its errors are KindInvalid.
func NewLineWindow(args PageArgs) (w LineWindow, err error) {
	if w.Count, w.Backward, err = args.size(); err != nil {
		return LineWindow{}, err
	}
	if args.After != nil {
		if w.After, err = ParseLineCursor(*args.After); err != nil {
			return LineWindow{}, err
		}
	}
	if args.Before != nil {
		if w.Before, err = ParseLineCursor(*args.Before); err != nil {
			return LineWindow{}, err
		}
	}
	return w, nil
}

// Of is the page of an order with that many lines: its first and its last line (first > last for an empty page), and
// whether lines follow the page in the direction it is read.
func (w LineWindow) Of(itemCount int) (first, last int, more bool) {
	first, last = w.After+1, itemCount
	if w.Before > 0 && w.Before <= itemCount {
		last = w.Before - 1
	}
	if last-first+1 <= w.Count {
		return first, last, false
	}
	if w.Backward {
		return last - w.Count + 1, last, true
	}
	return first, first + w.Count - 1, true
}
