// Command load shows how many checkouts a second a service takes: `make load URL=http://localhost:3000 RATE=100`.
//
// MERCHANT_KEY and MERCHANT_PASSWORD of the environment are those of a merchant's test key; left out, those of the demo
// shop. An outcome is known when the page asks for it, a second after the payment and each second from then on. Ctrl-C
// ends the run with what it has measured so far.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"checkout/internal/local/client"
	"checkout/internal/local/load"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var c load.Config
	highest := flag.Int("rate", 50, "checkouts a second of the last step; those before are 5, 10, 25, 50, 100, 200, ...")
	flag.StringVar(&c.URL, "url", "http://localhost:3000", "address of the service")
	flag.DurationVar(&c.Each, "each", 20*time.Second, "how long each step lasts")
	flag.DurationVar(&c.Bound, "bound", 2*time.Second, "a step is too much if p99 of a call is longer")
	flag.DurationVar(&c.Timeout, "timeout", 30*time.Second, "of one call")
	flag.DurationVar(&c.Patience, "patience", time.Minute, "for the outcome of a payment")
	flag.IntVar(&c.Open, "open", 5000, "checkouts in progress at once, at most")
	flag.BoolVar(&c.JSON, "json", false, "print a line of JSON for each step, and one of where it breaks")
	flag.Parse()
	c.URL = strings.TrimRight(c.URL, "/")
	c.Merchant = client.Merchant{
		Key:      cmp.Or(os.Getenv("MERCHANT_KEY"), "demo-test"),
		Password: cmp.Or(os.Getenv("MERCHANT_PASSWORD"), "demo-password"),
	}
	if *highest > 0 {
		c.Rates = load.Rates(*highest)
	}
	if err := load.Run(ctx, c, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}
