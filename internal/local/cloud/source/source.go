// Package source calls functions for messages on queues, for records of tables' streams and by schedules, as Lambda's
// event source mappings and EventBridge do.
package source

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"checkout/internal/local/cloud/engine"
	"checkout/internal/local/cloud/lambda"
)

// Config is what all sources share.
type Config struct {
	Queues     *engine.Client
	Tables     *engine.Client
	Streams    *engine.Client
	URLs       map[string]string // the engine's URL of each queue, by ARN
	Region     string
	Account    string
	Most       int  // calls at the same time for one queue, when the template allows more
	NoSchedule bool // functions are called by Fire alone, not by their schedules
	NoStreams  bool // functions are not called for the records of streams
	Invoke     func(ctx context.Context, function string, payload []byte) (lambda.Result, error)
	Now        func() time.Time
	Log        io.Writer // gets a line, without any content, when a batch failed
}

// Sources are the running event sources.
type Sources struct {
	config Config
	stop   context.CancelFunc
	wait   sync.WaitGroup
}

// Close stops all sources and waits for the calls in progress.
func (s *Sources) Close() {
	s.stop()
	s.wait.Wait()
}

func (s *Sources) log(format string, arguments ...any) {
	if s.config.Log != nil {
		fmt.Fprintf(s.config.Log, format+"\n", arguments...)
	}
}
