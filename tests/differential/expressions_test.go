package differential

import (
	"fmt"
	"regexp"
	"strings"
)

// expressions writes the expressions of one request, and collects their placeholders.
type expressions struct {
	generator

	names  map[string]string
	values object
}

func (g generator) expressions() *expressions {
	return &expressions{g, map[string]string{}, object{}}
}

// addTo puts the placeholders into the request; now and then one more than there should be.
func (e *expressions) addTo(request object) {
	if e.oneIn(100) {
		e.names["#unused"] = "a"
	}
	if e.oneIn(100) {
		e.values[":unused"] = number("1")
	}
	if len(e.names) > 0 {
		request["ExpressionAttributeNames"] = e.names
	}
	if len(e.values) > 0 {
		request["ExpressionAttributeValues"] = e.values
	}
}

func (e *expressions) holder(v object) string {
	name := fmt.Sprintf(":v%d", len(e.values))
	if e.oneIn(200) {
		return name // and no value
	}
	e.values[name] = v
	return name
}

// name writes an attribute's name, through a placeholder where it must be and where it may be.
func (e *expressions) name(attribute string) string {
	if isIdentifier(attribute) && !e.oneIn(3) || attribute != "size" && e.oneIn(300) {
		return attribute
	}
	holder := fmt.Sprintf("#n%d", len(e.names))
	e.names[holder] = attribute
	return holder
}

