package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"checkout/internal/queue"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"
)

// Serve builds the service and runs one function, such as Session, until
// Lambda ends it. needs are the variables of the environment that it can't do
// without. A function that can't be built says why and ends: Lambda starts it
// anew.
func Serve(function func(*App) any, needs ...string) {
	log := Logger(os.Stdout)
	err := missing(os.Getenv, needs)
	var a *App
	if err == nil {
		a, err = OnAWS(context.Background(), os.Getenv, log)
	}
	if err != nil {
		log.Error("start", "error", err)
		os.Exit(1)
	}
	lambda.Start(function(a))
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

// Functions answers every function by the name of its folder. The binaries
// don't ask it: each names its own function alone, so that the linker leaves
// out what only the others need.
func Functions() map[string]func(*App) any {
	return map[string]func(*App) any{
		"session":   Session,
		"status":    Status,
		"capture":   Capture,
		"refund":    Refund,
		"void":      Void,
		"recurring": Recurring,
		"retry":     Retry,
		"page":      Page,
		"notify":    Notify,
		"connector": Connector,
		"callback":  Callback,
		"sweep":     Sweep,
	}
}

// Session answers the Lambda handler of the merchants' way to create sessions.
func Session(a *App) any { return a.behindGateway("session") }

// Status answers the Lambda handler of the merchants' way to ask.
func Status(a *App) any { return a.behindGateway("status") }

// Capture answers the Lambda handler of the merchants' way to take what was authorised.
func Capture(a *App) any { return a.behindGateway("capture") }

// Refund answers the Lambda handler of the merchants' way to give back.
func Refund(a *App) any { return a.behindGateway("refund") }

// Void answers the Lambda handler of the merchants' way to cancel a payment.
func Void(a *App) any { return a.behindGateway("void") }

// Recurring answers the Lambda handler of the merchants' way to charge a chain.
func Recurring(a *App) any { return a.behindGateway("recurring") }

// Retry answers the Lambda handler of the merchants' way to try a softly declined charge again.
func Retry(a *App) any { return a.behindGateway("retry") }

// Page answers the Lambda handler of the checkout page's own API.
func Page(a *App) any { return a.behindGateway("page") }

// Notify answers the Lambda handler of providers' reports and the sandbox's pages.
func Notify(a *App) any { return a.behindGateway("notify") }

// Connector answers the Lambda handler of the jobs' queue.
func Connector(a *App) any { return queue.Jobs(a.Service.Log, a.Service.RunJob) }

// Callback answers the Lambda handler of the callbacks' queue.
func Callback(a *App) any { return queue.Callbacks(a.Service.Log, a.Service.SendCallback) }

// Sweep answers the Lambda handler of the schedule. What the schedule says
// with its event does not matter.
func Sweep(a *App) any {
	return func(ctx context.Context, _ json.RawMessage) error { return a.Service.Sweep(ctx) }
}

// behindGateway answers the handler of a function's HTTP routes.
func (a *App) behindGateway(function string) any {
	return httpadapter.NewV2(a.API.Handler(function)).ProxyWithContext
}
