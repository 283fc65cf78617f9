package dal

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// lineWindows are all windows over short orders, and the edges of the longest.
func lineWindows() []LineWindow {
	var windows []LineWindow
	edges := []int{0, 1, 2, 3, 4, 5, 6, MaxLines - 1, MaxLines}
	for _, count := range []int{1, 2, 3, 4, 5, 6, DefaultPage, MaxLines, MaxPage} {
		for _, after := range edges {
			for _, before := range edges {
				windows = append(windows, LineWindow{count, false, after, before}, LineWindow{count, true, after, before})
			}
		}
	}
	return windows
}

var itemCounts = []int{0, 1, 2, 3, 4, 5, 6, 7, 20, 21, MaxLines - 1, MaxLines}

// pageOfLines is the model: the lines between the cursors, then the first or the last of them.
func pageOfLines(w LineWindow, itemCount int) (page []int, more bool) {
	for line := 1; line <= itemCount; line++ {
		if line > w.After && (w.Before == 0 || line < w.Before) {
			page = append(page, line)
		}
	}
	if len(page) <= w.Count {
		return page, false
	}
	if w.Backward {
		return page[len(page)-w.Count:], true
	}
	return page[:w.Count], true
}

func TestLineWindowOf(t *testing.T) {
	t.Parallel()
	for _, w := range lineWindows() {
		for _, n := range itemCounts {
			want, wantMore := pageOfLines(w, n)
			first, last, more := w.Of(n)
			var got []int
			for line := first; line <= last; line++ {
				got = append(got, line)
			}
			require.Equal(t, want, got, "%+v of %d", w, n)
			require.Equal(t, wantMore, more, "%+v of %d", w, n)
		}
	}
}

// TestBothWaysToReadLinesAgree runs the Query's bounds over the sort keys that an order of each size has, as DynamoDB
// would: what comes is what the keys derived from the item count name.
func TestBothWaysToReadLinesAgree(t *testing.T) {
	t.Parallel()
	for _, w := range lineWindows() {
		query := ItemsByOrder("A17", w)
		for _, n := range itemCounts {
			var keys []Key
			for _, r := range LinesOfOrder(&Order{ID: "A17", ItemCount: n}, w) {
				require.False(t, r.IsPage())
				keys = append(keys, r.key)
			}
			require.Equal(t, keys, queried(query, n), "%+v of %d", w, n)
		}
	}
}

// queried are the keys that the Query of a page of lines finds, in the order the page hands them out.
func queried(r Read, itemCount int) (keys []Key) {
	if r.page.empty {
		return nil
	}
	for _, k := range append([]Key{orderKey("A17")}, allLines(itemCount)...) {
		if r.page.lower <= k.SK && k.SK <= r.page.upper {
			keys = append(keys, k)
		}
	}
	if r.page.descending {
		slices.Reverse(keys)
	}
	keys = keys[:min(len(keys), r.page.limit)]
	if r.page.reverse {
		slices.Reverse(keys)
	}
	return keys
}

func allLines(n int) (keys []Key) {
	for line := 1; line <= n; line++ {
		keys = append(keys, itemKey("A17", line))
	}
	return keys
}

func TestPageArgs(t *testing.T) {
	t.Parallel()
	n := func(n int) *int { return &n }
	for _, c := range []struct {
		name     string
		args     PageArgs
		count    int
		backward bool
		invalid  bool
	}{
		{name: "nothing", count: DefaultPage},
		{name: "first", args: PageArgs{First: n(3)}, count: 3},
		{name: "last", args: PageArgs{Last: n(3)}, count: 3, backward: true},
		{name: "first 1", args: PageArgs{First: n(1)}, count: 1},
		{name: "first 100", args: PageArgs{First: n(100)}, count: 100},
		{name: "first 0", args: PageArgs{First: n(0)}, invalid: true},
		{name: "first -1", args: PageArgs{First: n(-1)}, invalid: true},
		{name: "first 101", args: PageArgs{First: n(101)}, invalid: true},
		{name: "last 0", args: PageArgs{Last: n(0)}, invalid: true},
		{name: "last 101", args: PageArgs{Last: n(101)}, invalid: true},
		{name: "both", args: PageArgs{First: n(1), Last: n(1)}, invalid: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			orders, err := NewOrderWindow(c.args)
			lines, lineErr := NewLineWindow(c.args)
			if c.invalid {
				require.Equal(t, KindInvalid, kindOf(err))
				require.Equal(t, KindInvalid, kindOf(lineErr))
				return
			}
			require.NoError(t, err)
			require.NoError(t, lineErr)
			require.Equal(t, OrderWindow{Count: c.count, Backward: c.backward}, orders)
			require.Equal(t, LineWindow{Count: c.count, Backward: c.backward}, lines)
		})
	}
}

