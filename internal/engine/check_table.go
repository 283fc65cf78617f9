package engine

import (
	"slices"
	"strings"

	"example.com/keyfirst/internal/engine/attr"
)

// Limits of tables
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-secondary-indexes).
const (
	maxLocalIndexes     = 5
	maxGlobalIndexes    = 20
	maxIncluded         = 100 // NonKeyAttributes of all indexes together
	maxIncludedPerIndex = 20
)

// check checks the definition of a table as a whole.
func (record *tableRecord) check() error {
	kinds, err := record.definedKinds()
	if err != nil {
		return err
	}
	if err := checkKeySchema(record.KeySchema, kinds); err != nil {
		return err
	}
	if err := record.checkIndexCounts(); err != nil {
		return err
	}
	names := map[string]bool{}
	for i := range record.Indexes {
		ix := &record.Indexes[i]
		if names[ix.Name] {
			return invalidParameter("Duplicate index name: " + ix.Name)
		}
		names[ix.Name] = true
		if err := record.checkIndex(ix, kinds); err != nil {
			return err
		}
	}
	return record.checkAllUsed(kinds)
}

func (record *tableRecord) definedKinds() (map[string]attr.Kind, error) {
	kinds := map[string]attr.Kind{}
	for _, d := range record.AttributeDefinitions {
		kind := attr.KindOf(d.AttributeType)
		if !kind.IsScalarKey() {
			return nil, constraint("'"+d.AttributeType+"'", "attributeDefinitions.member.attributeType", "Member must satisfy enum value set: [B, N, S]")
		}
		if d.AttributeName == "" || len(d.AttributeName) > 255 {
			return nil, constraint("'"+d.AttributeName+"'", "attributeDefinitions.member.attributeName", "Member must have length between 1 and 255")
		}
		if _, twice := kinds[d.AttributeName]; twice {
			return nil, invalidParameter("Duplicate AttributeName in AttributeDefinitions: " + d.AttributeName)
		}
		kinds[d.AttributeName] = kind
	}
	return kinds, nil
}

func checkKeySchema(keys []keySchemaElement, kinds map[string]attr.Kind) error {
	switch {
	case len(keys) == 0:
		return missingParameter("keySchema")
	case len(keys) > 2:
		return constraint("'[...]'", "keySchema", "Member must have length less than or equal to 2")
	case keys[0].KeyType != hashKey:
		return validation("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")
	case len(keys) == 2 && keys[1].KeyType != rangeKey:
		return validation("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type")
	case len(keys) == 2 && keys[0].AttributeName == keys[1].AttributeName:
		return validation("Both the Hash Key and the Range Key element in the KeySchema have the same name")
	}
	for _, k := range keys {
		if _, ok := kinds[k.AttributeName]; !ok {
			return invalidParameter("Some index key attributes are not defined in AttributeDefinitions. Keys: [" + k.AttributeName +
				"], AttributeDefinitions: [" + strings.Join(sortedNames(kinds), ", ") + "]")
		}
	}
	return nil
}

func sortedNames(kinds map[string]attr.Kind) []string {
	names := make([]string, 0, len(kinds))
	for name := range kinds {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (record *tableRecord) checkIndexCounts() error {
	local, included := 0, 0
	for _, ix := range record.Indexes {
		if ix.Local {
			local++
		}
		included += len(ix.Projection.NonKeyAttributes)
	}
	switch {
	case local > maxLocalIndexes:
		return invalidParameter("Number of LocalSecondaryIndexes exceeds per-table limit of 5")
	case len(record.Indexes)-local > maxGlobalIndexes:
		return invalidParameter("GlobalSecondaryIndex count exceeds the per-table limit of 20")
	case included > maxIncluded:
		return invalidParameter("Number of NonKeyAttributes exceeds the limit of 100")
	}
	return nil
}

func (record *tableRecord) checkIndex(ix *indexRecord, kinds map[string]attr.Kind) error {
	if len(ix.Name) < 3 || len(ix.Name) > 255 || !isName(ix.Name) {
		return validation("Invalid table/index name.  Table/index names must be between 3 and 255 characters long, " +
			"and may contain only the characters a-z, A-Z, 0-9, '_', '-', and '.'")
	}
	if err := checkKeySchema(ix.KeySchema, kinds); err != nil {
		return err
	}
	if ix.Local {
		if err := record.checkLocal(ix); err != nil {
			return err
		}
	}
	return ix.Projection.check()
}

func (record *tableRecord) checkLocal(ix *indexRecord) error {
	switch {
	case len(record.KeySchema) < 2:
		return invalidParameter("Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex")
	case len(ix.KeySchema) < 2:
		return invalidParameter("Index KeySchema does not have a range key for index: " + ix.Name)
	case ix.KeySchema[0].AttributeName != record.KeySchema[0].AttributeName:
		return invalidParameter("Index KeySchema must have the same leading hash key as table KeySchema for index: " + ix.Name)
	}
	return nil
}

func (p *projection) check() error {
	switch p.ProjectionType {
	case projectAll, projectKeysOnly:
		if len(p.NonKeyAttributes) > 0 {
			return invalidParameter("ProjectionType is " + p.ProjectionType + ", but NonKeyAttributes is specified")
		}
	case projectInclude:
		if len(p.NonKeyAttributes) == 0 {
			return invalidParameter("ProjectionType is INCLUDE, but NonKeyAttributes is not specified")
		}
		if len(p.NonKeyAttributes) > maxIncludedPerIndex {
			return constraint("'[...]'", "projection.nonKeyAttributes", "Member must have length less than or equal to 20")
		}
	case "":
		return invalidParameter("Unknown ProjectionType: null")
	default:
		return constraint("'"+p.ProjectionType+"'", "projection.projectionType", "Member must satisfy enum value set: [ALL, INCLUDE, KEYS_ONLY]")
	}
	return nil
}

// checkAllUsed refuses the definition of an attribute that no key schema has.
func (record *tableRecord) checkAllUsed(kinds map[string]attr.Kind) error {
	used := map[string]bool{}
	for _, k := range record.KeySchema {
		used[k.AttributeName] = true
	}
	for _, ix := range record.Indexes {
		for _, k := range ix.KeySchema {
			used[k.AttributeName] = true
		}
	}
	if len(used) != len(kinds) {
		return invalidParameter("Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions")
	}
	return nil
}

// checkThroughput checks the throughput of a table, or of the index named, against the billing mode.
func (record *tableRecord) checkThroughput(given *throughput, indexName string) (throughput, error) {
	of := ""
	if indexName != "" {
		of = " for index: " + indexName
	}
	switch record.BillingMode {
	case billingOnDemand:
		if given != nil {
			return throughput{}, invalidParameter("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST" + of)
		}
		return throughput{}, nil
	case billingProvisioned:
	default:
		return throughput{}, constraint("'"+record.BillingMode+"'", "billingMode", "Member must satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]")
	}
	if given == nil {
		return throughput{}, invalidParameter("ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED" + of)
	}
	if given.ReadCapacityUnits < 1 || given.WriteCapacityUnits < 1 {
		return throughput{}, constraint("'0'", "provisionedThroughput", "Member must have value greater than or equal to 1")
	}
	return *given, nil
}
