package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Stdin is standard input, as the name of a file to read.
const Stdin = "-"

// Format is the form a command prints its answer in.
type Format string

// The formats.
const (
	// FormatText is for people.
	FormatText Format = "text"
	// FormatMarkdown is for documentation.
	FormatMarkdown Format = "markdown"
	// FormatJSON is for programs.
	FormatJSON Format = "json"
)

// validate checks that a format is one of those that a command has.
func (f Format) validate(known ...Format) error {
	if !slices.Contains(known, f) {
		return fmt.Errorf("there is no format %q: it is one of %q", f, known)
	}
	return nil
}

// Explain is the command that prints what the operations of documents cost.
type Explain struct {
	// Files are the documents' names; Stdin is standard input.
	Files []string
	// Variables is the name of a file with the variables of every operation, as one JSON object. Default: no variables.
	Variables string
	// Operation is the name of the only operation to explain. Default: all.
	Operation string
	// Format is FormatText or FormatJSON. Default of the command line: FormatText.
	Format Format
	// Shards is the number of shards of the table that it is explained for, 1 to 64. Default of the command line:
	// DefaultShards.
	Shards int
	// Budget is what every operation is compared with. Default: no limits.
	Budget Budget
}

// Validate reports what is wrong with the settings, nil when nothing is.
func (e Explain) Validate() error {
	errs := []error{e.Format.validate(FormatText, FormatJSON), validateShards(e.Shards), e.Budget.Validate()}
	if len(e.Files) == 0 {
		errs = append(errs, errors.New("there is no document to explain"))
	}
	if i := slices.Index(e.Files, Stdin); i >= 0 && slices.Contains(e.Files[i+1:], Stdin) {
		errs = append(errs, errors.New("standard input is named twice, and can be read once"))
	}
	return errors.Join(errs...)
}

// Patterns is the command that prints the access patterns.
type Patterns struct {
	// Format is any of the formats. Default of the command line: FormatText.
	Format Format
}

// Validate reports what is wrong with the settings, nil when nothing is.
func (p Patterns) Validate() error { return p.Format.validate(FormatText, FormatMarkdown, FormatJSON) }

type explainFlags struct {
	Files     []string `arg:"" name:"file" help:"GraphQL documents; - is standard input."`
	Variables string   `short:"v" help:"JSON file with the variables of every operation." placeholder:"FILE"`
	Operation string   `help:"Explain only the operation of this name. Default: all." placeholder:"NAME"`
	Format    string   `help:"What to print. Default: text." placeholder:"text|json"`
	Shards    *int     `help:"Shards of the table it is explained for. Default: 1." placeholder:"N"`
	budgetFlags
}

type patternsFlags struct {
	Format string `help:"What to print. Default: text." placeholder:"text|markdown|json"`
}

func (f *explainFlags) command(*sources) (Command, error) {
	return valid(Explain{
		Files: f.Files, Variables: f.Variables, Operation: f.Operation, Format: cmp.Or(Format(f.Format), FormatText),
		Shards: or(f.Shards, DefaultShards), Budget: f.budget(),
	})
}

func (f *patternsFlags) command(*sources) (Command, error) {
	return valid(Patterns{Format: cmp.Or(Format(f.Format), FormatText)})
}
