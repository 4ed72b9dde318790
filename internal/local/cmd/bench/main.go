// Command bench measures the service on this machine and prints the tables of package bench.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"checkout/internal/local/bench"
)

func main() {
	var options bench.Options
	flag.StringVar(&options.Root, "root", ".", "folder of the repository, with bin/lambda built")
	flag.StringVar(&options.Handlers, "handlers", "2s", "how long or (100x) how often each handler runs")
	flag.IntVar(&options.Requests, "requests", 500, "requests of each kind to the warm functions")
	flag.IntVar(&options.Starts, "starts", 9, "starts of each binary")
	flag.IntVar(&options.Payments, "payments", 50, "payments that are looked for in the listing")
	flag.StringVar(&options.Function, "function", "", "measure the cold starts of this function alone")
	flag.Parse()
	if min(options.Requests, options.Starts, options.Payments) < 1 {
		fmt.Fprintln(os.Stderr, "bench: at least one request, one start and one payment")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := bench.Run(ctx, options, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}
