package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"checkout/internal/local/cloud"
)

// warm measures warm functions over HTTP, one request after the other. The requests of the rows alternate, so that
// other load of the machine affects all rows alike.
func (s *stage) warm(ctx context.Context, w io.Writer) error {
	paid, err := s.visitor.Checkout(ctx)
	if err != nil {
		return err
	}
	const session, write, status, read = 0, 1, 2, 3
	bodies := map[string]string{}
	for _, function := range []string{"session", "status"} {
		if bodies[function], err = s.body(function); err != nil {
			return err
		}
	}
	rows := []*warmed{
		session: {name: "session creation", cloud: s.service, function: "session",
			do: func() error { _, err := s.visitor.Session(ctx); return err }},
		write: {name: "  only its DynamoDB transaction", cloud: s.baseline, function: "write",
			do: func() error { return s.callBaseline(ctx, "/api/write", bodies["session"]) }},
		status: {name: "status by payment_id", cloud: s.service, function: "status",
			do: func() error { return s.visitor.StatusByPayment(ctx, paid) }},
		read: {name: "  only its DynamoDB read", cloud: s.baseline, function: "read",
			do: func() error { return s.callBaseline(ctx, "/api/read", bodies["status"]) }},
	}
	for _, row := range rows {
		row.cloud.Kill(row.function) // so that processor time of earlier requests does not count
	}
	s.service.Reset()
	s.baseline.Reset()
	for range min(10, s.options.Requests) { // until all are warm
		for _, row := range rows {
			if err := row.do(); err != nil {
				return fmt.Errorf("%s: %w", row.name, err)
			}
		}
	}
	for range s.options.Requests {
		for _, row := range rows {
			if err := row.times.measure(row.do); err != nil {
				return fmt.Errorf("%s: %w", row.name, err)
			}
		}
	}
	for _, row := range rows {
		slices.Sort(row.times)
		row.cloud.Kill(row.function)
		used := row.cloud.Snapshot()[row.function]
		row.processor = used.Processor / time.Duration(max(1, used.Invocations))
	}
	title(w, "Warm functions over HTTP", "p50 ms", "p99 ms", "p50 ratio", "CPU ms of the function", "ratio")
	for i, row := range rows {
		elapsed, used := "", ""
		if i == session || i == status {
			elapsed = ratio(row.times.percentile(50), rows[i+1].times.percentile(50))
			used = ratio(row.processor, rows[i+1].processor)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", row.name,
			ms(row.times.percentile(50)), ms(row.times.percentile(99)), elapsed, ms(row.processor), used)
	}
	return nil
}

// warmed is a warm function that is measured.
type warmed struct {
	name      string
	cloud     *cloud.Cloud
	function  string // its name in that cloud
	do        func() error
	times     timed         // as its caller sees them: the caller's own work and the gateway's count
	processor time.Duration // of the function alone, for each request
}

// body returns the body of a function's sample event.
func (s *stage) body(function string) (string, error) {
	text, err := sample(s.options.Root, function)
	if err != nil {
		return "", err
	}
	var event struct{ Body string }
	if err := json.Unmarshal(text, &event); err != nil || event.Body == "" {
		return "", fmt.Errorf("the sample event of %s has no body: %w", function, err)
	}
	return event.Body, nil
}

// callBaseline calls a function of the baseline with the body of a request to the service.
func (s *stage) callBaseline(ctx context.Context, path, body string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.baseline.BaseURL()+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("POST %s: %s", path, response.Status)
	}
	return nil
}
