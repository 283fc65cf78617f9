package engine

import (
	"example.com/keyfirst/internal/engine/order"
	"example.com/keyfirst/internal/engine/storage"
)

const (
	statusActive   = "ACTIVE"
	statusDeleting = "DELETING"
	arnPrefix      = "arn:aws:dynamodb:local:000000000000:table/"
)

type tableResponse struct {
	TableDescription *tableDescription `json:",omitempty"`
	Table            *tableDescription `json:",omitempty"`
}

type tableDescription struct {
	TableName                 string
	TableID                   string `json:"TableId"`
	TableARN                  string `json:"TableArn"`
	TableStatus               string
	CreationDateTime          float64
	AttributeDefinitions      []attributeDefinition
	KeySchema                 []keySchemaElement
	BillingModeSummary        *billingSummary `json:",omitempty"`
	ProvisionedThroughput     throughputDescription
	ItemCount                 int64
	TableSizeBytes            int64
	LocalSecondaryIndexes     []indexDescription `json:",omitempty"`
	GlobalSecondaryIndexes    []indexDescription `json:",omitempty"`
	DeletionProtectionEnabled bool
	TableClassSummary         *tableClassSummary `json:",omitempty"`
}

type billingSummary struct{ BillingMode string }

type tableClassSummary struct{ TableClass string }

type throughputDescription struct {
	NumberOfDecreasesToday int
	throughput
}

type indexDescription struct {
	IndexName             string
	IndexARN              string `json:"IndexArn"`
	IndexStatus           string `json:",omitempty"`
	KeySchema             []keySchemaElement
	Projection            projection
	ProvisionedThroughput *throughputDescription `json:",omitempty"`
	ItemCount             int64
	IndexSizeBytes        int64
}

func (t *table) describe(c *counts, status string) *tableDescription {
	record := t.record
	d := &tableDescription{
		TableName:                 record.Name,
		TableID:                   record.ID,
		TableARN:                  arnPrefix + record.Name,
		TableStatus:               status,
		CreationDateTime:          record.Created,
		AttributeDefinitions:      record.AttributeDefinitions,
		KeySchema:                 record.KeySchema,
		ProvisionedThroughput:     throughputDescription{throughput: record.Throughput},
		ItemCount:                 c.Items,
		TableSizeBytes:            c.Bytes,
		DeletionProtectionEnabled: record.Protected,
	}
	if record.BillingMode == billingOnDemand {
		d.BillingModeSummary = &billingSummary{record.BillingMode}
	}
	if record.TableClass != "" {
		d.TableClassSummary = &tableClassSummary{record.TableClass}
	}
	for i := range record.Indexes {
		ix := record.Indexes[i].describe(d.TableARN, c, status)
		if record.Indexes[i].Local {
			d.LocalSecondaryIndexes = append(d.LocalSecondaryIndexes, ix)
		} else {
			d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, ix)
		}
	}
	return d
}

func (record *indexRecord) describe(tableARN string, c *counts, status string) indexDescription {
	of := c.index(record.Name)
	d := indexDescription{
		IndexName:      record.Name,
		IndexARN:       tableARN + "/index/" + record.Name,
		KeySchema:      record.KeySchema,
		Projection:     record.Projection,
		ItemCount:      of.Items,
		IndexSizeBytes: of.Bytes,
	}
	if !record.Local {
		d.IndexStatus = status
		d.ProvisionedThroughput = &throughputDescription{throughput: record.Throughput}
	}
	return d
}

type describeTableRequest struct{ TableName string }

// describeTable implements https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeTable.html. Its
// counts are exact.
func (e *Engine) describeTable(request *describeTableRequest) ([]byte, error) {
	name, err := tableName(request.TableName)
	if err != nil {
		return nil, err
	}
	var response []byte
	err = e.store.View(func(r storage.Reader) error {
		t, err := e.catalog.existing(r, name)
		if err != nil {
			return err
		}
		c, err := readCounts(r, t.record.ID)
		if err != nil {
			return err
		}
		response, err = marshal(tableResponse{Table: t.describe(c, statusActive)})
		return err
	})
	return response, err
}

// existing is the table; the error of the operations on tables names the one that is missing.
func (c *catalog) existing(r storage.Reader, name string) (*table, error) {
	if r.Get(tablesSpace, []byte(name)) == nil {
		return nil, namedTableNotFound(name)
	}
	return c.table(r, name)
}

// maxListed is the most names that ListTables returns at once.
const maxListed = 100

type listTablesRequest struct {
	ExclusiveStartTableName *string
	Limit                   *int
}

type listTablesResponse struct {
	TableNames             []string
	LastEvaluatedTableName string `json:",omitempty"`
}

// listTables implements https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ListTables.html.
func (e *Engine) listTables(request *listTablesRequest) ([]byte, error) {
	limit := maxListed
	if request.Limit != nil {
		limit = *request.Limit
	}
	if limit < 1 || limit > maxListed {
		return nil, constraint("'"+itoa(limit)+"'", "limit", "Member must have value between 1 and 100")
	}
	var from []byte
	if request.ExclusiveStartTableName != nil {
		from = order.After([]byte(*request.ExclusiveStartTableName))
	}
	response := listTablesResponse{TableNames: []string{}}
	err := e.store.View(func(r storage.Reader) error {
		for name := range r.Range(tablesSpace, from, nil, false) {
			if len(response.TableNames) == limit {
				response.LastEvaluatedTableName = response.TableNames[limit-1]
				break
			}
			response.TableNames = append(response.TableNames, string(name))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return marshal(response)
}
