package attr

// Overheads of lists and maps in bytes, from
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html.
const (
	documentOverhead = 3
	elementOverhead  = 1
)

// Size is the size of an item in bytes, as limits and capacity count it: every name and every value.
func (it Item) Size() int {
	size := 0
	for name, v := range it {
		size += len(name) + v.Size()
	}
	return size
}

// Size is what the value adds to the size of its item, in bytes.
func (v Value) Size() int {
	switch v.Kind {
	case None:
		return 0
	case S, B:
		return len(v.Text)
	case N:
		return v.Decimal().Size()
	case BOOL, NULL:
		return 1
	case SS, BS:
		return textSize(v.Set)
	case NS:
		size := 0
		for _, member := range v.Set {
			size += canonical(member).Size()
		}
		return size
	case L:
		size := documentOverhead
		for _, element := range v.List {
			size += elementOverhead + element.Size()
		}
		return size
	case M:
		return documentOverhead + len(v.Map)*elementOverhead + v.Map.Size()
	}
	return 0
}

func textSize(members []string) int {
	size := 0
	for _, member := range members {
		size += len(member)
	}
	return size
}
