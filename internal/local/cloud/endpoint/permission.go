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
type need struct {
	action, resource string
	context          template.Context
	key              *template.Key        // the KMS key, whose own policy has to allow the action too; nil for others
	denials          []template.Statement // of the resource's own policy
}

// refuse returns the error response for a caller whose policies do not allow a request, nil if they do.
func (e *Endpoint) refuse(q request) *response {
	if q.admin {
		return nil
	}
	needs, err := e.needs(q)
	if err != nil {
		a := faulty(err)
		return &a
	}
	for _, n := range needs {
		if e.config.Needed != nil {
			e.config.Needed(q.caller.Name, n.action, n.resource, n.context)
		}
		because := fmt.Sprintf("no identity-based policy allows the %s action", n.action)
		allowed := false
		if n.key == nil {
			statements := slices.Concat(q.caller.Policies, n.denials)
			allowed = template.Allows(statements, n.action, n.resource, n.context)
		} else {
			caller := template.Caller{RoleARN: q.caller.RoleARN, Policies: q.caller.Policies}
			decision := template.AllowsKey(*n.key, caller, n.action, n.context)
			if allowed = decision == template.KeyAllowed; decision == template.KeyDenied {
				because = "with an explicit deny in a resource-based policy"
			}
		}
		if !allowed {
			a := denied(q, n, e.config.Account, because)
			return &a
		}
	}
	return nil
}

func denied(q request, n need, account, because string) response {
	a := failure("com.amazon.coral.service#AccessDeniedException", fmt.Sprintf(
		"User: %s is not authorized to perform: %s on resource: %s because %s", q.session(account), n.action, n.resource,
		because))
	switch q.service {
	case "sqs":
		a.status = http.StatusForbidden
	case "s3":
		a = s3Failure(http.StatusForbidden, "AccessDenied")
	}
	return a
}

// needs lists the permissions for a request.
func (e *Endpoint) needs(q request) ([]need, error) {
	switch q.service {
	case "s3":
		resource := s3Resource(q.http)
		one := need{action: q.name(), resource: resource, context: template.Context{"aws:principalarn": {q.caller.RoleARN}}}
		if i := e.buckets.find(resource); i >= 0 {
			one.denials = e.config.Buckets[i].Denials
		}
		return []need{one}, nil
	case "dynamodb":
		return e.tableNeeds(q)
	case "sqs":
		name := queueName(q.body)
		if name == "" {
			return []need{{action: "sqs:" + q.operation, resource: "*"}}, nil
		}
		action := strings.TrimSuffix(q.operation, "Batch") // the batch operations have no action of their own
		return []need{{action: "sqs:" + action, resource: e.arn("sqs", name)}}, nil
	}
	key, err := e.kms.find(q)
	if err != nil {
		return nil, err
	}
	return []need{{
		action: "kms:" + q.operation, resource: key.ARN, context: encryptionContext(q.body), key: &key,
	}}, nil
}

func (e *Endpoint) arn(service, rest string) string {
	return "arn:aws:" + service + ":" + e.config.Region + ":" + e.config.Account + ":" + rest
}

// transactActions are the actions that the items of a transaction need. There is none for the transaction itself.
var transactActions = map[string]string{
	"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem", "ConditionCheck": "ConditionCheckItem",
	"Get": "GetItem",
}

func (e *Endpoint) tableNeeds(q request) ([]need, error) {
	var in struct {
		keyed
		TransactItems []map[string]keyed
		RequestItems  map[string]keyed
	}
	if err := json.Unmarshal(q.body, &in); err != nil {
		return nil, fmt.Errorf("the request is no JSON object that can be understood")
	}
	switch q.operation {
	case "TransactWriteItems", "TransactGetItems":
		var needs []need
		for _, item := range in.TransactItems {
			for kind, target := range item {
				context := e.leadingKeys(target.TableName, target)
				context["dynamodb:enclosingoperation"] = []string{q.operation}
				needs = append(needs, need{
					action: "dynamodb:" + transactActions[kind], resource: e.tableARN(target.TableName), context: context,
				})
			}
		}
		return needs, nil
	case "BatchGetItem", "BatchWriteItem":
		var needs []need
		for _, table := range slices.Sorted(maps.Keys(in.RequestItems)) {
			keys := e.leadingKeys(table, in.RequestItems[table])
			needs = append(needs, need{action: q.name(), resource: e.tableARN(table), context: keys})
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
	return []need{{action: q.name(), resource: resource, context: e.leadingKeys(in.TableName, in.keyed)}}, nil
}

// encryptionContext has the condition keys of a KMS request.
func encryptionContext(body []byte) template.Context {
	var in struct{ EncryptionContext map[string]string }
	if json.Unmarshal(body, &in) != nil {
		return nil // the request is refused for that
	}
	context := template.Context{}
	for name, value := range in.EncryptionContext {
		context["kms:encryptioncontext:"+strings.ToLower(name)] = []string{value}
	}
	return context
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
