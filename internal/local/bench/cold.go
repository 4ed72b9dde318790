package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"

	"checkout/internal/local/cloud"
)

// cold measures how long each binary takes from its start to its first response, compared with the baseline.
func (s *comparison) cold(ctx context.Context, w io.Writer) error {
	title(w, "Cold start, process start to first response", "p50 ms", "to an empty one", "package init ms", "binary MiB")
	nothing, err := s.coldStarts(ctx, s.baseline, "empty", []byte("{}"))
	if err != nil {
		return err
	}
	row := func(name, binary string, times timed) error {
		info, err := os.Stat(binary)
		if err != nil {
			return err
		}
		inits, err := s.inits(ctx, binary)
		p50 := times.percentile(50)
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", name, ms(p50), ratio(p50, nothing.percentile(50)), ms(inits),
			decimal(info.Size(), 1<<20, 1))
		return err
	}
	if err := row("an empty function", filepath.Join(s.folder, "empty", "bootstrap"), nothing); err != nil {
		return err
	}
	write, err := s.coldStarts(ctx, s.baseline, "write", []byte("{}"))
	if err != nil {
		return err
	}
	if err := row("one with a DynamoDB call", filepath.Join(s.folder, "write", "bootstrap"), write); err != nil {
		return err
	}
	for _, f := range s.service.Template().Functions {
		event, err := sample(s.options.Root, f.Name)
		if err != nil {
			return err
		}
		times, err := s.coldStarts(ctx, s.service, f.Name, event)
		if err != nil {
			return err
		}
		if err := row(f.Name, filepath.Join(s.options.Root, "bin", "lambda", f.Name, "bootstrap"), times); err != nil {
			return err
		}
	}
	return nil
}

// sample is the first sample event of a function.
func sample(root, function string) ([]byte, error) {
	files, err := filepath.Glob(filepath.Join(root, "events", function, "*.json"))
	if err != nil || len(files) == 0 {
		return nil, errors.Join(err, fmt.Errorf("no sample event of %s", function))
	}
	return os.ReadFile(files[0])
}

// coldStarts calls a function that has no environment.
func (s *comparison) coldStarts(ctx context.Context, c *cloud.Cloud, function string, event []byte) (timed, error) {
	var times timed
	for range s.options.Starts {
		c.Kill(function)
		err := times.measure(func() error {
			result, err := c.Invoke(ctx, function, event)
			if err == nil && result.FunctionError != "" {
				err = errors.New(string(result.Payload))
			}
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("start %s: %w", function, err)
		}
	}
	slices.Sort(times)
	return times, nil
}

var initLine = regexp.MustCompile(`(?m)^init (\S+) @.*?, (\d+)(?:\.(\d{1,3}))?\d* ms clock`)

// inits is how long the initialisation of a binary's packages takes, the median of its starts. Without environment
// variables a function ends right after it.
func (s *comparison) inits(ctx context.Context, binary string) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var times timed
	for range s.options.Starts {
		var said bytes.Buffer
		command := exec.CommandContext(ctx, binary)
		command.Env, command.Stderr = []string{"GODEBUG=inittrace=1"}, &said
		if err := command.Run(); err == nil || ctx.Err() != nil {
			return 0, fmt.Errorf("%s does not end without an environment", binary)
		}
		sum := time.Duration(0)
		for _, line := range initLine.FindAllStringSubmatch(said.String(), -1) {
			whole, err := strconv.Atoi(line[2])
			parts, err2 := strconv.Atoi((line[3] + "000")[:3])
			if err := errors.Join(err, err2); err != nil {
				return 0, err
			}
			sum += time.Duration(whole)*time.Millisecond + time.Duration(parts)*time.Microsecond
		}
		if sum == 0 {
			return 0, fmt.Errorf("%s tells nothing of its packages: %s", binary, said.String())
		}
		times = append(times, sum)
	}
	slices.Sort(times)
	return times.percentile(50), nil
}
