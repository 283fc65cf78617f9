package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"example.com/keyfirst/internal/config"
)

// The exit statuses.
const (
	exitOK         = 0
	exitFailed     = 1
	exitUsage      = 2
	exitOverBudget = 3
)

// Process is what a run of the program is given.
type Process struct {
	// Args is the command line without the program's name.
	Args []string
	// Environment looks variables up. Default: the environment of the process.
	Environment config.Environment
	// Stdin is read where a file's name is a dash.
	Stdin io.Reader
	// Stdout gets what the command is asked for.
	Stdout io.Writer
	// Stderr gets the log, and one line when the command fails.
	Stderr io.Writer
}

// Main runs the program until its command is done or ctx ends, and returns its exit status.
func Main(ctx context.Context, p Process) int {
	command, err := config.Parse(p.Args, p.Environment)
	if err != nil {
		p.complain(err.Error() + " (see keyfirst --help)")
		return exitUsage
	}
	err = p.run(ctx, command)
	if err == nil || ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return exitOK
	}
	p.complain(err.Error())
	if _, over := errors.AsType[overBudgetError](err); over {
		return exitOverBudget
	}
	return exitFailed
}

// complain writes one line.
func (p Process) complain(text string) {
	_, _ = fmt.Fprintln(p.Stderr, "keyfirst: "+strings.ReplaceAll(text, "\n", "; ")) // nobody is left to tell
}

// run does what a command says.
func (p Process) run(ctx context.Context, command config.Command) error {
	out, logger := p.Stdout, slog.New(slog.NewTextHandler(p.Stderr, nil))
	switch c := command.(type) {
	case config.Serve:
		return runServer(ctx, Config{Serve: c, Out: out, Logger: logger})
	case config.Engine:
		return runEngine(ctx, c, out, logger)
	case config.CreateTable:
		return createTable(ctx, c, out)
	case config.Explain:
		return p.explain(c)
	case config.Patterns:
		return printPatterns(c, out)
	case config.Healthcheck:
		return checkHealth(ctx, c)
	case config.Version:
		return printVersion(out)
	case config.Help:
		_, err := io.WriteString(out, c.Text)
		return err
	}
	return fmt.Errorf("%T is not a command", command)
}

func runServer(ctx context.Context, cfg Config) (err error) {
	a, err := New(ctx, cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	return a.Run(ctx)
}