func isIdentifier(name string) bool {
	return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`).MatchString(name) && name != "status" && name != "name" && name != "size"
}

// path is that of a key of an index now and then.
func (e *expressions) path() string {
	if e.oneIn(12) {
		return e.name(pick(e.generator, globalHash, globalSort, localSort))
	}
	return e.documentPath()
}

func (e *expressions) documentPath() string {
	steps := []string{e.name(e.attribute())}
	for e.oneIn(4) {
		if e.oneIn(2) {
			steps = append(steps, "."+e.name(e.attribute()))
		} else {
			steps = append(steps, fmt.Sprintf("[%d]", pick(e.generator, 0, 0, 1, 2, 7)))
		}
	}
	return strings.Join(steps, "")
}

// operand is what a condition compares.
func (e *expressions) operand() string {
	switch e.upTo(9) {
	case 0, 1, 2, 3:
		return e.path()
	case 4:
		return "size(" + e.path() + ")"
	default:
		return e.holder(e.value(2))
	}
}

func (e *expressions) condition(depth int) string {
	kinds := 9
	if depth > 0 {
		kinds = 12
	}
	switch e.upTo(kinds) {
	case 0, 1, 2, 3:
		return e.operand() + e.space() + pick(e.generator, "=", "<>", "<", "<=", ">", ">=") + e.space() + e.operand()
	case 4:
		return e.operand() + " BETWEEN " + e.operand() + " AND " + e.operand()
	case 5:
		of := []string{e.operand()}
		for range e.upTo(2) {
			of = append(of, e.operand())
		}
		return e.operand() + " IN (" + strings.Join(of, ", ") + ")"
	case 6:
		return pick(e.generator, "attribute_exists", "attribute_not_exists") + "(" + e.path() + ")"
	case 7:
		kind := pick(e.generator, "S", "N", "B", "SS", "NS", "BS", "M", "L", "NULL", "BOOL", "S", "N", "X")
		return "attribute_type(" + e.path() + ", " + e.holder(text(kind)) + ")"
	case 8:
		return "begins_with(" + e.path() + ", " + e.operand() + ")"
	case 9:
		return "contains(" + e.path() + ", " + e.operand() + ")"
	case 10:
		return e.condition(depth-1) + pick(e.generator, " AND ", " OR ", " and ", " or ") + e.condition(depth-1)
	case 11:
		return pick(e.generator, "NOT ", "not ") + e.condition(depth-1)
	default:
		return "(" + e.condition(depth-1) + ")"
	}
}

func (e *expressions) space() string { return pick(e.generator, " ", "", "  ", "\n") }

func (e *expressions) projection() string {
	paths := []string{e.path()}
	for range e.upTo(3) {
		paths = append(paths, e.path())
	}
	if e.oneIn(4) {
		paths = append(paths, e.name(pick(e.generator, hashName, sortName)))
	}
	return strings.Join(paths, ", ")
}

func (e *expressions) update() string {
	var clauses []string
	for _, clause := range pick(e.generator, []string{"SET"}, []string{"REMOVE"}, []string{"ADD"}, []string{"DELETE"}, []string{"SET", "REMOVE"}, []string{"REMOVE", "SET", "ADD"}, []string{"SET", "REMOVE", "ADD", "DELETE"}, []string{"SET", "SET"}) {
		if e.oneIn(5) {
			clause = strings.ToLower(clause)
		}
		var actions []string
		for range pick(e.generator, 1, 1, 1, 2, 3) {
			actions = append(actions, e.action(strings.ToUpper(clause)))
		}
		clauses = append(clauses, clause+" "+strings.Join(actions, ", "))
	}
	return strings.Join(clauses, " ")
}

// action changes no key of an index but to a value that fits.
func (e *expressions) action(clause string) string {
	if clause == "SET" && e.oneIn(3) {
		name := pick(e.generator, globalHash, globalSort, localSort)
		if kind := e.shape.kindOf(name); kind != "" {
			return e.name(name) + " = " + e.holder(e.keyValue(kind))
		}
	}
	if clause == "REMOVE" {
		return e.path()
	}
	path := e.documentPath()
	switch clause {
	case "ADD":
		value := number(e.number())
		if e.oneIn(2) {
			value = e.set()
		}
		if e.oneIn(12) {
			value = e.value(1)
		}
		return path + " " + e.holder(value)
	case "DELETE":
		value := e.set()
		if e.oneIn(12) {
			value = e.value(1)
		}
		return path + " " + e.holder(value)
	}
	switch e.upTo(6) {
	case 0:
		return path + " = " + e.assigned() + pick(e.generator, " + ", " - ", "+", "-") + e.assigned()
	case 1:
		return path + "=" + e.assigned()
	default:
		return path + " = " + e.holder(e.value(2))
	}
}

func (e *expressions) assigned() string {
	switch e.upTo(6) {
	case 0, 1:
		return e.path()
	case 2:
		return "if_not_exists(" + e.path() + ", " + e.assigned() + ")"
	case 3:
		return "list_append(" + e.assigned() + ", " + e.assigned() + ")"
	case 4:
		return e.holder(list(e.generator.values(1)...))
	default:
		return e.holder(number(e.number()))
	}
}

// keyCondition is the condition of a query, by the keys given.
func (e *expressions) keyCondition(hash, sort string) string {
	value := func(name string) string {
		if e.oneIn(100) {
			return e.holder(e.value(1))
		}
		if name == hash && e.oneIn(2) {
			return e.holder(e.firstKeyValue(e.shape.kindOf(name)))
		}
		return e.holder(e.keyValue(e.shape.kindOf(name)))
	}
	first := e.name(hash) + " = " + value(hash)
	if sort == "" && !e.oneIn(100) || e.oneIn(2) {
		return first
	}
	if sort == "" {
		sort = "a"
	}
	var second string
	switch e.upTo(4) {
	case 0, 1:
		second = e.name(sort) + " " + pick(e.generator, "=", "<", "<=", ">", ">=", "<", ">", "<>") + " " + value(sort)
	case 2:
		second = e.name(sort) + " BETWEEN " + value(sort) + " AND " + value(sort)
	case 3:
		second = "begins_with(" + e.name(sort) + ", " + value(sort) + ")"
	default:
		second = value(sort) + pick(e.generator, " < ", " = ", " >= ") + e.name(sort)
	}
	switch e.upTo(9) {
	case 0:
		return second + " AND " + first
	case 1:
		return "(" + first + ") and (" + second + ")"
	}
	return first + " AND " + second
}
