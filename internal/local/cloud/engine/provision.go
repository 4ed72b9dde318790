package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"checkout/internal/local/cloud/template"
)

// CreateTables makes the tables. One that exists is left as it is.
func (e *Engines) CreateTables(ctx context.Context, tables []template.Table) error {
	client := e.Tables()
	for _, table := range tables {
		err := client.Call(ctx, "CreateTable", table.Definition, nil)
		var failure *apiError
		if errors.As(err, &failure) && failure.kind == "ResourceInUseException" {
			continue
		}
		if err != nil {
			return fmt.Errorf("table %s: %w", table.ID, err)
		}
		if table.TTL == "" {
			continue
		}
		ttl := map[string]any{
			"TableName":               table.Name,
			"TimeToLiveSpecification": map[string]any{"AttributeName": table.TTL, "Enabled": true},
		}
		if err := client.Call(ctx, "UpdateTimeToLive", ttl, nil); err != nil {
			return fmt.Errorf("table %s: %w", table.ID, err)
		}
	}
	return nil
}

// CreateQueues makes the queues with their redrive policies and returns the engine's URL of each, by name. A visibility
// above zero replaces the template's, so that tests need not wait minutes for a second delivery.
func (e *Engines) CreateQueues(
	ctx context.Context, queues []template.Queue, visibility time.Duration,
) (map[string]string, error) {
	urls, arns := map[string]string{}, map[string]string{}
	deadLettersFirst := slices.SortedStableFunc(slices.Values(queues), func(a, b template.Queue) int {
		return cmp.Compare(len(a.DeadLetter), len(b.DeadLetter))
	})
	for _, queue := range deadLettersFirst {
		attributes := map[string]string{}
		maps.Copy(attributes, queue.Attributes)
		if visibility > 0 {
			attributes["VisibilityTimeout"] = strconv.Itoa(int((visibility + time.Second - 1) / time.Second))
		}
		if queue.DeadLetter != "" {
			// The engine may run under another account or region than the template's ARNs say.
			policy, err := json.Marshal(map[string]any{
				"deadLetterTargetArn": arns[queue.DeadLetter], "maxReceiveCount": queue.MaxReceive,
			})
			if err != nil {
				return nil, err
			}
			attributes["RedrivePolicy"] = string(policy)
		}
		url, arn, err := e.createQueue(ctx, queue.Name, attributes)
		if err != nil {
			return nil, fmt.Errorf("queue %s: %w", queue.ID, err)
		}
		urls[queue.Name], arns[queue.ARN] = url, arn
	}
	return urls, nil
}

func (e *Engines) createQueue(ctx context.Context, name string, attributes map[string]string) (string, string, error) {
	client := e.Queues()
	var made struct{ QueueUrl string }
	create := map[string]any{"QueueName": name, "Attributes": attributes}
	if err := client.Call(ctx, "CreateQueue", create, &made); err != nil {
		return "", "", err
	}
	var known struct{ Attributes struct{ QueueArn string } }
	query := map[string]any{"QueueUrl": made.QueueUrl, "AttributeNames": []string{"QueueArn"}}
	err := client.Call(ctx, "GetQueueAttributes", query, &known)
	return made.QueueUrl, known.Attributes.QueueArn, err
}
