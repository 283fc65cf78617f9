package plan

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"example.com/keyfirst/dal"
)

// maxVisits bounds the selections that are looked at while a document is merged, each with the conditions it is under.
// Fragments can make them exponentially more than their text has.
const maxVisits = 50_000

// mergedVisits is what a field of the merged tree weighs beside the visit of its selection, in time and in memory.
const mergedVisits = 4

// pathVisits is how many bytes of its response path make a field weigh one visit more: every step has a path.
const pathVisits = 64

// TooLargeError says that a document selects too much to be planned.
type TooLargeError struct{}

// Error is fit for a client.
func (TooLargeError) Error() string { return "The operation selects too many fields." }

// Code is the GraphQL error code.
func (TooLargeError) Code() string { return "BUDGET_EXCEEDED" }

// Extensions has nothing to add.
func (TooLargeError) Extensions() map[string]any { return nil }

// Operation is an operation merged into the tree of its composite fields, without its variables. It is immutable and
// may be kept beside the document.
type Operation struct {
	// Mutation says that the root fields write.
	Mutation bool
	// Consistent says that the operation asked for strongly consistent reads.
	Consistent bool

	root []*selected
	// projection is what the fields need of each type of item, whatever the variables.
	projection dal.Projection
}

// selected is a composite field of the merged tree.
type selected struct {
	// key is the response key, object the type the field is selected on, name its name there.
	key, object, name string
	// result is the named type of the field.
	result    string
	arguments func(variables map[string]any) map[string]any
	// call is the same for fields with the same arguments, as they are written.
	call int
	// when are alternatives: the field is selected if one of them holds.
	when []condition
	// list says that the field is a list.
	list bool
	// below are the fields selected on the value, by its concrete type; leaves is how many more have nothing below them.
	below  map[string][]*selected
	leaves map[string]int
}

// Compile merges an operation. Its error is a [TooLargeError].
func Compile(schema *ast.Schema, operation *ast.OperationDefinition) (*Operation, error) {
	c := &compiler{
		schema: schema, calls: map[*ast.Field]int{}, texts: map[string]int{"": 0},
		fields: map[dal.EntityType]map[string]bool{},
	}
	root := schema.Query
	switch operation.Operation {
	case ast.Mutation:
		root = schema.Mutation
	case ast.Subscription:
		root = schema.Subscription
	case ast.Query:
	}
	tree, _ := c.collect([]occurrence{{set: operation.SelectionSet}}, root, 0)
	if c.visits > maxVisits {
		return nil, TooLargeError{}
	}
	return &Operation{
		Mutation:   operation.Operation == ast.Mutation,
		Consistent: operation.Directives.ForName("consistent") != nil,
		root:       tree,
		projection: dal.NewProjection(c.fields),
	}, nil
}

type compiler struct {
	schema *ast.Schema
	visits int
	// calls number the fields of the document, texts what their arguments say.
	calls map[*ast.Field]int
	texts map[string]int
	// fields are those selected on each type of item.
	fields map[dal.EntityType]map[string]bool
}

// needs notes a field that is selected on an item.
func (c *compiler) needs(object, field string) {
	if !isEntity(object) || strings.HasPrefix(field, "__") {
		return
	}
	t := dal.EntityType(object)
	if c.fields[t] == nil {
		c.fields[t] = map[string]bool{}
	}
	c.fields[t][field] = true
}

// call numbers the field's arguments. Each field of the document is looked at once, however often it is met.
func (c *compiler) call(f *ast.Field) int {
	if len(f.Arguments) == 0 {
		return 0
	}
	n, known := c.calls[f]
	if known {
		return n
	}
	var text strings.Builder
	for _, a := range f.Arguments {
		text.WriteString(a.Name + ":" + a.Value.String() + ",")
	}
	n, known = c.texts[text.String()]
	if !known {
		n = len(c.texts)
		c.texts[text.String()] = n
	}
	c.calls[f] = n
	return n
}

