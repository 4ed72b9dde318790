// Command smoke shows whether a stack works, and what does not: `make smoke STACK=checkout REGION=eu-central-1`.
//
// Without -stack it tests a service whose parts the other flags name, such as one of `LOG=json make run-aws 2>FILE`.
// TABLE, SECRETS_KEY_ID and the variables of AWS are those of the line that it prints for the operator's command.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"checkout/internal/app"
	"checkout/internal/local/smoke"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	stack, err := read(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, "smoke:", err)
		os.Exit(2)
	}
	if !smoke.Run(ctx, stack, os.Stdout) {
		os.Exit(1)
	}
}

// read reads the flags and the outputs of the stack that they name.
func read(ctx context.Context) (smoke.Stack, error) {
	var s smoke.Stack
	name := flag.String("stack", "", "name of the stack on AWS; needs version 2 of the AWS CLI")
	region := flag.String("region", os.Getenv("AWS_REGION"), "Region of the stack")
	flag.StringVar(&s.URL, "url", "", "without -stack: address of the service")
	flag.StringVar(&s.WalletURL, "wallet-url", "", "without -stack: address of the frame of Google Pay")
	flag.StringVar(&s.API, "api", "", "without -stack: address of the API past CloudFront")
	table := flag.String("table", os.Getenv("TABLE"), "without -stack: its table")
	key := flag.String("secrets-key", os.Getenv("SECRETS_KEY_ID"), "without -stack: its KMS key of merchants' secrets")
	log := flag.String("log", "", "without -stack: file with the functions' lines, of LOG=json make run-aws 2>FILE")
	flag.StringVar(&s.CallbackURL, "callback-url", "", "address of yours for the callbacks; left out, the service itself")
	flag.DurationVar(&s.Patience, "patience", 90*time.Second, "how long to wait for each outcome")
	flag.Parse()
	if *name != "" {
		if err := readStack(ctx, &s, smoke.CLI{Region: *region}, *name); err != nil {
			return s, err
		}
	} else {
		s.Env = environment(*table, *key)
		if *log != "" {
			file, err := os.Stat(*log)
			if err != nil {
				return s, err
			}
			s.Logs = smoke.FileLogs{File: *log, From: file.Size()}
		}
	}
	s.URL, s.WalletURL = strings.TrimRight(s.URL, "/"), strings.TrimRight(s.WalletURL, "/")
	if s.URL == "" || s.Env("TABLE") == "" || s.Env("SECRETS_KEY_ID") == "" {
		return s, errors.New("name a stack, or its -url, -table and -secrets-key")
	}
	var err error
	s.Act, err = app.CompleteAct(ctx, app.Act{Command: "smoke"})
	return s, err
}

// logLag is how long CloudWatch Logs may take until a line is found.
const logLag = 5 * time.Second

// readStack reads what a stack says of itself.
func readStack(ctx context.Context, s *smoke.Stack, cli smoke.CLI, name string) error {
	outputs, err := cli.Outputs(ctx, name)
	if err != nil {
		return err
	}
	resources, err := cli.Resources(ctx, name)
	if err != nil {
		return err
	}
	if s.API, err = cli.Address(ctx, resources["Api"]); err != nil {
		return err
	}
	if err := os.Setenv("AWS_REGION", cli.Region); err != nil { // of the table and the key
		return err
	}
	s.URL, s.WalletURL = outputs["BaseUrl"], outputs["WalletUrl"]
	s.Env = environment(outputs["TableName"], outputs["SecretsKeyId"])
	logs := smoke.StackLogs{CLI: cli, Groups: map[string]string{}, Lag: logLag}
	for function := range app.Functions() {
		there := false // by the stack's parameters
		for id, name := range resources {
			there = there || strings.EqualFold(id, function+"Function")
			if strings.EqualFold(id, function+"Log") {
				logs.Groups[function] = name
			}
		}
		if there && logs.Groups[function] == "" {
			return fmt.Errorf("the stack %s has no log of %s", name, function)
		}
	}
	s.Logs = logs
	return nil
}

// environment is that of the operator's commands.
func environment(table, key string) app.Env {
	set := map[string]string{"TABLE": table, "SECRETS_KEY_ID": key}
	return func(name string) string { return set[name] }
}
