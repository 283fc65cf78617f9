package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// Targets that no operation has.
const (
	maxStartup    = 50 * time.Millisecond
	maxIdleMemory = 30.0 // MB
)

type report struct {
	startup    time.Duration
	idleMemory float64
	rows       []row
	durable    []durableRow
}

type row struct {
	operation operation
	spent     map[string]time.Duration
}

type durableRow struct {
	writers   int
	perSecond map[string]float64
}

func met(ok bool) string {
	if ok {
		return "yes"
	}
	return "**no**"
}

func (r *report) markdown(ctx context.Context, root string, o options) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# The engine beside others\n")
	line("Written by `make bench` on %s at commit %s: %s, %d processors, %s, %s.\n", time.Now().UTC().Format(time.DateOnly),
		output(ctx, root, "git", "rev-parse", "--short", "HEAD"), processorName(), runtime.NumCPU(),
		output(ctx, root, "uname", "-sr"), runtime.Version())
	line("## Processor time of one call\n")
	line("User and system time of the engine's process over loopback, all engines in memory with the same %d items, %d clients,", o.total, clients)
	line("the median of %d rounds that the engines take by turns.\n", o.rounds)
	line("| operation | keyfirst | dynoxide | DynamoDB Local | of dynoxide | at most | of DynamoDB Local | at most | met |")
	line("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |")
	for _, row := range r.rows {
		ours := row.spent[keyfirst]
		ofDynoxide, ofLocal := ratio(ours, row.spent[dynoxide]), ratio(ours, row.spent[local])
		line("| %s | %s | %s | %s | %.2f | %.2f | %.2f | %.2f | %s |", row.operation.name, micro(ours), micro(row.spent[dynoxide]), micro(row.spent[local]),
			ofDynoxide, row.operation.dynoxide, ofLocal, row.operation.local,
			met(ofDynoxide <= row.operation.dynoxide && ofLocal <= row.operation.local))
	}
	if len(r.durable) > 0 {
		line("\n## Durable writes\n")
		line("PutItem into a file, writes per second, the median of %d rounds by turns. keyfirst waits for the disk (fdatasync) before it", o.rounds)
		line("acknowledges a write.\n")
		line("| clients | keyfirst | dynoxide | ratio | at least | met |")
		line("| ---: | ---: | ---: | ---: | ---: | --- |")
		for _, row := range r.durable {
			of := row.perSecond[keyfirst] / row.perSecond[dynoxide]
			line("| %d | %.0f | %.0f | %.2f | 1.00 | %s |", row.writers, row.perSecond[keyfirst], row.perSecond[dynoxide], of, met(of >= 1))
		}
	}
	line("\n## Process\n")
	line("| | keyfirst | at most | met |")
	line("| --- | ---: | ---: | --- |")
	line("| from start to the first reply, the quickest of 15 | %d ms | %d ms | %s |", r.startup.Milliseconds(), maxStartup.Milliseconds(), met(r.startup <= maxStartup))
	line("| resident memory, idle | %.1f MB | %.0f MB | %s |", r.idleMemory, maxIdleMemory, met(r.idleMemory <= maxIdleMemory))
	return b.String()
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }

func micro(d time.Duration) string { return fmt.Sprintf("%.1f µs", float64(d.Nanoseconds())/1000) }

func output(ctx context.Context, folder, name string, args ...string) string {
	cmd := exec.CommandContext(ctx, name, args...) //nolint:gosec // git and uname
	cmd.Dir = folder
	out, err := cmd.Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(out))
}

func processorName() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown processor"
	}
	for line := range strings.Lines(string(text)) {
		if name, found := strings.CutPrefix(line, "model name"); found {
			return strings.TrimSpace(strings.TrimLeft(name, " \t:"))
		}
	}
	return "unknown processor"
}

func cutLast(text string, separator byte) (before, after string, found bool) {
	i := strings.LastIndexByte(text, separator)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+1:], true
}
