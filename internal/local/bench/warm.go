package bench

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

// warm measures warm functions over HTTP, one request after the other. What is compared takes turns, so that whatever
// else the machine does meets all alike.
func (s *stage) warm(ctx context.Context, w io.Writer) error {
	paid, err := s.visitor.Checkout(ctx)
	if err != nil {
		return err
	}
	const session, write, status, read = 0, 1, 2, 3
	rows := []struct {
		name  string
		do    func() error
		times timed
	}{
		session: {name: "session creation", do: func() error { _, err := s.visitor.Session(ctx); return err }},
		write:   {name: "  only its DynamoDB transaction", do: func() error { return s.ask(ctx, "/api/write") }},
		status:  {name: "status by payment_id", do: func() error { return s.visitor.StatusByPayment(ctx, paid) }},
		read:    {name: "  only its DynamoDB read", do: func() error { return s.ask(ctx, "/api/read") }},
	}
	for range min(10, s.options.Requests) { // until all are warm
		for _, row := range rows {
			if err := row.do(); err != nil {
				return fmt.Errorf("%s: %w", row.name, err)
			}
		}
	}
	for range s.options.Requests {
		for i := range rows {
			if err := rows[i].times.measure(rows[i].do); err != nil {
				return fmt.Errorf("%s: %w", rows[i].name, err)
			}
		}
	}
	for _, row := range rows {
		slices.Sort(row.times)
	}
	title(w, "Warm functions over HTTP", "p50 ms", "p99 ms", "p50 ratio")
	for i, row := range rows {
		compared := ""
		if i == session || i == status {
			compared = ratio(row.times.percentile(50), rows[i+1].times.percentile(50))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", row.name, ms(row.times.percentile(50)), ms(row.times.percentile(99)), compared)
	}
	return nil
}

// ask calls a function of the baseline.
func (s *stage) ask(ctx context.Context, path string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.baseline.BaseURL()+path, strings.NewReader("{}"))
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("POST %s: %s", path, answer.Status)
	}
	return nil
}
