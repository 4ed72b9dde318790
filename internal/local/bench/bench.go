// Package bench measures how fast the service is on this machine:
//
//   - its handlers alone, with everything in memory;
//   - the real Lambda binaries in the local cloud, compared with functions that only make the same DynamoDB call;
//   - cold starts, compared with a function that makes one DynamoDB call;
//   - the size of the binaries, compared with a function that makes one DynamoDB call;
//   - how soon operators see what has become of a payment.
//
// The ratios are valid for AWS, too; the times are not.
package bench

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"checkout/internal/local/cloud"
	"checkout/internal/local/cloud/engine"
	"checkout/internal/local/visitor"
)

// Options say how much is measured.
type Options struct {
	Root     string // folder of the repository
	Handlers string // of testing's -benchtime: "1s", "100x"
	Requests int    // of each kind to the warm functions, at least 1
	Starts   int    // of each binary, at least 1
	Payments int    // that are looked for in the listing, at least 1
	Function string // whose cold starts alone are measured; "": everything
}

// Run measures everything and writes the tables.
func Run(ctx context.Context, options Options, out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if options.Function != "" {
		return runCold(ctx, options, w)
	}
	handlers, err := measureHandlers(ctx, options)
	if err != nil {
		return err
	}
	fmt.Fprintln(w, "Handlers in memory, from event to response\tns/op\tCPU ns/op\tB/op\tallocs/op")
	for _, h := range handlers {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\n",
			h.name, h.NsPerOp(), h.processor.Nanoseconds(), h.AllocedBytesPerOp(), h.AllocsPerOp())
	}
	s, err := start(ctx, options)
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.warm(ctx, w); err != nil {
		return err
	}
	if err := s.cold(ctx, w); err != nil {
		return err
	}
	if err := s.sizes(w); err != nil {
		return err
	}
	if err := s.listed(ctx, w); err != nil {
		return err
	}
	return w.Flush()
}

// runCold measures the cold starts of one function.
func runCold(ctx context.Context, options Options, w *tabwriter.Writer) error {
	s, err := start(ctx, options)
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.cold(ctx, w); err != nil {
		return err
	}
	return w.Flush()
}

// stage is the service and what it is compared with, each in a local cloud of its own on the same engines.
type stage struct {
	options  Options
	engines  *engine.Engines
	service  *cloud.Cloud
	baseline *cloud.Cloud
	visitor  *visitor.Visitor
	folder   string // of the baseline's binaries
	closers  []func()
}

func start(ctx context.Context, options Options) (*stage, error) {
	s := &stage{options: options}
	if err := s.start(ctx); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *stage) start(ctx context.Context) error {
	root := s.options.Root
	var err error
	if s.folder, err = os.MkdirTemp("", "bench"); err != nil {
		return err
	}
	s.closers = append(s.closers, func() { os.RemoveAll(s.folder) })
	for name, source := range map[string]string{"empty": "empty", "read": "baseline", "write": "baseline"} {
		if err := build(ctx, root, "./internal/local/bench/"+source, filepath.Join(s.folder, name, "bootstrap")); err != nil {
			return err
		}
	}
	s.engines, err = cloud.StartEngines(ctx, root, os.Getenv)
	if err != nil {
		return err
	}
	s.closers = append(s.closers, s.engines.Close)
	s.service, err = cloud.Start(ctx, cloud.Config{
		Root: root, StackName: filepath.Base(s.folder), Engines: s.engines, Most: 1, NoSchedule: true, NoStreams: true,
		Parameters:  map[string]string{"OriginCheck": "off"}, // coldStart calls functions without CloudFront
		Environment: map[string]string{"ALLOW_LOOPBACK_CALLBACKS": "true"},
	})
	if err != nil {
		return err
	}
	s.closers = append(s.closers, s.service.Close)
	s.baseline, err = cloud.Start(ctx, cloud.Config{
		Root: root, StackName: filepath.Base(s.folder) + "baseline", Engines: s.engines, Most: 1, NoSchedule: true,
		BinaryDir: s.folder,
		Template:  filepath.Join(root, "internal", "local", "bench", "baseline", "template.yaml"),
	})
	if err != nil {
		return err
	}
	s.closers = append(s.closers, s.baseline.Close)
	if s.visitor, err = visitor.Start(ctx, s.service, root); err != nil {
		return err
	}
	s.closers = append(s.closers, s.visitor.Close)
	return nil
}

func (s *stage) close() {
	for _, end := range slices.Backward(s.closers) {
		end()
	}
}

// build makes a Lambda binary as `make lambda` does.
func build(ctx context.Context, root, source, binary string) error {
	binary, err := filepath.Abs(binary)
	if err != nil {
		return err
	}
	command := exec.CommandContext(ctx,
		"go", "build", "-trimpath", "-tags", "lambda.norpc", "-ldflags", "-s -w", "-o", binary, source)
	command.Dir, command.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w: %s", source, err, output)
	}
	return nil
}

// timed has the duration of each run of what is measured.
type timed []time.Duration

// percentile returns the duration that p per cent of a sorted list do not exceed.
func (t timed) percentile(p int) time.Duration { return t[min(len(t)-1, len(t)*p/100)] }

// measure calls do and adds its duration.
func (t *timed) measure(do func() error) error {
	began := time.Now()
	err := do()
	*t = append(*t, time.Since(began))
	return err
}

// decimal is value / unit with that many digits after the point.
func decimal(value, unit int64, digits int) string {
	scale := int64(1)
	for range digits {
		scale *= 10
	}
	rounded := (value*scale + unit/2) / unit
	return fmt.Sprintf("%d.%0*d", rounded/scale, digits, rounded%scale)
}

func ms(d time.Duration) string { return decimal(d.Microseconds(), 1000, 2) }

// ratio is a / b.
func ratio(a, b time.Duration) string { return decimal(a.Microseconds(), max(1, b.Microseconds()), 2) }

// title begins a table.
func title(w io.Writer, cells ...string) { fmt.Fprintf(w, "\n%s\n", strings.Join(cells, "\t")) }
