package app

import (
	"context"
	"encoding/json"
	"os"

	"checkout/internal/queue"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"
)

// start builds the service and runs the handler that make answers. A function
// that can't be built says why and ends: Lambda starts it anew.
func start(handler func(*App) any) {
	log := Logger(os.Stdout)
	a, err := OnAWS(context.Background(), os.Getenv, log)
	if err != nil {
		log.Error("start", "error", err)
		os.Exit(1)
	}
	lambda.Start(handler(a))
}

// ServeHTTP starts a function behind API Gateway with the routes of its name.
func ServeHTTP(function string) {
	start(func(a *App) any { return httpadapter.NewV2(a.API.Handler(function)).ProxyWithContext })
}

// ServeJobs starts the connector function.
func ServeJobs() {
	start(func(a *App) any { return queue.Jobs(a.Service.Log, a.Service.RunJob) })
}

// ServeCallbacks starts the callback function.
func ServeCallbacks() {
	start(func(a *App) any { return queue.Callbacks(a.Service.Log, a.Service.SendCallback) })
}

// ServeSweep starts the sweep function.
func ServeSweep() {
	start(func(a *App) any {
		return func(ctx context.Context, _ json.RawMessage) error { return a.Service.Sweep(ctx) }
	})
}
