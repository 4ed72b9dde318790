package source

import (
	"context"

	"checkout/internal/local/cloud/template"
)

// Start starts the pollers and schedules of all functions.
func Start(config Config, functions []template.Function) *Sources {
	ctx, stop := context.WithCancel(context.Background())
	s := &Sources{config: config, stop: stop}
	for _, f := range functions {
		for _, event := range f.Queues {
			p := &poller{sources: s, function: f.Name, event: event, url: config.URLs[event.QueueARN]}
			s.wait.Go(func() { p.run(ctx) })
		}
		for _, event := range f.Streams {
			if r := (&streamReader{sources: s, function: f.Name, event: event}); !config.NoStreams {
				s.wait.Go(func() { r.run(ctx) })
			}
		}
		for _, event := range f.Schedules {
			if !config.NoSchedule {
				s.wait.Go(func() { s.repeat(ctx, f.Name, event) })
			}
		}
	}
	return s
}
