package smoke

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"checkout/internal/local/client"
)

// OfStack reads what a stack says of itself, with version 2 of the AWS CLI.
func OfStack(ctx context.Context, name string) (Stack, error) {
	outputs, err := outputsOf(ctx, name)
	if err != nil {
		return Stack{}, err
	}
	resources, err := resourcesOf(ctx, name)
	if err != nil {
		return Stack{}, err
	}
	address, err := addressOf(ctx, resources["Api"])
	if err != nil {
		return Stack{}, err
	}
	logs := stackLogs{}
	for id := range resources {
		function, is := strings.CutSuffix(id, "Function")
		if !is {
			continue
		}
		group := resources[function+"Log"]
		if group == "" {
			return Stack{}, fmt.Errorf("the stack %s has no log of %s", name, function)
		}
		logs[strings.ToLower(function)] = group
	}
	env := map[string]string{"TABLE": outputs["TableName"], "SECRETS_KEY_ID": outputs["SecretsKeyId"]}
	return Stack{
		URL: outputs["BaseUrl"], WalletURL: outputs["WalletUrl"], API: address, Logs: logs,
		Env: func(variable string) string { return env[variable] },
	}, nil
}

// callCLI runs a command of the AWS CLI and reads the JSON that it prints.
func callCLI(ctx context.Context, into any, args ...string) error {
	command := exec.CommandContext(ctx, "aws", append(args, "--output", "json")...)
	text, err := command.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return fmt.Errorf("aws %s %s: %s", args[0], args[1], strings.TrimSpace(string(failed.Stderr)))
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// outputsOf returns the outputs of a stack by their names.
func outputsOf(ctx context.Context, stack string) (map[string]string, error) {
	var found struct {
		Stacks []struct {
			Outputs []struct{ OutputKey, OutputValue string }
		}
	}
	err := callCLI(ctx, &found, "cloudformation", "describe-stacks", "--stack-name", stack)
	if err != nil {
		return nil, err
	}
	outputs := map[string]string{}
	for _, s := range found.Stacks {
		for _, o := range s.Outputs {
			outputs[o.OutputKey] = o.OutputValue
		}
	}
	return outputs, nil
}

// resourcesOf returns what AWS calls the resources of a stack, by their logical ids.
func resourcesOf(ctx context.Context, stack string) (map[string]string, error) {
	var found struct {
		StackResourceSummaries []struct{ LogicalResourceId, PhysicalResourceId string }
	}
	if err := callCLI(ctx, &found, "cloudformation", "list-stack-resources", "--stack-name", stack); err != nil {
		return nil, err
	}
	resources := map[string]string{}
	for _, r := range found.StackResourceSummaries {
		resources[r.LogicalResourceId] = r.PhysicalResourceId
	}
	return resources, nil
}

// addressOf returns the address of an API past CloudFront.
func addressOf(ctx context.Context, api string) (string, error) {
	var found struct{ ApiEndpoint string }
	err := callCLI(ctx, &found, "apigatewayv2", "get-api", "--api-id", api)
	return found.ApiEndpoint, err
}

// stackLogs are the log groups of a stack by function.
type stackLogs map[string]string

// logLag is how long CloudWatch Logs may take until a line is found.
const logLag = 5 * time.Second

// faultPattern finds lines that may be about a fault.
const faultPattern = `?AccessDenied ?"not authorized" ?ERROR ?errorMessage ?errorType ?panic ?"fatal error" ` +
	`?"platform."`

// Read implements Logs. Of each function it reads one line and those of faultPattern.
func (l stackLogs) Read(ctx context.Context, since time.Time) (map[string][]string, error) {
	if err := client.Pause(ctx, logLag); err != nil {
		return nil, err
	}
	lines := map[string][]string{}
	var problems []error
	var mu sync.Mutex
	var work sync.WaitGroup
	for function, group := range l {
		work.Go(func() {
			any, err := eventsOf(ctx, group, since, "--max-items", "1")
			faults, failed := eventsOf(ctx, group, since, "--filter-pattern", faultPattern)
			mu.Lock()
			defer mu.Unlock()
			problems = append(problems, err, failed)
			if all := append(any, faults...); len(all) > 0 {
				lines[function] = all
			}
		})
	}
	work.Wait()
	return lines, errors.Join(problems...)
}

func eventsOf(ctx context.Context, group string, since time.Time, more ...string) ([]string, error) {
	var found struct{ Events []struct{ Message string } }
	err := callCLI(ctx, &found, append([]string{"logs", "filter-log-events",
		"--log-group-name", group,
		"--start-time", strconv.FormatInt(since.UnixMilli(), 10)}, more...)...)
	var lines []string
	for _, event := range found.Events {
		lines = append(lines, event.Message)
	}
	return lines, err
}

// FileLogs are the log of a local run in a file, as LOG=json has it written: lines begin with the function's name.
type FileLogs struct {
	File string
	From int64 // where the run's lines begin, in bytes
}

// Read implements Logs.
func (l FileLogs) Read(context.Context, time.Time) (map[string][]string, error) {
	text, err := readFrom(l.File, l.From)
	if err != nil {
		return nil, err
	}
	lines := map[string][]string{}
	for line := range strings.Lines(text) {
		if function, rest, ok := strings.Cut(strings.TrimSpace(line), " | "); ok {
			lines[function] = append(lines[function], rest)
		}
	}
	return lines, nil
}

// readFrom reads a file from an offset on.
func readFrom(name string, offset int64) (string, error) {
	file, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	if _, err := file.Seek(offset, io.SeekStart); err != nil {
		return "", err
	}
	text, err := io.ReadAll(file)
	return string(text), err
}
