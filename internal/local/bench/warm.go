package bench

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

// warm measures warm functions over HTTP, one request after the other. The requests of the rows alternate, so that
// other load of the machine affects all rows alike.
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
		write:   {name: "  only its DynamoDB transaction", do: func() error { return s.callBaseline(ctx, "/api/write") }},
		status:  {name: "status by payment_id", do: func() error { return s.visitor.StatusByPayment(ctx, paid) }},
		read:    {name: "  only its DynamoDB read", do: func() error { return s.callBaseline(ctx, "/api/read") }},
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

// callBaseline calls a function of the baseline.
func (s *stage) callBaseline(ctx context.Context, path string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.baseline.BaseURL()+path, strings.NewReader("{}"))
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
