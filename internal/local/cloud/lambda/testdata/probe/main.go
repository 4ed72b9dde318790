// Command probe is a function that misbehaves as its event says.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambdacontext"
)

type event struct {
	Do   string `json:"do"`
	Gate string `json:"gate"`
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
	case "wait":
		return wait(e.Gate)
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
		return map[string]any{"ok": ok, "ms": time.Until(deadline).Milliseconds(), "id": call.AwsRequestID,
			"arn": call.InvokedFunctionArn}, nil
	case "large":
		return make([]byte, 7<<20), nil
	}
	return pid(), nil
}

func pid() json.RawMessage { return json.RawMessage(fmt.Sprintf(`{"pid":%d}`, os.Getpid())) }

// wait returns when the listener at the gate, a Unix socket, closes the connection; without a gate never.
func wait(gate string) (any, error) {
	if gate == "" {
		time.Sleep(time.Hour)
	}
	connection, err := net.Dial("unix", gate)
	if err != nil {
		return nil, err
	}
	defer connection.Close()
	if _, err := io.Copy(io.Discard, connection); err != nil {
		return nil, err
	}
	return pid(), nil
}
