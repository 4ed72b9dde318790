package function

import (
	"context"
	"os"
	"runtime/debug"
	"strconv"

	"github.com/aws/aws-lambda-go/lambda"
)

// Serve builds the service and runs a function until Lambda ends it. If the function can't be built, for example
// because a variable of the environment is missing, it logs why and exits. Lambda then starts it again.
func Serve(f Function) {
	setGC(os.Getenv)
	log := Logger(os.Stdout)
	err := f.Missing(os.Getenv)
	var a *App
	if err == nil {
		a, err = buildOnAWS(context.Background(), os.Getenv, log, f.Parts)
	}
	if err != nil {
		log.Error("start", "error", err)
		os.Exit(1)
	}
	lambda.Start(f.Handler(a))
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
