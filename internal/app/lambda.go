package app

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/awslabs/aws-lambda-go-api-proxy/core"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"
)

// Serve builds the service and runs one function, such as Session, until
// Lambda ends it. A function that can't be built, because its environment
// lacks something that its parts need, says why and ends: Lambda starts it anew.
func Serve(function Function) {
	log := Logger(os.Stdout)
	err := missing(os.Getenv, function.Needs())
	var a *App
	if err == nil {
		a, err = onAWS(context.Background(), os.Getenv, log, function.parts)
	}
	if err != nil {
		log.Error("start", "error", err)
		os.Exit(1)
	}
	lambda.Start(function.Handler(a))
}

// missing says which variables are not set.
func missing(env Env, needs []string) error {
	var errs []error
	for _, name := range needs {
		if env(name) == "" {
			errs = append(errs, fmt.Errorf("the environment has no %s", name))
		}
	}
	return errors.Join(errs...)
}

// behindGateway answers the handler of a function's HTTP routes.
func (a *App) behindGateway(function string) any {
	a.API.RequestID = func(ctx context.Context) string {
		event, _ := core.GetAPIGatewayV2ContextFromContext(ctx)
		return event.RequestID
	}
	return httpadapter.NewV2(a.API.Handler(function)).ProxyWithContext
}
