// Command simulator serves the simulated providers alone on one port of this machine: `make simulator`.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"checkout/internal/local"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(local.RunSimulator(ctx, os.Getenv, time.Now, local.Output{Out: os.Stdout, Log: os.Stderr}))
}
