package engine

import (
	"bytes"

	"example.com/keyfirst/internal/engine/storage"
)

// Statuses of time to live.
const (
	ttlEnabled  = "ENABLED"
	ttlDisabled = "DISABLED"
)

type timeToLiveSpecification struct {
	AttributeName string
	Enabled       bool
}

type updateTimeToLiveRequest struct {
	TableName               string
	TimeToLiveSpecification *timeToLiveSpecification
}

type updateTimeToLiveResponse struct{ TimeToLiveSpecification *timeToLiveSpecification }

// updateTimeToLive implements https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTimeToLive.html.
// It takes effect at once.
func (e *Engine) updateTimeToLive(request *updateTimeToLiveRequest) ([]byte, error) {
	name, err := tableName(request.TableName)
	if err != nil {
		return nil, err
	}
	spec := request.TimeToLiveSpecification
	switch {
	case spec == nil:
		return nil, missingParameter("timeToLiveSpecification")
	case spec.AttributeName == "":
		return nil, constraint("''", "timeToLiveSpecification.attributeName", "Member must have length greater than or equal to 1")
	}
	err = e.update(func(w *writer) error {
		t, err := w.catalog.existing(w.reader, name)
		if err != nil {
			return err
		}
		return w.changeTimeToLive(t, spec)
	})
	if err != nil {
		return nil, err
	}
	return marshal(updateTimeToLiveResponse{spec})
}

func (w *writer) changeTimeToLive(old *table, spec *timeToLiveSpecification) error {
	current := old.record.TimeToLive
	switch {
	case spec.Enabled && current == spec.AttributeName:
		return validation("TimeToLive is already enabled")
	case spec.Enabled && current != "":
		return validation("TimeToLive is active on a different AttributeName: current AttributeName is " + current)
	case !spec.Enabled && current == "":
		return validation("TimeToLive is already disabled")
	case !spec.Enabled && current != spec.AttributeName:
		return validation("TimeToLive is active on a different AttributeName: current AttributeName is " + current)
	}
	record := *old.record
	record.TimeToLive = ""
	if spec.Enabled {
		record.TimeToLive = spec.AttributeName
	}
	t, err := w.saveTable(&record)
	if err != nil {
		return err
	}
	if !spec.Enabled {
		w.batch.Drop(expirySpace(record.ID))
		return nil
	}
	return w.fillExpiry(t)
}

// fillExpiry orders the items that are there by their expiry.
func (w *writer) fillExpiry(t *table) error {
	for key, value := range w.reader.Range(t.space, nil, nil, false) {
		s, err := decodeStored(value)
		if err != nil {
			return err
		}
		item, err := s.item()
		if err != nil {
			return err
		}
		if at := expiryKey(t, &version{item: item}, bytes.Clone(key)); at != nil {
			w.batch.Put(expirySpace(t.record.ID), at, []byte{})
		}
	}
	return nil
}

type describeTimeToLiveRequest struct{ TableName string }

type timeToLiveDescription struct {
	TimeToLiveStatus string
	AttributeName    string `json:",omitempty"`
}

type describeTimeToLiveResponse struct{ TimeToLiveDescription timeToLiveDescription }

// describeTimeToLive implements
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeTimeToLive.html.
func (e *Engine) describeTimeToLive(request *describeTimeToLiveRequest) ([]byte, error) {
	name, err := tableName(request.TableName)
	if err != nil {
		return nil, err
	}
	var t *table
	err = e.store.View(func(r storage.Reader) (err error) {
		t, err = e.catalog.existing(r, name)
		return err
	})
	if err != nil {
		return nil, err
	}
	description := timeToLiveDescription{TimeToLiveStatus: ttlDisabled}
	if t.record.TimeToLive != "" {
		description = timeToLiveDescription{ttlEnabled, t.record.TimeToLive}
	}
	return marshal(describeTimeToLiveResponse{description})
}
