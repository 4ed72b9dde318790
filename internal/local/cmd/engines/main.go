// Command engines runs a command beside DynamoDB Local and ElasticMQ, which it starts once for all programs that the
// command runs: they find them by DYNAMODB_ENDPOINT and SQS_ENDPOINT. Engines that these name already are used.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"checkout/internal/local/cloud"
)

func main() {
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "engines:", err)
	}
	os.Exit(code)
}

// run returns the command's exit code.
func run(words []string) (int, error) {
	if len(words) == 0 {
		return 2, errors.New("usage: engines COMMAND [ARGUMENTS]")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	engines, err := cloud.StartEngines(ctx, ".", os.Getenv)
	if err != nil {
		return 1, err
	}
	defer engines.Close()
	command := exec.CommandContext(ctx, words[0], words[1:]...)
	command.Env = append(os.Environ(), "DYNAMODB_ENDPOINT="+engines.DynamoDB, "SQS_ENDPOINT="+engines.SQS)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	var failed *exec.ExitError
	if err := command.Run(); errors.As(err, &failed) {
		return max(1, failed.ExitCode()), nil
	} else if err != nil {
		return 1, err
	}
	return 0, nil
}
