package main

import (
	"fmt"
	"os"
	"path/filepath"

	"example.com/keyfirst/graph"
	"example.com/keyfirst/internal/patterns"
)

func main() {
	if err := run(filepath.Join("..", "..")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run rewrites the pages of the project whose root it is given.
func run(root string) error {
	schema := graph.NewExecutableSchema(graph.Config{}).Schema()
	for _, name := range []string{"README.md", filepath.Join("docs", "access-patterns.md")} {
		path := filepath.Join(root, name)
		page, err := os.ReadFile(path) //nolint:gosec // a fixed file of the project
		if err != nil {
			return err
		}
		written, err := patterns.Replace(string(page), patterns.Rows(schema))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := os.WriteFile(path, []byte(written), 0o644); err != nil { //nolint:gosec // a page for everybody
			return err
		}
	}
	return nil
}
