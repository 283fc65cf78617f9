package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"time"
)

// The engines by name.
const (
	keyfirst = "keyfirst"
	dynoxide = "dynoxide"
	local    = "DynamoDB Local"
)

// durable as options.only measures durable writes.
const durable = "durable"

type options struct {
	root   string
	total  int
	rounds int
	out    string
	only   string
}

func main() {
	var o options
	flag.StringVar(&o.root, "root", "../..", "the repository")
	flag.IntVar(&o.total, "items", 100_000, "how many items the table has")
	flag.IntVar(&o.rounds, "rounds", 5, "how often to measure, after a round to warm up")
	flag.StringVar(&o.out, "out", "", "file for the results; none is standard output")
	flag.StringVar(&o.only, "only", "", "measure only this operation, keyfirst alone, as for a profile; or all of them, or durable writes")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, o)
	cancel()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) (err error) {
	root, err := filepath.Abs(o.root)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "bench-engine")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	b := &bench{options: o, folder: folder, binary: filepath.Join(folder, "keyfirst")}
	b.root = root
	build := exec.CommandContext(ctx, "go", "build", "-o", b.binary, ".") //nolint:gosec // a folder of our own
	build.Dir, build.Stderr = root, os.Stderr
	if err := build.Run(); err != nil {
		return err
	}
	r := &report{}
	for _, step := range []func(context.Context, *report) error{b.startup, b.processor, b.durable} {
		if err := step(ctx, r); err != nil {
			return err
		}
	}
	text := r.markdown(ctx, root, o)
	if o.out == "" {
		_, err = os.Stdout.WriteString(text)
		return err
	}
	return os.WriteFile(o.out, []byte(text), 0o644) //nolint:gosec // it is for everyone to read
}

type bench struct {
	options
	folder string
	binary string
}

func (b *bench) start(ctx context.Context, data string) (*process, error) {
	addr, err := freeAddr()
	if err != nil {
		return nil, err
	}
	return startCommand(ctx, keyfirst, addr, b.binary, "engine", "--addr", addr, "--data", data)
}

func (b *bench) startDynoxideFile(ctx context.Context, data string) (*process, error) {
	addr, err := freeAddr()
	if err != nil {
		return nil, err
	}
	_, port, _ := cutLast(addr, ':')
	found, err := filepath.Glob(filepath.Join(b.root, ".tools", "dynoxide-*", "dynoxide"))
	if err != nil || len(found) == 0 {
		return nil, errors.Join(err, errors.New("dynoxide is not installed"))
	}
	return startCommand(ctx, dynoxide, addr, found[len(found)-1], "--port", port, "--db-path", data)
}

// startup measures how long the engine takes to answer, and what it holds when it has nothing to do.
func (b *bench) startup(ctx context.Context, r *report) error {
	var took []time.Duration
	for range 15 {
		start := time.Now()
		p, err := b.start(ctx, ":memory:")
		if err != nil {
			return err
		}
		took = append(took, time.Since(start))
		if r.idleMemory, err = p.residentMemory(); err != nil {
			return err
		}
		if err := p.stop(); err != nil {
			return err
		}
	}
	r.startup = slices.Min(took)
	return nil
}

// processor measures the processor time of every operation on every engine.
func (b *bench) processor(ctx context.Context, r *report) (err error) {
	if b.only == durable {
		return nil
	}
	var engines []*process
	defer func() {
		for _, e := range engines {
			err = errors.Join(err, e.stop())
		}
	}()
	starts := []func() (*process, error){
		func() (*process, error) { return b.start(ctx, ":memory:") },
		func() (*process, error) {
			return startScript(ctx, dynoxide, filepath.Join(b.root, "scripts/dynoxide.sh"))
		},
		func() (*process, error) {
			return startScript(ctx, local, filepath.Join(b.root, "scripts/dynamodb-local.sh"))
		},
	}
	if b.only != "" {
		starts = starts[:1]
	}
	for _, start := range starts {
		e, err := start()
		if err != nil {
			return err
		}
		engines = append(engines, e)
		began := time.Now()
		if err := fill(e.addr, b.total); err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
		progress("filled %s in %s", e.name, time.Since(began).Round(time.Second/10))
	}
	for _, o := range operations() {
		if b.only != "" && b.only != o.name && b.only != "all" {
			continue
		}
		results, err := processorPerCall(engines, o, b.total, b.rounds)
		if err != nil {
			return err
		}
		row := row{operation: o, spent: map[string]time.Duration{}}
		for name, result := range results {
			row.spent[name] = result.median()
		}
		progress("%s: %v", o.name, row.spent)
		r.rows = append(r.rows, row)
	}
	return nil
}

// durable compares durable writes in a file with those of dynoxide, by turns.
func (b *bench) durable(ctx context.Context, r *report) (err error) {
	if b.only != "" && b.only != durable {
		return nil
	}
	var engines []*process
	defer func() {
		for _, e := range engines {
			err = errors.Join(err, e.stop())
		}
	}()
	ours, err := b.start(ctx, filepath.Join(b.folder, "keyfirst.db"))
	if err != nil {
		return err
	}
	engines = append(engines, ours)
	theirs, err := b.startDynoxideFile(ctx, filepath.Join(b.folder, "dynoxide.db"))
	if err != nil {
		return err
	}
	engines = append(engines, theirs)
	for _, e := range engines {
		if err := fill(e.addr, b.total/10); err != nil {
			return err
		}
	}
	for _, writers := range []int{1, 16} {
		row := durableRow{writers: writers, perSecond: map[string]float64{}}
		rates := map[string][]float64{}
		for round := range b.rounds {
			for _, e := range engines {
				rate, err := writesPerSecond(e, writers, 400*min(writers, 4), round)
				if err != nil {
					return err
				}
				rates[e.name] = append(rates[e.name], rate)
			}
		}
		for name, all := range rates {
			slices.Sort(all)
			row.perSecond[name] = all[len(all)/2]
		}
		progress("%d writers: %v", writers, row.perSecond)
		r.durable = append(r.durable, row)
	}
	return nil
}

func progress(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
