package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// process is an engine that runs.
type process struct {
	name string
	addr string
	pid  int
	stop func() error
}

// ticksPerSecond is the unit of /proc/PID/stat, which is the same on every Linux.
const ticksPerSecond = 100

// processorTime is what the process has used so far, in all its threads.
func (p *process) processorTime() (time.Duration, error) {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(p.pid), "stat"))
	if err != nil {
		return 0, err
	}
	// The second field is a name in parentheses, and may hold anything.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	const user, system = 11, 12
	ticks := 0
	for _, i := range []int{user, system} {
		n, err := strconv.Atoi(fields[i])
		if err != nil {
			return 0, fmt.Errorf("/proc/PID/stat: %w", err)
		}
		ticks += n
	}
	return time.Duration(ticks) * time.Second / ticksPerSecond, nil
}

// residentMemory is the memory of the process in MB.
func (p *process) residentMemory() (float64, error) {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(p.pid), "status"))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if rest, found := strings.CutPrefix(line, "VmRSS:"); found {
			kilobytes, err := strconv.Atoi(strings.Fields(rest)[0])
			return float64(kilobytes) / 1024, err
		}
	}
	return 0, errors.New("/proc/PID/status has no VmRSS")
}

func freeAddr() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it is closed at once
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// startCommand runs a command that listens at the address.
func startCommand(ctx context.Context, name, addr string, command ...string) (*process, error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...) //nolint:gosec // the engines of this repository
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.Discard, &log
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{name: name, addr: addr, pid: cmd.Process.Pid}
	p.stop = func() error {
		if err := cmd.Process.Kill(); err != nil {
			return err
		}
		_ = cmd.Wait() // it reports the kill
		return nil
	}
	if err := p.awaitReply(10 * time.Second); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w: %s", name, err, log.String()), p.stop())
	}
	return p, nil
}

// startScript has a script of the repository keep the engine.
func startScript(ctx context.Context, name, script string) (*process, error) {
	folder, err := os.MkdirTemp("", "bench-engine")
	if err != nil {
		return nil, err
	}
	run := func(action string) (string, error) {
		cmd := exec.CommandContext(context.WithoutCancel(ctx), script, action) //nolint:gosec // the scripts of this repository
		cmd.Env = append(os.Environ(), "ENGINE_RUN_DIR="+folder)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		return strings.TrimSpace(string(out)), err
	}
	url, err := run("start")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", script, err)
	}
	p := &process{name: name, addr: strings.TrimPrefix(url, "http://")}
	p.stop = func() error {
		_, err := run("stop")
		return errors.Join(err, os.RemoveAll(folder))
	}
	file := strings.TrimSuffix(filepath.Base(script), ".sh") + ".pid"
	text, err := os.ReadFile(filepath.Join(folder, file)) //nolint:gosec // what the script left in our folder
	if err == nil {
		p.pid, err = strconv.Atoi(strings.TrimSpace(string(text)))
	}
	if err != nil {
		return nil, errors.Join(err, p.stop())
	}
	return p, nil
}

// awaitReply waits until the engine answers.
func (p *process) awaitReply(atMost time.Duration) error {
	deadline := time.Now().Add(atMost)
	for {
		c, err := dial(p.addr)
		if err == nil {
			_, err = c.call(newRequest(p.addr, "ListTables", "{}"))
			if err = errors.Join(err, c.Close()); err == nil {
				return nil
			}
		}
		if time.Now().After(deadline) {
			return err
		}
		time.Sleep(time.Millisecond) //nolint:forbidigo // nothing tells when another process is ready
	}
}
