package engine

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"time"

	"example.com/keyfirst/internal/engine/storage"
)

type createTableRequest struct {
	TableName                 string
	AttributeDefinitions      []attributeDefinition
	KeySchema                 []keySchemaElement
	BillingMode               string
	ProvisionedThroughput     *throughput
	LocalSecondaryIndexes     []indexRequest
	GlobalSecondaryIndexes    []indexRequest
	DeletionProtectionEnabled bool
	TableClass                string
}

type indexRequest struct {
	IndexName             string
	KeySchema             []keySchemaElement
	Projection            *projection
	ProvisionedThroughput *throughput
}

// createTable implements https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html. The table
// is active at once. A StreamSpecification is not acted upon, and the description shows none.
func (e *Engine) createTable(request *createTableRequest) ([]byte, error) {
	record, err := request.record()
	if err != nil {
		return nil, err
	}
	record.ID = newID()
	record.Created = unixSeconds(e.now())
	var t *table
	err = e.update(func(w *writer) error {
		if w.reader.Get(tablesSpace, []byte(record.Name)) != nil {
			return &serviceError{code: "ResourceInUseException", message: "Table already exists: " + record.Name}
		}
		t, err = w.saveTable(record)
		return err
	})
	if err != nil {
		return nil, err
	}
	return marshal(tableResponse{TableDescription: t.describe(&counts{}, statusActive)})
}

// saveTable writes the definition of a table and returns the table that it makes.
func (w *writer) saveTable(record *tableRecord) (*table, error) {
	value, err := marshal(record)
	if err != nil {
		return nil, err
	}
	w.batch.Put(tablesSpace, []byte(record.Name), value)
	return newTable(record, value), nil
}

func (request *createTableRequest) record() (*tableRecord, error) {
	name, err := tableName(request.TableName)
	if err != nil {
		return nil, err
	}
	record := &tableRecord{
		Name:                 name,
		AttributeDefinitions: request.AttributeDefinitions,
		KeySchema:            request.KeySchema,
		BillingMode:          request.BillingMode,
		Protected:            request.DeletionProtectionEnabled,
		TableClass:           request.TableClass,
	}
	if record.BillingMode == "" {
		record.BillingMode = billingProvisioned
	}
	if record.Throughput, err = record.checkThroughput(request.ProvisionedThroughput, ""); err != nil {
		return nil, err
	}
	if err := record.addIndexes(request.LocalSecondaryIndexes, true); err != nil {
		return nil, err
	}
	if err := record.addIndexes(request.GlobalSecondaryIndexes, false); err != nil {
		return nil, err
	}
	return record, record.check()
}

func (record *tableRecord) addIndexes(requests []indexRequest, local bool) error {
	for i := range requests {
		ix, err := record.newIndexRecord(&requests[i], local)
		if err != nil {
			return err
		}
		record.Indexes = append(record.Indexes, ix)
	}
	return nil
}

func (record *tableRecord) newIndexRecord(request *indexRequest, local bool) (indexRecord, error) {
	ix := indexRecord{Name: request.IndexName, Local: local, KeySchema: request.KeySchema}
	if request.Projection == nil {
		return ix, missingParameter("projection")
	}
	ix.Projection = *request.Projection
	if local {
		return ix, nil
	}
	var err error
	ix.Throughput, err = record.checkThroughput(request.ProvisionedThroughput, ix.Name)
	return ix, err
}

// newID is a random UUID, as the service has for TableId.
func newID() string {
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails
	id[6] = id[6]&0x0F | 0x40
	id[8] = id[8]&0x3F | 0x80
	text := hex.EncodeToString(id[:])
	return fmt.Sprintf("%s-%s-%s-%s-%s", text[:8], text[8:12], text[12:16], text[16:20], text[20:])
}

func unixSeconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }

type deleteTableRequest struct{ TableName string }

// deleteTable implements https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DeleteTable.html. The table
// is gone at once.
func (e *Engine) deleteTable(request *deleteTableRequest) ([]byte, error) {
	name, err := tableName(request.TableName)
	if err != nil {
		return nil, err
	}
	var description *tableDescription
	err = e.update(func(w *writer) error {
		t, err := w.catalog.table(w.reader, name)
		if err != nil {
			return namedTableNotFound(name)
		}
		if t.record.Protected {
			return validation("Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.")
		}
		c, err := readCounts(w.reader, t.record.ID)
		if err != nil {
			return err
		}
		description = t.describe(c, statusDeleting)
		dropTable(w.batch, t)
		return nil
	})
	if err != nil {
		return nil, err
	}
	e.catalog.forget(name)
	return marshal(tableResponse{TableDescription: description})
}

func dropTable(b *storage.Batch, t *table) {
	b.Delete(tablesSpace, []byte(t.record.Name))
	b.Delete(countsSpace, []byte(t.record.ID))
	b.Drop(t.space)
	b.Drop(expirySpace(t.record.ID))
	for _, ix := range t.indexes {
		b.Drop(ix.space)
	}
}
