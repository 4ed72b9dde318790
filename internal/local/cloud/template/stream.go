package template

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
)

// mostRetries is more than Lambda makes in the day that a stream holds a record.
const mostRetries = 10_000

// streamEvent reads the mapping of a table's stream to a function.
func (r *reader) streamEvent(t *Template, f *Function, id string, p value) StreamEvent {
	event := StreamEvent{
		ID: id, StreamARN: p.get("EventSourceArn").need(), BatchSize: p.get("BatchSize").number(100),
		Window: p.get("MaximumBatchingWindowInSeconds").seconds(0), PartialBatch: r.isPartial(p),
		Bisect: p.get("BisectBatchOnFunctionError").yes(false), Retries: p.get("MaximumRetryAttempts").number(-1),
		OnFailure: p.get("DestinationConfig").get("OnFailure").get("Destination").text(),
		Filters:   r.filters(p.get("FilterCriteria").get("Filters")),
	}
	table, _, _ := strings.Cut(event.StreamARN, "/stream/")
	event.TableName = path.Base(table)
	r.needs(f, p, event.StreamARN, "dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator",
		"dynamodb:ListStreams")
	if event.OnFailure != "" {
		r.needs(f, p, event.OnFailure, "sqs:SendMessage")
		if !slices.ContainsFunc(t.Queues, func(q Queue) bool { return q.ARN == event.OnFailure }) {
			r.fail(p.place+".DestinationConfig", "no queue of this template: %s", event.OnFailure)
		}
	}
	if start := p.get("StartingPosition"); start.need() != "TRIM_HORIZON" {
		r.fail(start.place, "only TRIM_HORIZON is understood")
	}
	if event.Retries < 0 || event.Retries > mostRetries {
		r.fail(p.place+".MaximumRetryAttempts", "should be 0 to %d: a batch that always fails holds up all later ones",
			mostRetries)
	}
	if event.BatchSize < 1 || event.BatchSize > 10000 {
		r.fail(p.place+".BatchSize", "should be 1 to 10000")
	}
	return event
}

// filters reads the patterns of a mapping, which are texts of JSON.
func (r *reader) filters(list value) []map[string]any {
	var all []map[string]any
	for _, filter := range list.list() {
		pattern := filter.get("Pattern")
		var one map[string]any
		if err := json.Unmarshal([]byte(pattern.need()), &one); err != nil {
			r.fail(pattern.place, "is no JSON object")
			continue
		}
		if !isPattern(one) {
			r.fail(pattern.place, "only lists of texts and of {\"prefix\": text} are understood")
		}
		all = append(all, one)
	}
	return all
}

// isPattern reports whether Fits understands a pattern.
func isPattern(pattern any) bool {
	switch p := pattern.(type) {
	case map[string]any:
		for _, inner := range p {
			if !isPattern(inner) {
				return false
			}
		}
		return true
	case []any:
		return !slices.ContainsFunc(p, func(choice any) bool {
			if _, ok := choice.(string); ok {
				return false
			}
			_, ok := prefixOf(choice)
			return !ok
		})
	}
	return false
}

func prefixOf(choice any) (string, bool) {
	m, _ := choice.(map[string]any)
	prefix, ok := m["prefix"].(string)
	return prefix, ok && len(m) == 1
}

// Fits reports whether data fits a pattern of Lambda's filters: every member of the pattern has to be in it.
func Fits(pattern map[string]any, data map[string]any) bool {
	for name, want := range pattern {
		switch want := want.(type) {
		case map[string]any:
			inner, ok := data[name].(map[string]any)
			if !ok || !Fits(want, inner) {
				return false
			}
		case []any:
			text, ok := data[name].(string)
			if !ok || !slices.ContainsFunc(want, func(choice any) bool {
				if prefix, ok := prefixOf(choice); ok {
					return strings.HasPrefix(text, prefix)
				}
				return choice == text
			}) {
				return false
			}
		}
	}
	return true
}

// isPartial reports whether a mapped function names what of a batch failed.
func (r *reader) isPartial(p value) (partial bool) {
	for _, kind := range p.get("FunctionResponseTypes").texts() {
		if kind != "ReportBatchItemFailures" {
			r.fail(p.place+".FunctionResponseTypes", "%q is not understood", kind)
		}
		partial = true
	}
	return partial
}
