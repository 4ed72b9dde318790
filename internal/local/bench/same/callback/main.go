// Command callback is built with the libraries of the function of that name, and does nothing.
package main

import (
	"context"
	"net"
	"net/http"

	"checkout/internal/local/bench/same/queue"
	"checkout/internal/local/bench/same/table"

	"code.dny.dev/ssrf"
	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
)

func main() {
	table.Use(context.Background())
	queue.Use(context.Background())
	dialer := &net.Dialer{Control: ssrf.New().Safe}
	client := http.Client{Transport: &http.Transport{DialContext: dialer.DialContext}}
	client.Head("https://localhost")
	lambda.Start(func(context.Context, events.SQSEvent) (events.SQSEventResponse, error) {
		return events.SQSEventResponse{}, nil
	})
}