func TestPageArgsWithCursors(t *testing.T) {
	t.Parallel()
	at := positionOf(time.Date(2025, 3, 1, 0, 0, 0, 0, time.UTC), "A17")
	order, line, bad := at.Cursor(), LineCursor(7), "bad"

	w, err := NewOrderWindow(PageArgs{After: &order})
	require.NoError(t, err)
	require.Equal(t, OrderWindow{Count: DefaultPage, After: at}, w)
	w, err = NewOrderWindow(PageArgs{Before: &order})
	require.NoError(t, err)
	require.Equal(t, OrderWindow{Count: DefaultPage, Before: at}, w)

	l, err := NewLineWindow(PageArgs{After: &line, Before: &line})
	require.NoError(t, err)
	require.Equal(t, LineWindow{Count: DefaultPage, After: 7, Before: 7}, l)

	for _, args := range []PageArgs{{After: &bad}, {Before: &bad}, {After: &line}} {
		_, err = NewOrderWindow(args)
		require.Equal(t, KindInvalid, kindOf(err))
	}
	for _, args := range []PageArgs{{After: &bad}, {Before: &bad}, {Before: &order}} {
		_, err = NewLineWindow(args)
		require.Equal(t, KindInvalid, kindOf(err))
	}
}

func TestPlainPages(t *testing.T) {
	t.Parallel()
	n, s := 3, "x"
	require.True(t, PageArgs{}.Plain())
	require.True(t, PageArgs{First: &n}.Plain())
	require.False(t, PageArgs{Last: &n}.Plain())
	require.False(t, PageArgs{After: &s}.Plain())
	require.False(t, PageArgs{Before: &s}.Plain())
}

func TestOrderCriteria(t *testing.T) {
	t.Parallel()
	paid, unknown := StatusPaid, OrderStatus("LOST")
	from := time.Date(2025, 3, 1, 0, 0, 0, 1, time.UTC)
	before := time.Date(2025, 3, 1, 23, 59, 59, 999_000_001, time.UTC)
	c, err := NewOrderCriteria(&paid, &from, &before)
	require.NoError(t, err)
	require.Equal(t, OrderCriteria{StatusPaid, "2025-03-01T00:00:00.001Z", "2025-03-02"}, c, "bounds are rounded up")

	c, err = NewOrderCriteria(nil, nil, nil)
	require.NoError(t, err)
	require.Zero(t, c)

	_, err = NewOrderCriteria(&unknown, nil, nil)
	require.Equal(t, KindInvalid, kindOf(err))
}

// TestLimitsAsDesigned is what "is there more" costs.
func TestLimitsAsDesigned(t *testing.T) {
	t.Parallel()
	at := OrderPosition{"2025-03-01", "A17"}
	earlier := OrderPosition{"2025-02-01", "A1"}
	for name, c := range map[string]struct {
		read Read
		want int
	}{
		"the front":              {OrdersByCustomer("42", OrderWindow{Count: 20}, OrderCriteria{}), 21},
		"the end":                {OrdersByCustomer("42", OrderWindow{Count: 20, Backward: true}, OrderCriteria{}), 21},
		"a filter":               {OrdersByStatus("42", OrderWindow{Count: 20}, OrderCriteria{Status: StatusPaid}), 21},
		"a cursor":               {OrdersByCustomer("42", OrderWindow{Count: 20, After: at}, OrderCriteria{}), 22},
		"two cursors":            {OrdersByCustomer("42", OrderWindow{Count: 20, After: at, Before: earlier}, OrderCriteria{}), 22},
		"open orders":            {OpenOrdersByWarehouse("n", OrderWindow{Count: 20}), 21},
		"open orders, a cursor":  {OpenOrdersByWarehouse("n", OrderWindow{Count: 20, Before: at}), 22},
		"the latest":             {LatestOrder("42"), 1},
		"an e-mail":              {CustomerByEmail(Email{Folded: "ann@example.com"}), 1},
		"lines":                  {ItemsByOrder("A17", LineWindow{Count: 5}), 5},
		"more lines than can be": {ItemsByOrder("A17", LineWindow{Count: 100}), MaxLines},
		"a customer and 20 orders": {
			CustomerWithOrders("42", []Read{OrdersByCustomer("42", OrderWindow{Count: 20}, OrderCriteria{})}), 22,
		},
		"a customer and the latest order": {CustomerWithOrders("42", []Read{LatestOrder("42")}), 2},
		"a customer and several pages": {
			CustomerWithOrders("42", []Read{
				LatestOrder("42"), OrdersByCustomer("42", OrderWindow{Count: 3}, OrderCriteria{}),
				OrdersByCustomer("42", OrderWindow{Count: 7}, OrderCriteria{}),
			}), 9,
		},
		"an order and 5 lines": {OrderWithItems("A17", []Read{ItemsByOrder("A17", LineWindow{Count: 5})}), 6},
	} {
		require.Equal(t, c.want, c.read.page.limit, name)
		require.Equal(t, c.want, c.read.Bound(Eventual, 1).Keys, name)
	}
}
