// Command probe is a function that misbehaves as its event says.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambdacontext"
)

type event struct {
	Do string `json:"do"`
	MS int    `json:"ms"`
}

func main() {
	switch os.Getenv("INIT") {
	case "exit":
		os.Exit(3)
	case "panic":
		panic("cannot start")
	}
	fmt.Println("started")
	lambda.Start(handle)
}

func handle(ctx context.Context, e event) (any, error) {
	switch e.Do {
	case "sleep":
		time.Sleep(time.Duration(e.MS) * time.Millisecond)
	case "panic":
		panic("on purpose")
	case "exit":
		os.Exit(7)
	case "error":
		return nil, errors.New("a plain error")
	case "env":
		return os.Environ(), nil
	case "print":
		fmt.Fprintln(os.Stderr, "seen in the log")
	case "deadline":
		deadline, ok := ctx.Deadline()
		call, _ := lambdacontext.FromContext(ctx)
		return map[string]any{"ok": ok, "ms": time.Until(deadline).Milliseconds(), "id": call.AwsRequestID, "arn": call.InvokedFunctionArn}, nil
	case "large":
		return make([]byte, 7<<20), nil
	}
	return json.RawMessage(fmt.Sprintf(`{"pid":%d}`, os.Getpid())), nil
}
