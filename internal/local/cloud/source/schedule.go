package source

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"checkout/internal/local/cloud/template"

	"github.com/aws/aws-lambda-go/events"
)

// repeat calls a function at the rate of its schedule.
func (s *Sources) repeat(ctx context.Context, function string, event template.ScheduleEvent) {
	ticker := time.NewTicker(event.Every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := s.Fire(ctx, function, event.ID); err != nil && ctx.Err() == nil {
				s.log("schedule %s: %v", event.ID, err)
			}
		}
	}
}

// Fire calls a function as its schedule does and waits for it. It fails when the function does.
func (s *Sources) Fire(ctx context.Context, function, event string) error {
	now := s.config.Now().UTC()
	payload, err := json.Marshal(events.EventBridgeEvent{
		Version: "0", ID: fmt.Sprintf("%08x-0000-4000-8000-%012x", now.Unix(), now.Nanosecond()),
		DetailType: "Scheduled Event", Source: "aws.events", AccountID: s.config.Account,
		Time: now.Truncate(time.Second), Region: s.config.Region,
		Resources: []string{"arn:aws:events:" + s.config.Region + ":" + s.config.Account + ":rule/" + event},
		Detail:    json.RawMessage("{}"),
	})
	if err != nil {
		return err
	}
	result, err := s.config.Invoke(ctx, function, payload)
	if err != nil {
		return err
	}
	if result.FunctionError != "" {
		return fmt.Errorf("%s failed: %s", function, result.Payload)
	}
	return nil
}
