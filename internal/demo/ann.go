package demo

import (
	"strconv"
	"time"

	"example.com/keyfirst/dal"
)

// annNumber is Ann's raw id; the shop's other customers leave it out.
const annNumber = 42

// ann is the customer of the documentation. Her orders were imported with their dates alone, so both were placed at
// midnight; the teapot has become dearer since.
func (m *maker) ann(s *shelf) {
	ann := &dal.Customer{
		ID: dal.CustomerID(strconv.Itoa(annNumber)), Name: "Ann", Email: "ann@example.com", Version: 1,
		CreatedAt: day(2025, time.January, 9), UpdatedAt: day(2025, time.January, 9),
	}
	m.order(ann, placed("A11", day(2025, time.January, 9), dal.StatusDelivered, south),
		pick{s.bySKU["CANDLE-SAGE"], 2}, pick{s.bySKU["NOTEBOOK-NAVY"], 1})
	m.order(ann, placed("A17", day(2025, time.March, 1), dal.StatusPaid, north),
		pick{s.bySKU["TEAPOT-SAND"], 1}, pick{s.bySKU["CANDLE-SAGE"], 2})
	m.customer(ann)
}
