package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// refusal is what the service answered instead of what was asked for.
type refusal struct {
	Status  int
	Message string `json:"error_message"`
	Errors  []struct {
		Message string `json:"error_message"`
	} `json:"errors"`
}

func (r *refusal) Error() string { return fmt.Sprintf("HTTP %d: %s", r.Status, r.Message) }

// mostAnswer is the longest answer of the service that is read, in bytes.
const mostAnswer = 1 << 20

// post sends a request to the service and reads the answer into answer. An error that is no *refusal means that
// there was no answer.
func (s *Shop) post(ctx context.Context, path string, request, answer any) error {
	text, err := json.Marshal(request)
	if err != nil {
		return err
	}
	out, err := http.NewRequestWithContext(ctx, http.MethodPost, s.config.BaseURL+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	out.Header.Set("Content-Type", "application/json")
	in, err := s.client.Do(out)
	if err != nil {
		return fmt.Errorf("the service did not answer: %w", err)
	}
	defer in.Body.Close()
	body, err := io.ReadAll(io.LimitReader(in.Body, mostAnswer))
	if err != nil {
		return fmt.Errorf("the service did not answer: %w", err)
	}
	if in.StatusCode != http.StatusOK {
		r := &refusal{Status: in.StatusCode}
		if json.Unmarshal(body, r) != nil || r.Message == "" {
			r.Message = strings.TrimSpace(string(body))
		}
		return r
	}
	if err := json.Unmarshal(body, answer); err != nil {
		return fmt.Errorf("the service's answer is no JSON: %w", err)
	}
	return nil
}
