package template

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"gopkg.in/yaml.v3"
)

// Read resolves the template in file. Its error names every place that cannot be resolved or does not fit, one per
// line.
func Read(file string, options Options) (*Template, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(file), err)
	}
	if len(document.Content) == 0 {
		return nil, fmt.Errorf("%s: empty", filepath.Base(file))
	}
	r := newReader(filepath.Base(file), document.Content[0], options)
	t := &Template{APIs: map[string]API{}}
	t.Parameters = r.readParameters()
	r.readTables(t)
	r.readQueues(t)
	r.readKeys(t)
	r.readBuckets(t)
	r.readFunctions(t)
	r.readRoutes(t)
	r.readSites(t)
	r.readRest()
	r.check(t)
	return t, errors.Join(r.faults...)
}

// check finds what AWS refuses at deployment although every resource by itself is valid.
func (r *reader) check(t *Template) {
	queues := map[string]Queue{}
	for _, q := range t.Queues {
		queues[q.ARN] = q
	}
	for _, q := range t.Queues {
		if _, ok := queues[q.DeadLetter]; q.DeadLetter != "" && !ok {
			r.fail(propertiesOf(q.ID)+".RedrivePolicy.deadLetterTargetArn", "no queue of this template: %s", q.DeadLetter)
		}
	}
	names := map[string]string{}
	for _, f := range t.Functions {
		if other, taken := names[f.Name]; taken {
			r.fail("Resources."+f.ID, "runs the same binary %q as %s", f.Name, other)
		}
		names[f.Name] = f.ID
		for _, e := range f.Queues {
			q, ok := queues[e.QueueARN]
			if !ok {
				r.fail(e.Place, "no queue of this template: %s", e.QueueARN)
			} else if q.Visibility() < f.Timeout {
				r.fail(e.Place, "the queue's visibility timeout %s is less than the function's timeout %s", q.Visibility(),
					f.Timeout)
			}
		}
	}
}
