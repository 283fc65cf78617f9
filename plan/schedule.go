package plan

import (
	"slices"

	"example.com/keyfirst/dal"
)

// schedule gives every step the round its reads go out in. known is the round after which its parents are known: 0 for
// what needs no parent. Each step keeps to its round even when some of its parents are known earlier, so that what
// merges is what was planned.
func (s *step) schedule(known int) {
	s.round = known + 1
	for _, steps := range s.below {
		for _, next := range steps {
			switch {
			case slices.Contains(s.brings, next):
				next.bring(s.round)
			case next.early != nil && len(s.ids) > 0:
				next.schedule(known)
			default:
				next.schedule(s.round)
			}
		}
	}
}

// bring schedules a step whose answer comes with its parent's: it sends nothing itself.
func (s *step) bring(round int) {
	s.round = round
	for _, steps := range s.below {
		for _, next := range steps {
			next.schedule(round)
		}
	}
}

// prototype is a parent of a type at its largest: the reads that follow from it bound those of any real one.
func prototype(object string) dal.Entity {
	switch object {
	case string(dal.TypeCustomer):
		return &dal.Customer{}
	case string(dal.TypeOrder):
		return &dal.Order{ItemCount: dal.MaxLines}
	case string(dal.TypeOrderItem):
		return &dal.OrderItem{}
	case string(dal.TypeWarehouse):
		return &dal.Warehouse{}
	case ownerType:
		return &dal.EmailOwner{}
	}
	return nil
}
