package explain

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/keyfirst/plan"
)

// Text writes the explanations for people: a table of each operation, its fields as a tree.
func Text(w io.Writer, explanations []Explanation, budget plan.Budget) error {
	var text strings.Builder
	for i, e := range explanations {
		if i > 0 {
			text.WriteString("\n")
		}
		e.write(&text, budget)
	}
	_, err := io.WriteString(w, text.String())
	return err
}

func (e Explanation) write(text *strings.Builder, budget plan.Budget) {
	fmt.Fprintf(text, "%s: %s %s\n\n", e.File, e.Kind, nameOf(e.Operation))
	if e.Plan != nil {
		writeTable(text, append(steps(e.Plan.Steps), totals(*e.Plan, budget)...))
	}
	if e.Refusal != nil {
		if e.Plan != nil {
			text.WriteString("\n")
		}
		text.WriteString("OVER BUDGET: " + e.Refusal.Error() + "\n")
	}
}

func nameOf(operation string) string {
	if operation == "" {
		return "without a name"
	}
	return operation
}

// columns are the titles; the numbers begin with firstNumber.
func columns() []string {
	return []string{"field", "pattern", "request", "round", "requests", "keys", "read units", "write units"}
}

const firstNumber = 3

// steps are a line for each step, each below the nearest field around it that has one.
func steps(all []plan.Step) [][]string {
	tree := &branch{}
	known := map[string]*branch{}
	for _, s := range all { // a field comes before those within it
		if known[s.Path] == nil {
			around, path := tree, s.Path
			for i := strings.LastIndexByte(path, '.'); i >= 0; i = strings.LastIndexByte(path[:i], '.') {
				if b := known[path[:i]]; b != nil {
					around = b
					break
				}
			}
			known[s.Path] = &branch{name: strings.TrimPrefix(s.Path, around.prefix), prefix: s.Path + "."}
			around.below = append(around.below, known[s.Path])
		}
		known[s.Path].steps = append(known[s.Path].steps, s)
	}
	rows := [][]string{columns()}
	for _, b := range tree.below {
		rows = b.rows(rows, 0)
	}
	return rows
}

// branch is a field that costs something.
type branch struct {
	// name is the rest of its path below the branch around it; prefix is what the paths below it begin with.
	name, prefix string
	steps        []plan.Step
	below        []*branch
}

func (b *branch) rows(rows [][]string, depth int) [][]string {
	for _, s := range b.steps {
		rows = append(rows, []string{
			strings.Repeat("  ", depth) + b.name, string(s.Pattern), s.Operation, strconv.Itoa(s.Round),
			strconv.Itoa(s.Requests), strconv.Itoa(s.Keys), number(s.ReadUnits), number(s.WriteUnits),
		})
	}
	for _, next := range b.below {
		rows = next.rows(rows, depth+1)
	}
	return rows
}

// totals compare an operation with its budget. The rounds stand below the round of each step, and keys have no budget.
func totals(f plan.Figures, b plan.Budget) [][]string {
	planned := []float64{float64(f.Rounds), float64(f.Requests), f.ReadUnits, f.WriteUnits}
	allowed := []float64{float64(b.Rounds), float64(b.Requests), b.ReadUnits, b.WriteUnits}
	row := func(title string, cell func(i int) string) []string {
		return []string{title, "", "", cell(0), cell(1), "", cell(2), cell(3)}
	}
	return [][]string{
		{},
		row("total", func(i int) string { return number(planned[i]) }),
		row("budget", func(i int) string {
			if allowed[i] == 0 {
				return "no limit"
			}
			return number(allowed[i])
		}),
		row("left", func(i int) string {
			switch left := allowed[i] - planned[i]; {
			case allowed[i] == 0:
				return "-"
			case left < 0:
				return number(-left) + " over"
			default:
				return number(left)
			}
		}),
	}
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// writeTable aligns texts to the left and numbers to the right.
func writeTable(text *strings.Builder, rows [][]string) {
	widths := make([]int, len(columns()))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			space := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i >= firstNumber {
				line.WriteString(space + cell + "  ")
			} else {
				line.WriteString(cell + space + "  ")
			}
		}
		text.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}
