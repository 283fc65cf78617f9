package plan

import (
	"errors"
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"example.com/keyfirst/dal"
)

// Check says where the schema and this package disagree: every field with @access must name patterns of dal's
// catalogue and have its reads or its write in fields.go; and every field there must carry @access.
func Check(schema *ast.Schema) error {
	known := map[string]bool{}
	for _, a := range dal.Catalogue() {
		known[string(a.Pattern)] = true
	}
	reads := map[string]bool{}
	for name := range fields() {
		reads[name] = true
	}
	for name := range writes() {
		reads[name] = true
	}
	var faults []error
	for _, object := range schema.Types {
		for _, f := range object.Fields {
			name := object.Name + "." + f.Name
			faults = append(faults, checkField(name, f, known, reads[name])...)
			delete(reads, name)
		}
	}
	for name := range reads {
		faults = append(faults, fmt.Errorf("the schema has no field %s", name))
	}
	slices.SortFunc(faults, func(a, b error) int { return slices.Compare([]string{a.Error()}, []string{b.Error()}) })
	return errors.Join(faults...)
}

func checkField(name string, f *ast.FieldDefinition, known map[string]bool, reads bool) (faults []error) {
	patterns := f.Directives.ForNames("access")
	for _, d := range patterns {
		if p := d.Arguments.ForName("pattern").Value.Raw; !known[p] {
			faults = append(faults, fmt.Errorf("%s names the unknown pattern %q", name, p))
		}
	}
	switch {
	case len(patterns) > 0 && !reads:
		faults = append(faults, fmt.Errorf("%s carries @access but plans nothing", name))
	case len(patterns) == 0 && reads:
		faults = append(faults, fmt.Errorf("%s reads or writes without @access", name))
	}
	return faults
}
