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
	s.follow(known)
}

// bring schedules a step whose answer comes with its parent's, or is known already: it sends nothing itself.
func (s *step) bring(round int) {
	s.round = round
	s.follow(round)
}

// follow schedules the steps below.
func (s *step) follow(known int) {
	for _, steps := range s.below {
		for _, next := range steps {
			next.met = !s.indexed
			next.free = s.met && s.leadsBack(next)
			switch {
			case slices.Contains(s.brings, next), next.free:
				next.bring(s.round)
			case next.early != nil && len(s.ids) > 0:
				next.schedule(known)
			default:
				next.schedule(s.round)
			}
		}
	}
}

// leadsBack says that next leads from all that s finds back to the parent that s found it within: each of a customer's
// orders to that customer.
func (s *step) leadsBack(next *step) bool { return s.within != "" && next.back == s.within }

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

// prototype is what the field writes at its largest.
func (w write) prototype(object string) dal.Entity {
	if w.lines > 0 && object == string(dal.TypeOrder) {
		return &dal.Order{ItemCount: w.lines}
	}
	return prototype(object)
}
