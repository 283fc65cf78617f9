package plan

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"example.com/keyfirst/dal"
)

// Check says where the schema, dal's catalogue and this package disagree: every field with @access must name patterns
// of the catalogue and have its reads or its write in fields.go; every field there must carry @access; and every
// pattern of the catalogue must be named by a field.
func Check(schema *ast.Schema) error {
	unused := map[string]bool{} // the patterns of the catalogue; true until a field names it
	for _, a := range dal.Catalogue() {
		unused[string(a.Pattern)] = true
	}
	planned := map[string]bool{} // the fields of fields.go that the schema did not show yet
	for name := range fields() {
		planned[name] = true
	}
	for name := range writes() {
		planned[name] = true
	}
	var faults []error
	for _, object := range schema.Types {
		for _, f := range object.Fields {
			name := object.Name + "." + f.Name
			faults = append(faults, checkField(name, f, unused, planned[name])...)
			delete(planned, name)
		}
	}
	for name := range planned {
		faults = append(faults, fmt.Errorf("the schema has no field %s", name))
	}
	for pattern, is := range unused {
		if is {
			faults = append(faults, fmt.Errorf("no field of the schema names the pattern %q of dal's catalogue", pattern))
		}
	}
	slices.SortFunc(faults, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(faults...)
}

// checkField checks one field, and takes the patterns that it names for used.
func checkField(name string, f *ast.FieldDefinition, unused map[string]bool, planned bool) (faults []error) {
	directives := f.Directives.ForNames("access")
	for _, d := range directives {
		p := d.Arguments.ForName("pattern").Value.Raw
		if _, known := unused[p]; !known {
			faults = append(faults, fmt.Errorf("%s names the unknown pattern %q", name, p))
			continue
		}
		unused[p] = false
	}
	switch {
	case len(directives) > 0 && !planned:
		faults = append(faults, fmt.Errorf("%s carries @access but plans nothing", name))
	case len(directives) == 0 && planned:
		faults = append(faults, fmt.Errorf("%s reads or writes without @access", name))
	}
	return faults
}
