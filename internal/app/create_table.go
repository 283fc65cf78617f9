package app

import (
	"context"
	"errors"
	"fmt"
	"io"

	"example.com/keyfirst/internal/config"
)

// createTable makes the table and says what there is now.
func createTable(ctx context.Context, c config.CreateTable, out io.Writer) (err error) {
	s, err := openStore(ctx, Config{Serve: config.Serve{Store: c.Store}}.withDefaults())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if err := s.table.Create(ctx, c.Store.Shards); err != nil {
		return fmt.Errorf("the table %s cannot be made: %w", s.name, err)
	}
	_, err = fmt.Fprintf(out, "The table %s is ready. %s\n", s.name, shardsText(s.table.Shards(), c.Store.Shards))
	return err
}

// shardsText tells a user who asked for another number of shards that an old table keeps its own.
func shardsText(got, asked int) string {
	text := fmt.Sprintf("Shards of a warehouse's open orders: %d", got)
	if got != asked {
		return fmt.Sprintf("%s, not %d: it was made before.", text, asked)
	}
	return text + "."
}
