package dal

// Read is one read that an access pattern makes for one parent: a single item, or one page of an item collection. It
// is made by the pattern's function and is comparable: equal reads are one read, and loaders cache by it.
type Read struct {
	pattern Pattern
	// key is the item's key; for a page only its partition.
	key  Key
	page page
}

// page is the part of an item collection that a Query reads. The zero value is no page but a single item.
type page struct {
	index string
	// lower and upper are inclusive bounds of the sort key, together present or absent.
	lower, upper string
	descending   bool
	// limit is what the request asks for, count what the page holds at most; the difference answers "is there more"
	// and replaces what is read and dropped.
	limit, count int
	// reverse hands the page out in the opposite of the order it is read in.
	reverse bool
	// after and before are the cursors: the bounds include them, so they are dropped when met.
	after, before OrderPosition
	// itemBytes bounds each item read.
	itemBytes int
	// sharded pages are read from every shard of the partition and merged.
	sharded bool
	// empty pages hold nothing by their bounds alone, and are not sent.
	empty bool
}

// Pattern names the access pattern the read belongs to.
func (r Read) Pattern() Pattern { return r.pattern }

// IsPage says that the read is a Query of an item collection; else it is a single item, and merges.
func (r Read) IsPage() bool { return r.page != page{} }

// Indexed says that the read is of a global index, which lags the table and cannot be read strongly.
func (r Read) Indexed() bool { return r.page.index == indexEmail || r.page.index == indexOpenOrders }

// Entity is an item of the table, decoded: *[Customer], *[Order], *[OrderItem], *[Product], *[Warehouse] or
// *[EmailOwner]. Entities are shared by all who read them in an operation and never changed.
type Entity interface {
	// ByID is the read that fetches the entity by its id alone.
	ByID() Read
}

// Result is what a read gave.
type Result struct {
	// Entities are what was found, in the order of the list; a single item that does not exist gives none.
	Entities []Entity
	// More says that the list goes on behind the page, in the direction it was read.
	More bool
	// Err is why there is no answer; nil when there is one. A read that failed never looks like an item that is missing.
	Err error
}

// Bound is the most that something can cost, retries aside.
type Bound struct {
	// Requests is the number of DynamoDB requests.
	Requests int
	// Keys is the number of items read, or keys asked for.
	Keys int
	// ReadUnits is the number of read units.
	ReadUnits float64
}

// readUnitBytes is what one strongly consistent read unit reads; an eventually consistent one reads twice as much
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html).
const readUnitBytes = 4 << 10

// readUnits is the price of reading bytes in one go.
func readUnits(bytes int, strong bool) float64 {
	units := float64(max(1, (bytes+readUnitBytes-1)/readUnitBytes))
	if strong {
		return units
	}
	return units / 2
}

func itemRead(p Pattern, key Key) Read { return Read{pattern: p, key: key} }

func pageRead(p Pattern, partition string, pg page) Read {
	return Read{pattern: p, key: Key{PK: partition}, page: pg}
}

// orderPage is the page of a list of orders whose sort keys are prefix plus position. newestFirst is the order the
// list is handed out in; the filter and the cursors narrow the bounds.
func orderPage(w OrderWindow, c OrderCriteria, prefix string, newestFirst bool) page {
	lower, upper := prefix, above(prefix)
	if prefix == "" {
		lower, upper = belowEveryPosition, aboveEveryPosition
	}
	if c.From != "" {
		lower = prefix + c.From + separator
	}
	if c.Before != "" {
		upper = prefix + c.Before + separator
	}
	oldest, newest := w.After, w.Before
	if newestFirst {
		oldest, newest = w.Before, w.After
	}
	if oldest != (OrderPosition{}) {
		lower = max(lower, prefix+oldest.segment())
	}
	if newest != (OrderPosition{}) {
		upper = min(upper, prefix+newest.segment())
	}
	pg := page{
		lower: lower, upper: upper, descending: newestFirst != w.Backward, reverse: w.Backward,
		count: w.Count, limit: w.Count + 1, after: w.After, before: w.Before, itemBytes: MaxOrderBytes,
		empty: lower >= upper,
	}
	if w.After != w.Before {
		pg.limit++
	}
	return pg
}

// Sent says that the read takes a request: a page that is empty by its bounds does not, nor one that is refused.
func (r Read) Sent(c Consistency) bool {
	return !r.page.empty && (c != Strong || !r.Indexed())
}
