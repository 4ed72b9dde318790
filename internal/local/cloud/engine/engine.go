// Package engine starts DynamoDB Local and ElasticMQ in the place of DynamoDB and SQS, or uses engines that run
// already, and makes the template's tables and queues in them.
package engine

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"sync"

	"checkout/internal/local/cloud/child"
)

// Config says where the engines are.
type Config struct {
	Dir      string // has the folders dynamodb and elasticmq with the jars
	DynamoDB string // URL of a running engine; empty: start one
	SQS      string // URL of a running engine; empty: start one
	Region   string
	Account  string
}

// Engines are the running engines.
type Engines struct {
	DynamoDB string // URL
	SQS      string // URL
	Region   string
	started  []*child.Process
}

// Start starts the engines that are not running yet and waits until they respond. Its error is one line that says what
// to do.
func Start(ctx context.Context, config Config) (*Engines, error) {
	e := &Engines{DynamoDB: config.DynamoDB, SQS: config.SQS, Region: config.Region}
	if e.DynamoDB != "" && e.SQS != "" {
		return e, nil
	}
	if _, err := exec.LookPath("java"); err != nil {
		return nil, errors.New("java is missing: the local engines need Java 17 or newer")
	}
	var mu sync.Mutex
	var wait sync.WaitGroup
	var faults [2]error
	start := func(slot int, url *string, run func(context.Context, Config) (*child.Process, string, error)) {
		if *url != "" {
			return
		}
		wait.Go(func() {
			process, address, err := run(ctx, config)
			mu.Lock()
			defer mu.Unlock()
			if faults[slot] = err; err == nil {
				*url, e.started = "http://"+address, append(e.started, process)
			}
		})
	}
	start(0, &e.DynamoDB, startDynamoDB)
	start(1, &e.SQS, startElasticMQ)
	wait.Wait()
	for _, err := range faults {
		if err != nil {
			e.Close()
			return nil, err
		}
	}
	return e, nil
}

// Close ends the engines that Start started.
func (e *Engines) Close() {
	for _, process := range e.started {
		process.Kill()
	}
	e.started = nil
}

// Processes returns the ids of the processes that Start started.
func (e *Engines) Processes() []int {
	var ids []int
	for _, process := range e.started {
		ids = append(ids, process.ID())
	}
	return ids
}

// classes returns the class path of an engine, or an error if it is not there.
func classes(config Config, name string) (string, error) {
	pattern := filepath.Join(config.Dir, name, "*")
	if jars, _ := filepath.Glob(pattern + ".jar"); len(jars) == 0 {
		return "", fmt.Errorf("no engine in %s: run `make tools`", filepath.Join(config.Dir, name))
	}
	return pattern, nil
}
