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

// refusal is an error response of the service.
type refusal struct {
	Status  int    `json:"-"`
	Body    string `json:"-"`
	Message string `json:"error_message"`
	Errors  []struct {
		Message string `json:"error_message"`
	} `json:"errors"`
}

func (r *refusal) Error() string { return fmt.Sprintf("HTTP %d: %s", r.Status, r.Message) }

// maxResponse is how many bytes of a response are read at most.
const maxResponse = 1 << 20

// post sends a request to the service and reads the response into response. An error that is no *refusal means that
// there was no response.
func (s *Shop) post(ctx context.Context, path string, request, response any) error {
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
		return fmt.Errorf("the service did not respond: %w", err)
	}
	defer in.Body.Close()
	body, err := io.ReadAll(io.LimitReader(in.Body, maxResponse))
	if err != nil {
		return fmt.Errorf("the service did not respond: %w", err)
	}
	if in.StatusCode != http.StatusOK {
		r := &refusal{Status: in.StatusCode, Body: string(body)}
		if json.Unmarshal(body, r) != nil || r.Message == "" {
			r.Message = strings.TrimSpace(string(body))
		}
		return r
	}
	if err := json.Unmarshal(body, response); err != nil {
		return fmt.Errorf("the service's response is no JSON: %w", err)
	}
	return nil
}
