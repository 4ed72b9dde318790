// Command cost counts what the service's operations use of AWS, and prints what a million of each would cost.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"checkout/internal/local/cost"
)

func main() {
	root := flag.String("root", ".", "folder with template.yaml, bin/lambda and infra/merchants.json")
	rounds := flag.Int("rounds", 10, "how often each operation is timed")
	var waits cost.Waits
	flag.DurationVar(&waits.Provider, "provider", 800*time.Millisecond, "how long a provider takes to respond")
	flag.DurationVar(&waits.Receiver, "receiver", 300*time.Millisecond, "how long a merchant's receiver takes")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	operations, err := cost.Measure(ctx, *root, max(1, *rounds))
	if err != nil {
		fmt.Fprintln(os.Stderr, "cost:", err)
		os.Exit(1)
	}
	cost.Print(os.Stdout, operations, max(1, *rounds), waits)
}
