// Command sweep is built with the libraries of the function of that name, and does nothing.
package main

import (
	"context"
	"encoding/json"

	"checkout/internal/local/bench/same/queue"
	"checkout/internal/local/bench/same/table"

	"github.com/aws/aws-lambda-go/lambda"
)

func main() {
	table.Use(context.Background())
	queue.Use(context.Background())
	lambda.Start(func(context.Context, json.RawMessage) error { return nil })
}
