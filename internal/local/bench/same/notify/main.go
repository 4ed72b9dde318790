// Command notify is built with the libraries of the function of that name, and does nothing.
package main

import (
	"context"

	"checkout/internal/local/bench/same/providers"
	"checkout/internal/local/bench/same/queue"
	"checkout/internal/local/bench/same/table"
	"checkout/internal/local/bench/same/wallets"
	"checkout/internal/local/bench/same/web"
)

func main() {
	table.Use(context.Background())
	queue.Use(context.Background())
	providers.Use()
	wallets.Use()
	web.Serve()
}
