// Package smoke shows that a deployed stack works: with a merchant of its own it pays by the test card, captures,
// refunds, voids and charges again, loads the page as a browser does, waits until callbacks are delivered, and reads
// the functions' logs. No money moves, because all payments have the test key. It prints a line for each part that
// works, and for each that does not why and where to look.
package smoke

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"checkout/internal/local/client"
)

// Run tests a stack. Its error says that something does not work. What it prints has no secret.
func Run(ctx context.Context, stack Stack, out io.Writer) error {
	stack.URL, stack.WalletURL = strings.TrimRight(stack.URL, "/"), strings.TrimRight(stack.WalletURL, "/")
	r := &run{Stack: stack, out: out, began: time.Now()}
	r.service = client.Service{URL: r.URL, HTTP: &http.Client{
		Timeout:       30 * time.Second, // what API Gateway allows
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	failed := map[string]bool{}
	for _, s := range r.steps() {
		if s.needs != "" && failed[s.needs] {
			failed[s.name] = true
			fmt.Fprintf(out, "%-9s  -     not tried without %s\n", s.name, s.needs)
			continue
		}
		r.called = append(r.called, s.calls...)
		words, err := s.do(ctx)
		switch {
		case errors.Is(err, errSkipped):
			fmt.Fprintf(out, "%-9s  -     %v\n", s.name, err)
		case err != nil:
			failed[s.name] = true
			fmt.Fprintf(out, "%-9s  FAIL  %s%s\n", s.name, plain(err), whereToLook(s.calls))
		default:
			fmt.Fprintf(out, "%-9s  ok    %s\n", s.name, words)
		}
	}
	if err := r.disable(context.WithoutCancel(ctx)); err != nil {
		failed["merchant"] = true
		fmt.Fprintf(out, "%-9s  FAIL  not disabled again: %s\n", "merchant", plain(err))
	}
	if len(failed) > 0 {
		return fmt.Errorf("%s does not work", r.URL)
	}
	fmt.Fprintf(out, "%s works\n", r.URL)
	return nil
}

// steps are all steps in their order.
func (r *run) steps() []step {
	return []step{
		{"merchant", "", nil, r.putMerchant},
		{"session", "merchant", []string{"session"}, r.createSessions},
		{"page", "", nil, r.loadPage},
		{"wallet", "", nil, r.loadWallet},
		{"direct", "", nil, r.callDirectly},
		{"pay", "session", []string{"page", "connector", "status"}, r.payFirst},
		{"capture", "pay", []string{"capture", "connector"}, r.capture},
		{"refund", "capture", []string{"refund", "connector"}, r.refund},
		{"recurring", "capture", []string{"recurring", "connector"}, r.recur},
		{"void", "pay", []string{"void", "connector"}, r.void},
		{"status", "pay", []string{"status"}, r.askStatus},
		{"callbacks", "pay", []string{"callback"}, r.awaitCallbacks},
		{"logs", "", nil, r.readLogs},
	}
}

func whereToLook(functions []string) string {
	if len(functions) == 0 {
		return ""
	}
	return "; look at the log of " + strings.Join(functions, " and ")
}
