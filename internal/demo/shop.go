package demo

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"example.com/keyfirst/dal"
)

// The size of the shop.
const (
	ordersPerCustomer = 20
	linesPerOrder     = 5
	maxPicked         = 4
	firstOrderNumber  = 1001
)

// Of the newest orders, so many are the backlog, in which most are open; the freshest of them are mostly not paid yet.
const (
	backlog = 300
	fresh   = 120
)

// seed makes the shop the same everywhere; the number itself means nothing.
const seed = 20250301

// visit is one order before it has a number: who placed it, and when.
type visit struct {
	customer *dal.Customer
	at       time.Time
}

// shop makes 50 customers with 20 orders each. Orders are numbered in the order of time, across all customers.
func (m *maker) shop(s *shelf) {
	random := rand.New(rand.NewPCG(seed, seed))
	customers, visits := visitors(random)
	for rank, v := range visits {
		warehouse := []dal.WarehouseID{north, south, east}[rank%3]
		status := statusOf(random, len(visits)-1-rank)
		id := strconv.Itoa(firstOrderNumber + rank)
		m.order(v.customer, placed(id, v.at, status, warehouse), picks(random, s)...)
	}
	for _, c := range customers {
		m.customer(c)
	}
}

// visitors makes the customers and the times of all their orders, the oldest first.
func visitors(random *rand.Rand) (customers []*dal.Customer, visits []visit) {
	for i, p := range people() {
		c := &dal.Customer{ID: customerID(i), Name: p.name, Email: p.mailbox + "@example.com", Version: 1}
		first := shopEnd()
		for range ordersPerCustomer {
			at := moment(random)
			visits = append(visits, visit{c, at})
			if at.Before(first) {
				first = at
			}
		}
		c.CreatedAt = first.Add(-time.Duration(60+random.IntN(5*24*3600)) * time.Second)
		c.UpdatedAt = c.CreatedAt
		customers = append(customers, c)
	}
	slices.SortStableFunc(visits, func(a, b visit) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.customer.ID, b.customer.ID))
	})
	return customers, visits
}

// customerID numbers the customers from 1 and leaves Ann's id out.
func customerID(i int) dal.CustomerID {
	number := i + 1
	if number >= annNumber {
		number++
	}
	return dal.CustomerID(strconv.Itoa(number))
}

// The first and the last day on which the shop takes orders: far enough from the ends of the two years that
// registrations before and deliveries after fall into them.
func shopStart() time.Time { return day(2024, time.January, 8) }
func shopEnd() time.Time   { return day(2025, time.December, 27) }

// moment is when somebody orders: more often the older the shop is, and by day.
func moment(random *rand.Rand) time.Time {
	days := shopEnd().Sub(shopStart()).Hours() / 24
	date := shopStart().AddDate(0, 0, int(days*math.Sqrt(random.Float64())))
	const opens, open = 6 * time.Hour, 17 * time.Hour
	return date.Add(opens + time.Duration(random.Int64N(int64(open/time.Millisecond)))*time.Millisecond)
}

// statusOf is the status of an order by its age, the newest order's being 0.
func statusOf(random *rand.Rand, age int) dal.OrderStatus {
	percent := random.IntN(100)
	switch {
	case age >= backlog && percent < 6:
		return dal.StatusCancelled
	case age >= backlog && percent < 10:
		return dal.StatusShipped
	case age >= backlog:
		return dal.StatusDelivered
	case percent < 4:
		return dal.StatusCancelled
	case percent < 15:
		return dal.StatusShipped
	case age < fresh && percent < 70, percent < 25:
		return dal.StatusPending
	}
	return dal.StatusPaid
}

// picks are the lines of one order, of different products.
func picks(random *rand.Rand, s *shelf) []pick {
	picked := make([]pick, 0, linesPerOrder)
	for len(picked) < linesPerOrder {
		g := s.goods[random.IntN(len(s.goods))]
		if !slices.ContainsFunc(picked, func(p pick) bool { return p.good == g }) {
			picked = append(picked, pick{g, 1 + random.IntN(maxPicked)})
		}
	}
	return picked
}
