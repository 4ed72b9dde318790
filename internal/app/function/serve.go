package function

import (
	"context"
	"os"
	"runtime/debug"
	"strconv"

	"github.com/aws/aws-lambda-go/lambda"
)

// Serve builds the service and runs a function until Lambda ends it. A function that can't be built, because its
// environment lacks something that its parts need, logs why and ends. Lambda then starts it anew.
func Serve(f Function) {
	collectSeldom(os.Getenv)
	log := Logger(os.Stdout)
	err := f.Missing(os.Getenv)
	var a *App
	if err == nil {
		a, err = onAWS(context.Background(), os.Getenv, log, f.Parts)
	}
	if err != nil {
		log.Error("start", "error", err)
		os.Exit(1)
	}
	lambda.Start(f.Handler(a))
}

// GCPercent is by how much of what is in use garbage grows before it is collected.
const GCPercent = 400

// collectSeldom lets garbage grow to several times what is in use, as long as there is memory. Little is in use, and
// collecting garbage would be a tenth of a request's processor time.
func collectSeldom(env Env) {
	mb, err := strconv.ParseInt(env("AWS_LAMBDA_FUNCTION_MEMORY_SIZE"), 10, 64)
	if err != nil {
		return // not on Lambda
	}
	debug.SetGCPercent(GCPercent)
	debug.SetMemoryLimit(mb << 20 / 4 * 3)
}
