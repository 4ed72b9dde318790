package function

import (
	"context"
	"log/slog"
	"os"
	"runtime/debug"
	"strconv"

	"github.com/aws/aws-lambda-go/lambda"
)

// Version is that of the code: the linker sets what infra/tools/version prints. It is in the log line of a start, and
// in the header X-Service-Version of every response.
var Version = "dev"

// Serve builds the service and runs a function until Lambda ends it. If the function can't be built, for example
// because a variable of the environment is missing, it exits. Lambda then starts it again.
func Serve(f Function) {
	setGC(os.Getenv)
	a, err := start(f, os.Getenv, Logger(os.Stdout))
	if err != nil {
		os.Exit(1)
	}
	lambda.Start(f.Handler(a))
}

// start builds the service with the parts of a function, and logs that or why not.
func start(f Function, env Env, log *slog.Logger) (a *App, err error) {
	if err = f.Missing(env); err == nil {
		a, err = buildOnAWS(context.Background(), env, log, f.Parts)
	}
	if err != nil {
		log.Error("start", "version", Version, "error", err)
		return nil, err
	}
	log.Info("start", "version", Version)
	return a, nil
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
