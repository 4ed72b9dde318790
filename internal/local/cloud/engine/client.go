package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Client calls operations of one engine in AWS's JSON protocol, as the administrator.
type Client struct {
	url    string
	target string
	sign   string
}

// apiError is an error that a service returned.
type apiError struct {
	operation string
	kind      string // such as ResourceInUseException
	message   string
}

// Error returns operation, kind and message.
func (e *apiError) Error() string { return e.operation + ": " + e.kind + ": " + e.message }

// Tables is the client of the DynamoDB engine.
func (e *Engines) Tables() *Client { return e.client(e.DynamoDB, "DynamoDB_20120810", "dynamodb") }

// Streams is the client of the DynamoDB engine for its tables' streams.
func (e *Engines) Streams() *Client {
	return e.client(e.DynamoDB, "DynamoDBStreams_20120810", "dynamodb")
}

// Queues is the client of the SQS engine.
func (e *Engines) Queues() *Client { return e.client(e.SQS, "AmazonSQS", "sqs") }

func (e *Engines) client(url, target, service string) *Client {
	// The engines read the key and the region from the signature but do not check it.
	sign := "AWS4-HMAC-SHA256 Credential=local/20200101/" + e.Region + "/" + service +
		"/aws4_request, SignedHeaders=host, Signature=00"
	return &Client{url: url, target: target, sign: sign}
}

// Call calls an operation with in as JSON, and reads the response into out unless that is nil.
func (c *Client) Call(ctx context.Context, operation string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/x-amz-json-1.0")
	request.Header.Set("X-Amz-Target", c.target+"."+operation)
	request.Header.Set("Authorization", c.sign)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return fmt.Errorf("%s: %w", operation, err)
	}
	if response.StatusCode != http.StatusOK {
		var failure struct {
			Kind    string `json:"__type"`
			Message string `json:"message"`
		}
		if json.Unmarshal(text, &failure) != nil || failure.Kind == "" {
			return fmt.Errorf("%s: HTTP %d from %s", operation, response.StatusCode, c.url)
		}
		kind := failure.Kind[strings.LastIndex(failure.Kind, "#")+1:]
		return &apiError{operation: operation, kind: kind, message: failure.Message}
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(text, out)
}
