// Command run serves the whole service on one port of this machine, embedded: `make run`.
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
	os.Exit(local.Run(ctx, os.Getenv, local.Config{Now: time.Now}, local.Output{Out: os.Stdout, Log: os.Stderr}))
}
