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
	"strings"
	"time"

	"checkout/internal/local/cloud"
)

// started is a function whose cold starts are measured.
type started struct {
	name   string
	cloud  *cloud.Cloud
	key    string // its name in that cloud
	binary string
	events [][]byte // one for each start
	times  timed
	inits  time.Duration
}

// oneCall is the function that all others are compared with.
const oneCall = "one with a DynamoDB call"

// cold measures how long each binary takes from its start to its first response, beside a function that makes one
// DynamoDB call. All are started in turn, so that other load of the machine affects all alike.
func (s *stage) cold(ctx context.Context, w io.Writer) error {
	all, err := s.startable()
	if err != nil {
		return err
	}
	if err := s.grant(ctx); err != nil {
		return err
	}
	for _, f := range all {
		f.cloud.Kill(f.key) // so that processor time of warm environments does not count
	}
	s.service.Reset()
	s.baseline.Reset()
	for i := range s.options.Starts {
		for _, f := range all {
			if err := f.coldStart(ctx, f.events[i]); err != nil {
				return fmt.Errorf("start %s: %w", f.name, err)
			}
		}
	}
	for _, f := range all {
		slices.Sort(f.times)
		if f.inits, err = s.inits(ctx, f.binary); err != nil {
			return err
		}
	}
	title(w, "Cold start, process start to first response", "p50 ms", "ratio", "best ms", "ratio", "CPU ms", "ratio",
		"package init ms")
	one := all[slices.IndexFunc(all, func(f *started) bool { return f.name == oneCall })]
	for _, f := range all {
		fmt.Fprint(w, f.name)
		for _, pair := range [][2]time.Duration{
			{f.times.percentile(50), one.times.percentile(50)}, {f.times[0], one.times[0]}, {f.processor(), one.processor()},
		} {
			fmt.Fprintf(w, "\t%s\t%s", ms(pair[0]), ratio(pair[0], pair[1]))
		}
		fmt.Fprintf(w, "\t%s\n", ms(f.inits))
	}
	return nil
}

func (s *stage) startable() ([]*started, error) {
	nothing := slices.Repeat([][]byte{[]byte("{}")}, s.options.Starts)
	var all []*started
	for key, name := range map[string]string{"empty": "an empty function", "write": oneCall} {
		binary := filepath.Join(s.folder, key, "bootstrap")
		all = append(all, &started{name: name, cloud: s.baseline, key: key, binary: binary, events: nothing})
	}
	slices.SortFunc(all, func(a, b *started) int { return strings.Compare(a.key, b.key) })
	for _, f := range s.service.Template().Functions {
		if s.options.Function != "" && s.options.Function != f.Name {
			continue
		}
		event, err := sample(s.options.Root, f.Name)
		if err != nil {
			return nil, err
		}
		one := &started{name: f.Name, cloud: s.service, key: f.Name, events: slices.Repeat([][]byte{event}, s.options.Starts),
			binary: filepath.Join(s.options.Root, "bin", "lambda", f.Name, "bootstrap")}
		for i := range one.events {
			if f.Name != "session" && f.Name != "status" {
				continue
			}
			if one.events[i], err = forOrder(event, s.visitor.Password(), fmt.Sprintf("cold-%d", i)); err != nil {
				return nil, err
			}
		}
		all = append(all, one)
	}
	if s.options.Function != "" && len(all) < 3 {
		return nil, fmt.Errorf("no function %s", s.options.Function)
	}
	return all, nil
}

// processor is the mean processor time of a function's cold starts.
func (f *started) processor() time.Duration {
	used := f.cloud.Snapshot()[f.key]
	return used.Processor / time.Duration(max(1, used.ColdStarts))
}

// grant gives the person of the sample events the role that they need.
func (s *stage) grant(ctx context.Context) error {
	const doc = `{"grants":[{"who":"arn:aws:sts::111122223333:assumed-role/Finance/*","role":"finance",` +
		`"merchants":["*"],"mode":"both"}]}`
	text := func(s string) map[string]string { return map[string]string{"S": s} }
	item := map[string]any{"pk": text("operators"), "sk": text("operators"), "doc": text(doc),
		"v": map[string]string{"N": "1"}}
	put := map[string]any{"TableName": s.service.TableName("Table"), "Item": item}
	return s.engines.Tables().Call(ctx, "PutItem", put, nil)
}

// sample is the first sample event of a function, and for operators what they do most.
func sample(root, function string) ([]byte, error) {
	if most := map[string]string{"adminread": "find.json", "adminact": "look_up.json"}[function]; most != "" {
		return os.ReadFile(filepath.Join(root, "events", function, most))
	}
	files, err := filepath.Glob(filepath.Join(root, "events", function, "*.json"))
	if err != nil || len(files) == 0 {
		return nil, errors.Join(err, fmt.Errorf("no sample event of %s", function))
	}
	return os.ReadFile(files[0])
}

// coldStart calls the function when it has no environment, and ends the new environment.
func (f *started) coldStart(ctx context.Context, event []byte) error {
	f.cloud.Kill(f.key)
	defer f.cloud.Kill(f.key)
	return f.times.measure(func() error {
		result, err := f.cloud.Invoke(ctx, f.key, event)
		if err == nil && result.FunctionError != "" {
			err = errors.New(string(result.Payload))
		}
		return err
	})
}

var initLine = regexp.MustCompile(`(?m)^init (\S+) @.*?, (\d+)(?:\.(\d{1,3}))?\d* ms clock`)

// inits is how long the initialisation of a binary's packages takes, the median of its starts. A binary that is started
// without environment variables ends right after that.
func (s *stage) inits(ctx context.Context, binary string) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var times timed
	for range s.options.Starts {
		var trace bytes.Buffer
		command := exec.CommandContext(ctx, binary)
		command.Env, command.Stderr = []string{"GODEBUG=inittrace=1"}, &trace
		if err := command.Run(); err == nil || ctx.Err() != nil {
			return 0, fmt.Errorf("%s does not end without an environment", binary)
		}
		sum := time.Duration(0)
		for _, line := range initLine.FindAllStringSubmatch(trace.String(), -1) {
			whole, err := strconv.Atoi(line[2])
			parts, err2 := strconv.Atoi((line[3] + "000")[:3])
			if err := errors.Join(err, err2); err != nil {
				return 0, err
			}
			sum += time.Duration(whole)*time.Millisecond + time.Duration(parts)*time.Microsecond
		}
		if sum == 0 {
			return 0, fmt.Errorf("%s reports no initialisation of packages: %s", binary, trace.String())
		}
		times = append(times, sum)
	}
	slices.Sort(times)
	return times.percentile(50), nil
}
