package load

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"checkout/internal/local/client"
)

// brokenSteps is after how many steps in a row that were too much a run ends.
const brokenSteps = 2

// Run measures a service until the last step, or until ctx ends, and prints a line for each step and where it breaks.
func Run(ctx context.Context, c Config, out io.Writer) error {
	if c.Open < 1 || c.Each <= 0 || len(c.Rates) == 0 || slices.Min(c.Rates) < 1 {
		return errors.New("at least one rate, of at least one checkout a second, for some time")
	}
	transport := &http.Transport{ // without HTTP/2: payers share no connection
		MaxIdleConnsPerHost: c.Open, IdleConnTimeout: 30 * time.Second, TLSHandshakeTimeout: c.Timeout,
	}
	defer transport.CloseIdleConnections()
	service := client.Service{URL: c.URL, HTTP: &http.Client{Transport: transport, Timeout: c.Timeout}}
	p := printer{out, c.JSON}
	if err := p.head(); err != nil {
		return err
	}
	var all []Step
	broken := 0
	for _, rate := range c.Rates {
		step := (&stage{config: c, service: service, rate: rate}).run(ctx)
		all = append(all, step)
		if err := p.step(step); err != nil {
			return err
		}
		if step.Broken == "" {
			broken = 0
		} else if broken++; broken == brokenSteps {
			break
		}
		if ctx.Err() != nil {
			break
		}
	}
	return p.end(conclude(all))
}

// run starts checkouts at the stage's rate, and waits until all have ended.
func (s *stage) run(ctx context.Context) Step {
	s.fails, s.times = map[string]int{}, map[string]*histogram{}
	for _, name := range timed {
		s.times[name] = &histogram{}
	}
	open := make(chan struct{}, s.config.Open)
	var work sync.WaitGroup
	s.began = time.Now()
	for i := range int(s.config.Each * time.Duration(s.rate) / time.Second) {
		planned := s.began.Add(time.Duration(i) * time.Second / time.Duration(s.rate))
		if client.Pause(ctx, time.Until(planned)) != nil {
			break
		}
		select {
		case open <- struct{}{}:
			work.Go(func() {
				defer func() { <-open }()
				s.ended(ctx, s.checkout(ctx, planned))
			})
		default:
			s.failed("not sent")
		}
	}
	work.Wait()
	return s.result(ctx.Err() != nil)
}
