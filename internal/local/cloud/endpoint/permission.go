package endpoint

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"

	"checkout/internal/local/cloud/template"
)

// need is one permission that a request needs.
type need struct{ action, resource string }

// refuse gives the answer to a caller whose policies do not allow a request, nil when they do.
func (e *Endpoint) refuse(q request) *answer {
	if q.admin {
		return nil
	}
	needs, err := e.needs(q)
	if err != nil {
		a := faulty(err)
		return &a
	}
	for _, n := range needs {
		if !template.Allows(q.caller.Policies, n.action, n.resource) {
			a := denied(q, n, e.config.Account)
			return &a
		}
	}
	return nil
}

func denied(q request, n need, account string) answer {
	a := failure("com.amazon.coral.service#AccessDeniedException", fmt.Sprintf(
		"User: arn:aws:sts::%s:assumed-role/%sRole/%s is not authorized to perform: %s on resource: %s because no identity-based policy allows the %s action",
		account, q.caller.FullName, q.caller.FullName, n.action, n.resource, n.action))
	if q.service == "sqs" {
		a.status = http.StatusForbidden
	}
	return a
}

// needs lists the permissions for a request.
func (e *Endpoint) needs(q request) ([]need, error) {
	switch q.service {
	case "dynamodb":
		return e.tableNeeds(q)
	case "sqs":
		name := queueName(q.body)
		if name == "" {
			return []need{{"sqs:" + q.operation, "*"}}, nil
		}
		action := strings.TrimSuffix(q.operation, "Batch") // the batch operations have no action of their own
		return []need{{"sqs:" + action, e.arn("sqs", name)}}, nil
	}
	key, err := e.vault.find(q)
	if err != nil {
		return nil, err
	}
	return []need{{"kms:" + q.operation, key.ARN}}, nil
}

func (e *Endpoint) arn(service, rest string) string {
	return "arn:aws:" + service + ":" + e.config.Region + ":" + e.config.Account + ":" + rest
}

// transactActions are the actions behind the items of a transaction: TransactWriteItems itself is not one.
var transactActions = map[string]string{
	"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem", "ConditionCheck": "ConditionCheckItem", "Get": "GetItem",
}

func (e *Endpoint) tableNeeds(q request) ([]need, error) {
	type named struct{ TableName string }
	var in struct {
		TableName     string
		IndexName     string
		TransactItems []map[string]named
		RequestItems  map[string]json.RawMessage
	}
	if err := json.Unmarshal(q.body, &in); err != nil {
		return nil, fmt.Errorf("the request is no JSON object that can be understood")
	}
	switch q.operation {
	case "TransactWriteItems", "TransactGetItems":
		var needs []need
		for _, item := range in.TransactItems {
			for kind, target := range item {
				needs = append(needs, need{"dynamodb:" + transactActions[kind], e.tableARN(target.TableName)})
			}
		}
		return needs, nil
	case "BatchGetItem", "BatchWriteItem":
		var needs []need
		for _, table := range slices.Sorted(maps.Keys(in.RequestItems)) {
			needs = append(needs, need{q.name(), e.tableARN(table)})
		}
		return needs, nil
	}
	resource := "*"
	if in.TableName != "" {
		resource = e.tableARN(in.TableName)
	}
	if in.IndexName != "" {
		resource += "/index/" + in.IndexName
	}
	return []need{{q.name(), resource}}, nil
}

func (e *Endpoint) tableARN(name string) string {
	if strings.HasPrefix(name, "arn:") {
		return name
	}
	return e.arn("dynamodb", "table/"+name)
}

// queueName is the name of the queue that an SQS request is about.
func queueName(body []byte) string {
	var in struct{ QueueUrl, QueueName string }
	if json.Unmarshal(body, &in) != nil {
		return ""
	}
	if in.QueueUrl != "" {
		return path.Base(in.QueueUrl)
	}
	return in.QueueName
}
