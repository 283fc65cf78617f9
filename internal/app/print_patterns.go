package app

import (
	"io"

	"example.com/keyfirst/internal/config"
	"example.com/keyfirst/internal/patterns"
)

// printPatterns prints the access patterns.
func printPatterns(c config.Patterns, out io.Writer) error {
	rows := patterns.Rows(builtInSchema())
	switch c.Format {
	case config.FormatMarkdown:
		_, err := io.WriteString(out, patterns.Markdown(rows))
		return err
	case config.FormatJSON:
		return patterns.JSON(out, rows)
	case config.FormatText:
	}
	return patterns.Text(out, rows)
}
