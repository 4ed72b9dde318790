// Command operation is built with the libraries of the functions that serve HTTP and send messages, and does nothing.
package main

import (
	"context"

	"checkout/internal/local/bench/same/queue"
	"checkout/internal/local/bench/same/table"
	"checkout/internal/local/bench/same/web"
)

func main() {
	table.Use(context.Background())
	queue.Use(context.Background())
	web.Serve()
}
