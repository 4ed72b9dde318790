package local

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"checkout/internal/local/simulator"
)

// Simulator is a running simulator of providers.
type Simulator struct {
	URL       string // without a trailing slash
	Providers *simulator.Simulator

	http *http.Server
	work sync.WaitGroup
	once sync.Once
}

// StartSimulator starts simulated providers on a port of loopback, 0 for any free one, until Stop or until ctx ends.
// variable is the name of the environment variable of the port, for the error if it is taken.
func StartSimulator(ctx context.Context, port int, variable string, now func() time.Time) (*Simulator, error) {
	listeners, port, err := listen(ctx, port, variable)
	if err != nil {
		return nil, err
	}
	s := &Simulator{URL: fmt.Sprintf("http://localhost:%d", port)}
	s.Providers = simulator.New(simulator.Options{URL: s.URL, Now: now})
	s.http = &http.Server{Handler: s.Providers, ReadHeaderTimeout: 10 * time.Second}
	for _, listener := range listeners {
		s.work.Go(func() { _ = s.http.Serve(listener) }) // ends with Stop
	}
	context.AfterFunc(ctx, s.Stop)
	return s, nil
}

// Stop ends everything at once, also what was to happen later. It may be called more than once, and for none.
func (s *Simulator) Stop() {
	if s == nil {
		return
	}
	s.once.Do(func() {
		_ = s.http.Close()
		s.Providers.Reset()
	})
	s.work.Wait()
}

// defaultSimulatorPort is where the simulator listens when it runs alone, unless PORT says otherwise.
const defaultSimulatorPort = 4000

// RunSimulator is `make simulator`: it runs the simulator alone until ctx ends and returns the exit code. Of the
// environment it reads PORT, where 0 is any free port.
func RunSimulator(ctx context.Context, getenv func(string) string, now func() time.Time, out Output) int {
	port, err := portOf(getenv, "PORT", defaultSimulatorPort)
	if err != nil {
		fmt.Fprintln(out.Log, err)
		return 1
	}
	s, err := StartSimulator(ctx, port, "PORT", now)
	if err != nil {
		fmt.Fprintln(out.Log, err)
		return 1
	}
	welcomeSimulator(out.Out, s)
	<-ctx.Done()
	s.Stop()
	return 0
}

func welcomeSimulator(out io.Writer, s *Simulator) {
	fmt.Fprintf(out, "ready on %s\n\n", s.URL)
	for _, name := range s.Providers.Families() {
		fmt.Fprintf(out, "  %-12s %s/%s\n", name, s.URL, name)
	}
	fmt.Fprintf(out, `
  key          %s
  secret       %s

What it was sent, and cards and amounts that choose what happens: %s/
Control calls and faults: internal/local/simulator/README.md
`, simulator.Key, simulator.Secret, s.URL)
}
