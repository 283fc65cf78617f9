package app

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/internal/config"
	"example.com/keyfirst/internal/demo"
	"example.com/keyfirst/internal/engine"
)

// store is the table and what has to be closed after its use.
type store struct {
	client *dynamodb.Client
	table  *dal.Table
	name   string
	close  func() error
}

// openStore opens the engine, or makes the client of one elsewhere. It sends no request to the table.
func openStore(ctx context.Context, cfg Config) (*store, error) {
	s := &store{name: cfg.Store.Table, close: func() error { return nil }}
	var err error
	switch cfg.Store.Kind {
	case config.StoreEmbedded:
		err = s.embed(cfg)
	case config.StoreEndpoint:
		s.client, err = newEndpointClient(ctx, cfg.Store, cfg.Logger)
	case config.StoreAWS:
		s.client, err = newServiceClient(ctx, cfg.Store, cfg.Logger)
	}
	if err != nil {
		return nil, err
	}
	s.table = dal.New(s.client, dal.Config{Name: cfg.Store.Table, Clock: cfg.Clock})
	return s, nil
}

// embed makes a client of the engine that was given, or else of one of its own.
func (s *store) embed(cfg Config) error {
	if cfg.Engine != nil {
		s.client = newEmbeddedClient(cfg.Engine, cfg.Logger)
		return nil
	}
	e, err := engine.Open(engine.Config{Path: cfg.Store.Path, Latency: cfg.Store.Latency, Clock: cfg.Clock})
	if err != nil {
		return fmt.Errorf("the data cannot be opened: %w", err)
	}
	s.client, s.close = newEmbeddedClient(e, cfg.Logger), e.Close
	return nil
}

// settingsItems is how many items a table has that holds nothing but its settings.
const settingsItems = 1

// fillDemo loads the demo into a table that is empty. Once begun it is not given up, because a part of a demo would
// pass for data at the next start. The embedded engine counts items exactly.
func (s *store) fillDemo(ctx context.Context) error {
	out, err := s.client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &s.name})
	if err != nil {
		return fmt.Errorf("the table %s cannot be described: %w", s.name, err)
	}
	if out.Table == nil {
		return errors.New("the engine describes no table")
	}
	if aws.ToInt64(out.Table.ItemCount) > settingsItems {
		return nil
	}
	return demo.Load(context.WithoutCancel(ctx), s.table)
}