// occurrence is one place in the document that selects below a field, and the condition it is under.
type occurrence struct {
	set  ast.SelectionSet
	when condition
}

// collect merges what the occurrences select on one concrete type, as CollectFields of the GraphQL specification does
// (https://spec.graphql.org/draft/#CollectFields()), but keeps the conditions that hang on variables.
// path is the length of the response path.
func (c *compiler) collect(occurrences []occurrence, object *ast.Definition, path int) (fields []*selected, leaves int) {
	if c.visits > maxVisits {
		return nil, 0
	}
	m := merging{compiler: c, object: object, path: path, fields: map[string]*merged{}, spreads: map[string]bool{}, leaves: map[string]bool{}}
	for _, o := range occurrences {
		m.visit(o.set, o.when)
	}
	fields = make([]*selected, 0, len(m.order))
	for _, key := range m.order {
		fields = append(fields, c.descend(m.fields[key], path+len(key)+1))
	}
	return fields, len(m.leaves)
}

func (c *compiler) descend(m *merged, path int) *selected {
	for _, object := range c.schema.GetPossibleTypes(m.result) {
		below, leaves := c.collect(m.occurrences, object, path)
		if len(below) > 0 {
			m.field.below[object.Name] = below
		}
		m.field.leaves[object.Name] = leaves
	}
	return m.field
}

// merging is the merging of one selection set.
type merging struct {
	*compiler

	object  *ast.Definition
	path    int
	fields  map[string]*merged
	order   []string
	spreads map[string]bool
	// leaves are the response keys of fields without selections below.
	leaves map[string]bool
}

// merged is a field with all the places it occurs in.
type merged struct {
	field       *selected
	result      *ast.Definition
	occurrences []occurrence
}

func (m *merging) visit(set ast.SelectionSet, when condition) {
	for _, selection := range set {
		if m.visits += 1 + len(when); m.visits > maxVisits {
			return
		}
		switch s := selection.(type) {
		case *ast.Field:
			if under, possible := when.and(s.Directives); possible {
				m.add(s, under)
			}
		case *ast.InlineFragment:
			if under, possible := when.and(s.Directives); possible && m.applies(s.TypeCondition) {
				m.visit(s.SelectionSet, under)
			}
		case *ast.FragmentSpread:
			m.spread(s, when)
		}
	}
}

func (m *merging) spread(s *ast.FragmentSpread, when condition) {
	under, possible := when.and(s.Directives)
	seen := s.Name + " " + under.String()
	if !possible || s.Definition == nil || m.spreads[seen] || !m.applies(s.Definition.TypeCondition) {
		return
	}
	m.spreads[seen] = true
	m.visit(s.Definition.SelectionSet, under)
}

func (m *merging) applies(typeCondition string) bool {
	return typeCondition == "" || slices.Contains(m.schema.PossibleTypes[typeCondition], m.object)
}

// add merges one occurrence of a field. Fields without selections below read nothing and are left out.
func (m *merging) add(f *ast.Field, when condition) {
	m.needs(m.object.Name, f.Name)
	if len(f.SelectionSet) == 0 {
		m.leaves[f.Alias] = true
	}
	if f.Definition == nil || len(f.SelectionSet) == 0 || strings.HasPrefix(f.Name, "__") {
		return
	}
	at, known := m.fields[f.Alias]
	if !known {
		m.visits += mergedVisits + (m.path+len(f.Alias))/pathVisits
		at = &merged{
			result: m.schema.Types[f.Definition.Type.Name()],
			field: &selected{
				key: f.Alias, object: m.object.Name, name: f.Name, result: f.Definition.Type.Name(),
				arguments: f.ArgumentMap, call: m.call(f),
				list:  f.Definition.Type.Elem != nil,
				below: map[string][]*selected{}, leaves: map[string]int{},
			},
		}
		m.fields[f.Alias] = at
		m.order = append(m.order, f.Alias)
	}
	at.field.when = append(at.field.when, when)
	at.occurrences = append(at.occurrences, occurrence{set: f.SelectionSet, when: when})
}
