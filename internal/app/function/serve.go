package function

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"runtime/debug"
	"strconv"

	"github.com/aws/aws-lambda-go/lambda"
)

// Serve builds and runs a function until Lambda ends it. If the function can't be built, for example because a variable
// of the environment is missing, it exits. Lambda then starts it again.
func Serve(f Function) {
	setGC(os.Getenv)
	handler, err := start(f, os.Getenv, Logger(os.Stdout))
	if err != nil {
		os.Exit(1)
	}
	lambda.Start(handler)
}

// start builds a function, and logs that or why not.
func start(f Function, env Env, log *slog.Logger) (handler any, err error) {
	if handler, err = f.Handler(env, log); err != nil {
		log.Error("start", "version", Version, "error", err)
		return nil, err
	}
	log.Info("start", "version", Version)
	return handler, nil
}

// Scheduled returns the Lambda handler of the events of a schedule, whose content is not used.
func Scheduled(run func(context.Context) error) any {
	return func(ctx context.Context, _ json.RawMessage) error { return run(ctx) }
}

// GCPercent is the growth of the heap, in percent of the live heap, before garbage is collected.
const GCPercent = 400

// setGC lets the heap grow to several times the live heap, as long as there is memory. The live heap is small, and by
// default a tenth of a request's processor time would be spent on collecting garbage.
func setGC(env Env) {
	mb, err := strconv.ParseInt(env("AWS_LAMBDA_FUNCTION_MEMORY_SIZE"), 10, 64)
	if err != nil {
		return // not on Lambda
	}
	debug.SetGCPercent(GCPercent)
	debug.SetMemoryLimit(mb << 20 / 4 * 3)
}
