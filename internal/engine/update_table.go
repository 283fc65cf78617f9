package engine

import (
	"bytes"
	"encoding/json"
	"slices"
)

type updateTableRequest struct {
	TableName                   string
	AttributeDefinitions        []attributeDefinition
	BillingMode                 string
	ProvisionedThroughput       *throughput
	DeletionProtectionEnabled   *bool
	TableClass                  string
	GlobalSecondaryIndexUpdates []indexUpdate
	ReplicaUpdates              json.RawMessage
	StreamSpecification         json.RawMessage
}

type indexUpdate struct {
	Create *indexRequest
	Update *indexThroughput
	Delete *struct{ IndexName string }
}

type indexThroughput struct {
	IndexName             string
	ProvisionedThroughput *throughput
}

// updateTable implements https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html. A new
// index is complete when the request returns.
func (e *Engine) updateTable(request *updateTableRequest) ([]byte, error) {
	name, err := request.check()
	if err != nil {
		return nil, err
	}
	var description *tableDescription
	err = e.update(func(w *writer) error {
		t, err := w.catalog.existing(w.reader, name)
		if err != nil {
			return err
		}
		description, err = w.changeTable(t, request)
		return err
	})
	if err != nil {
		return nil, err
	}
	return marshal(tableResponse{TableDescription: description})
}

func (request *updateTableRequest) check() (name string, err error) {
	if len(request.ReplicaUpdates) > 0 || len(request.StreamSpecification) > 0 {
		return "", validation("Streams and replicas are not supported")
	}
	if request.changesNothing() {
		return "", validation("At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required")
	}
	created := 0
	for _, u := range request.GlobalSecondaryIndexUpdates {
		if u.Create != nil || u.Delete != nil {
			created++
		}
	}
	if created > 1 {
		return "", &serviceError{code: "LimitExceededException", message: "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table"}
	}
	return tableName(request.TableName)
}

func (request *updateTableRequest) changesNothing() bool {
	return request.BillingMode == "" && request.ProvisionedThroughput == nil && request.DeletionProtectionEnabled == nil &&
		request.TableClass == "" && len(request.GlobalSecondaryIndexUpdates) == 0
}

// changeTable changes the definition, and builds or drops the index that it is about.
func (w *writer) changeTable(old *table, request *updateTableRequest) (*tableDescription, error) {
	record := *old.record
	record.Indexes = slices.Clone(record.Indexes)
	if err := request.changeSettings(&record); err != nil {
		return nil, err
	}
	for _, u := range request.GlobalSecondaryIndexUpdates {
		if err := u.change(&record); err != nil {
			return nil, err
		}
	}
	record.defineAttributes(request.AttributeDefinitions)
	if err := record.check(); err != nil {
		return nil, err
	}
	t, err := w.saveTable(&record)
	if err != nil {
		return nil, err
	}
	c, err := w.tableCounts(t)
	if err != nil {
		return nil, err
	}
	for _, u := range request.GlobalSecondaryIndexUpdates {
		switch {
		case u.Create != nil:
			err = w.fillIndex(t, t.index(u.Create.IndexName), c)
		case u.Delete != nil:
			w.batch.Drop(old.index(u.Delete.IndexName).space)
			delete(c.Indexes, u.Delete.IndexName)
		}
		if err != nil {
			return nil, err
		}
	}
	return t.describe(c, statusActive), nil
}

func (request *updateTableRequest) changeSettings(record *tableRecord) (err error) {
	if request.BillingMode != "" {
		record.BillingMode = request.BillingMode
	}
	if request.BillingMode != "" || request.ProvisionedThroughput != nil {
		if record.Throughput, err = record.checkThroughput(request.ProvisionedThroughput, ""); err != nil {
			return err
		}
	}
	if request.DeletionProtectionEnabled != nil {
		record.Protected = *request.DeletionProtectionEnabled
	}
	if request.TableClass != "" {
		record.TableClass = request.TableClass
	}
	return nil
}

func (u *indexUpdate) change(record *tableRecord) error {
	find := func(name string) (int, error) {
		i := slices.IndexFunc(record.Indexes, func(ix indexRecord) bool { return ix.Name == name && !ix.Local })
		if i < 0 {
			return 0, &serviceError{code: "ResourceNotFoundException", message: "Requested resource not found: Index: " + name + " not found"}
		}
		return i, nil
	}
	switch {
	case u.Create != nil:
		ix, err := record.newIndexRecord(u.Create, false)
		record.Indexes = append(record.Indexes, ix)
		return err
	case u.Delete != nil:
		i, err := find(u.Delete.IndexName)
		if err == nil {
			record.Indexes = slices.Delete(record.Indexes, i, i+1)
		}
		return err
	case u.Update != nil:
		i, err := find(u.Update.IndexName)
		if err == nil {
			record.Indexes[i].Throughput, err = record.checkThroughput(u.Update.ProvisionedThroughput, u.Update.IndexName)
		}
		return err
	}
	return validation("At least one of Create, Update or Delete must be given for a global secondary index")
}

// defineAttributes keeps the definitions that keys need and adds new ones.
func (record *tableRecord) defineAttributes(added []attributeDefinition) {
	needed := map[string]bool{}
	for _, k := range record.KeySchema {
		needed[k.AttributeName] = true
	}
	for _, ix := range record.Indexes {
		for _, k := range ix.KeySchema {
			needed[k.AttributeName] = true
		}
	}
	defined := map[string]bool{}
	all := slices.Concat(record.AttributeDefinitions, added)
	record.AttributeDefinitions = slices.DeleteFunc(all, func(d attributeDefinition) bool {
		drop := !needed[d.AttributeName] || defined[d.AttributeName]
		defined[d.AttributeName] = true
		return drop
	})
}

// fillIndex makes the entries of a new index from all items. An item whose attributes cannot be keys of the index has
// no entry.
func (w *writer) fillIndex(t *table, ix *index, c *counts) error {
	for _, value := range w.reader.Range(t.space, nil, nil, false) {
		s, err := decodeStored(bytes.Clone(value))
		if err != nil {
			return err
		}
		item, err := s.item()
		if err != nil {
			return err
		}
		if ix.misfit(t, item) == nil {
			w.putEntry(ix, nil, ix.entry(&version{item, s}), c)
		}
	}
	return nil
}
