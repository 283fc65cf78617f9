package demo

import (
	"time"

	"example.com/keyfirst/dal"
)

// good is a product with the history of its price.
type good struct {
	sku  dal.SKU
	name string
	// was is its price in cents until the price change, cents its price since.
	was, cents int
}

// raised says that the price changed.
func (g *good) raised() bool { return g.was != g.cents }

// centsAt is the price that an order placed at the time snapshots.
func (g *good) centsAt(t time.Time) int {
	if t.Before(priceChange()) {
		return g.was
	}
	return g.cents
}

// opening is when the shop's catalog was first written, priceChange when every fourth price went up.
func opening() time.Time     { return day(2024, time.January, 2).Add(7*time.Hour + 30*time.Minute) }
func priceChange() time.Time { return day(2025, time.June, 2).Add(6 * time.Hour) }

// raisedEvery is the distance between two products whose price went up.
const raisedEvery = 4

// shelf makes the 200 products: 20 kinds in 10 colors each, by SKU and in order.
func (m *maker) shelf() *shelf {
	s := &shelf{bySKU: map[dal.SKU]*good{}}
	for _, k := range kinds() {
		for _, c := range colors() {
			g := &good{sku: dal.SKU(k.code + "-" + c.code), name: k.name + ", " + c.name, was: k.cents, cents: k.cents}
			if len(s.goods)%raisedEvery == 0 {
				g.cents += k.cents / 10
			}
			s.goods = append(s.goods, g)
			s.bySKU[g.sku] = g
		}
	}
	return s
}

// shelf is everything the shop sells.
type shelf struct {
	goods []*good
	bySKU map[dal.SKU]*good
}

func (m *maker) products(s *shelf) {
	for _, g := range s.goods {
		p := &dal.Product{SKU: g.sku, Name: g.name, Price: m.euros(g.cents), Version: 1, UpdatedAt: opening()}
		if g.raised() {
			p.Version, p.UpdatedAt = 2, priceChange()
		}
		m.records = append(m.records, dal.ProductRecord{Product: p})
	}
}

type kind struct {
	code, name string
	cents      int
}

func kinds() []kind {
	return []kind{
		{"MUG", "Stoneware Mug", 1290},
		{"BOWL", "Cereal Bowl", 1450},
		{"PLATE", "Dinner Plate", 1690},
		{"TEAPOT", "Porcelain Teapot", 2500},
		{"CARAFE", "Glass Carafe", 2290},
		{"VASE", "Bud Vase", 1890},
		{"CANDLE", "Beeswax Candle", 500},
		{"NAPKIN", "Linen Napkin", 790},
		{"TOWEL", "Waffle Tea Towel", 950},
		{"APRON", "Canvas Apron", 3490},
		{"CUSHION", "Velvet Cushion Cover", 2690},
		{"THROW", "Lambswool Throw", 8900},
		{"NOTEBOOK", "Clothbound Notebook", 1000},
		{"LAMP", "Desk Lamp", 7450},
		{"CLOCK", "Wall Clock", 4990},
		{"POT", "Plant Pot", 1550},
		{"BASKET", "Storage Basket", 2150},
		{"TRAY", "Serving Tray", 3250},
		{"BOTTLE", "Water Bottle", 2490},
		{"TOTE", "Market Tote", 1995},
	}
}

type color struct{ code, name string }

func colors() []color {
	return []color{
		{"WHITE", "White"},
		{"BLACK", "Black"},
		{"SAND", "Sand"},
		{"SAGE", "Sage"},
		{"FOREST", "Forest Green"},
		{"SKY", "Sky Blue"},
		{"NAVY", "Navy"},
		{"CLAY", "Terracotta"},
		{"MUSTARD", "Mustard"},
		{"PLUM", "Plum"},
	}
}
