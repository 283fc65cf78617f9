package patterns

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
)

func header() []string {
	return []string{"pattern", "fields", "request", "key", "rounds", "cost at most", "consistency"}
}

func (r Row) cells() []string {
	return []string{
		r.Pattern, strings.Join(r.Fields, ", "), r.Request, r.Key, strconv.Itoa(r.Rounds), r.Cost, r.Consistency,
	}
}

// Text writes the rows in aligned columns.
func Text(w io.Writer, rows []Row) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	lines := []string{strings.Join(header(), "\t")}
	for _, r := range rows {
		lines = append(lines, strings.Join(r.cells(), "\t"))
	}
	if _, err := fmt.Fprintln(table, strings.Join(lines, "\n")); err != nil {
		return err
	}
	return table.Flush()
}

// JSON writes the rows as a list of objects.
func JSON(w io.Writer, rows []Row) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(rows)
}

// Markdown is the rows as a table of Markdown.
func Markdown(rows []Row) string {
	var text strings.Builder
	line := func(cells []string) {
		for i, cell := range cells {
			cells[i] = strings.ReplaceAll(cell, "|", `\|`) // a bar ends a cell, also within backquotes
		}
		text.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	line(header())
	line(strings.Split(strings.Repeat("---,", len(header())-1)+"---", ","))
	for _, r := range rows {
		cells := r.cells()
		cells[0], cells[3] = "`"+cells[0]+"`", "`"+cells[3]+"`"
		cells[1] = "`" + strings.Join(r.Fields, "`, `") + "`"
		line(cells)
	}
	return text.String()
}

// The marks between which Replace works.
const (
	begin = "<!-- access patterns: begin (generated) -->\n"
	end   = "<!-- access patterns: end -->"
)

// Replace puts the table into a page of Markdown, between its marks.
func Replace(page string, rows []Row) (string, error) {
	before, rest, ok := strings.Cut(page, begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return "", fmt.Errorf("the page has no marks %q and %q", begin, end)
	}
	return before + begin + "\n" + Markdown(rows) + "\n" + end + after, nil
}
