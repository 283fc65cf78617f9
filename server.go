package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"example.com/keyfirst/internal/app"
)

func main() { os.Exit(run()) }

// run ends with the first signal in an orderly way; the second one ends the process at once.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return app.Main(ctx, app.Process{Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr})
}
