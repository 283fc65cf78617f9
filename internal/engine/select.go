package engine

import (
	"slices"
	"strings"

	"example.com/keyfirst/internal/engine/attr"
	"example.com/keyfirst/internal/engine/expr"
	"example.com/keyfirst/internal/engine/storage"
)

// Values of Select.
const (
	selectAll       = "ALL_ATTRIBUTES"
	selectProjected = "ALL_PROJECTED_ATTRIBUTES"
	selectSpecific  = "SPECIFIC_ATTRIBUTES"
	selectCount     = "COUNT"
)

// readParameters are what Query and Scan have in common.
type readParameters struct {
	placeholderMaps
	legacyParameters
	TableName              string
	IndexName              *string
	ConsistentRead         bool
	ExclusiveStartKey      attr.Item
	FilterExpression       *string
	ProjectionExpression   *string
	Limit                  *int
	Select                 string
	ReturnConsumedCapacity string
}

// reading is a Query or Scan with its expressions parsed, not yet looked at its table.
type reading struct {
	*readParameters
	table      string
	filter     *expr.Predicate
	projection *expr.Selection
}

func (p *readParameters) check() (name string, err error) {
	if err := p.refuse(); err != nil {
		return "", err
	}
	if err := checkCapacityMode(p.ReturnConsumedCapacity); err != nil {
		return "", err
	}
	if p.Limit != nil && *p.Limit < 1 {
		return "", constraint("'"+itoa(*p.Limit)+"'", "limit", "Member must have value greater than or equal to 1")
	}
	return tableName(p.TableName)
}

func (p *readParameters) parse(name string, holders *expr.Placeholders) (*reading, error) {
	r := &reading{readParameters: p, table: name}
	var err error
	if r.filter, err = optionalPredicate(expr.Filter, p.FilterExpression, holders); err != nil {
		return nil, err
	}
	if r.projection, err = optionalProjection(p.ProjectionExpression, holders); err != nil {
		return nil, err
	}
	if err := holders.CheckUsed(); err != nil {
		return nil, err
	}
	return r, r.checkSelect()
}

func (r *reading) checkSelect() error {
	switch r.Select {
	case "":
		return nil
	case selectSpecific:
		if r.projection == nil {
			return validation("Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES")
		}
		return nil
	case selectProjected:
		if r.IndexName == nil {
			return validation("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName")
		}
	case selectAll, selectCount:
	default:
		return constraint("'"+r.Select+"'", "select", "Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]")
	}
	if r.projection != nil {
		what := r.Select
		if what == selectCount {
			what = "only the Count"
		}
		return validation("Cannot specify the ProjectionExpression when choosing to get " + what)
	}
	return nil
}

// page starts the page that the request asks for; its range is for the caller.
func (r *reading) page(c *catalog, store storage.Reader) (*page, error) {
	t, err := c.table(store, r.table)
	if err != nil {
		return nil, err
	}
	p := &page{
		table: t, consistent: r.ConsistentRead, filter: r.filter, projection: r.projection,
		countOnly: r.Select == selectCount,
	}
	if r.Limit != nil {
		p.limit = *r.Limit
	}
	if r.IndexName == nil {
		return p, nil
	}
	if p.index = t.index(*r.IndexName); p.index == nil {
		return nil, validation("The table does not have the specified index: " + *r.IndexName)
	}
	if r.ConsistentRead && !p.index.record.Local {
		return nil, validation("Consistent reads are not supported on global secondary indexes")
	}
	return p, r.checkProjected(p)
}

// checkProjected sees to attributes that the index does not have: a local index fetches them, a global one cannot.
func (r *reading) checkProjected(p *page) error {
	if p.index.projected == nil {
		return nil
	}
	name := p.index.record.Name
	if r.filter != nil {
		if missing := p.index.lacks(r.filter.Attributes()); len(missing) > 0 {
			return invalidParameter("Secondary index " + name + " does not project one or more filter attributes: [" + strings.Join(missing, ", ") + "]")
		}
	}
	var missing []string
	if r.projection != nil {
		missing = p.index.lacks(r.projection.Attributes())
	}
	switch {
	case p.index.record.Local:
		p.wholeItems = r.Select == selectAll || len(missing) > 0
	case r.Select == selectAll:
		return invalidParameter("Select type ALL_ATTRIBUTES is not supported for global secondary index " + name + " because its projection type is not ALL")
	case len(missing) > 0:
		return invalidParameter("Global secondary index " + name + " does not project [" + strings.Join(missing, ", ") + "]")
	}
	return nil
}

// lacks lists those of the attributes that the index does not hold.
func (ix *index) lacks(attributes []string) []string {
	projected := ix.projected.Attributes()
	missing := slices.DeleteFunc(slices.Clone(attributes), func(name string) bool { return slices.Contains(projected, name) })
	slices.Sort(missing)
	return slices.Compact(missing)
}
