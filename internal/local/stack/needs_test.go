package stack

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"checkout/internal/app"

	"gopkg.in/yaml.v3"
)

// need is what a function needs to use something of the service: the name of a part in internal/app, and the actions
// that AWS has to allow, by resource.
type need struct {
	parts   []string // one of these, "" for what every function has
	actions map[string][]string
}

// The packages that needs contains.
const (
	core      = "checkout/internal/checkout."
	paid      = "checkout/internal/checkout/payment."
	payers    = "checkout/internal/payer."
	merchants = "checkout/internal/merchant."
	workers   = "checkout/internal/worker."
	operators = "checkout/internal/operator."
	apis      = "checkout/internal/api."
	settings  = "checkout/internal/settings."
	documents = "checkout/internal/store."
	callbacks = "checkout/internal/callback."
	cards     = "checkout/internal/card."
	listings  = "checkout/internal/operator/listing."
	archives  = "checkout/internal/operator/archive."
)

// needs has every use of a store, queue, key or other outside part of the service. The test fails for a use that is
// not listed here.
var needs = map[string]need{
	"(" + documents + "Store).Get":         {actions: on("Table.Arn", "dynamodb:GetItem")},
	"(" + documents + "Store).Get of many": {actions: on("Table.Arn", "dynamodb:BatchGetItem")},
	"(" + documents + "Store).Save":        {actions: on("Table.Arn", "dynamodb:PutItem")},
	"(" + documents + "Store).List":        {actions: on("Table.Arn", "dynamodb:Query")},
	"(" + documents + "Store).Due":         {actions: on("Table.Arn/index/due", "dynamodb:Query")},

	"(" + paid + "JobQueue).SendJob":         sends("job queues", "Jobs.Arn", "TestJobs.Arn"),
	"(" + callbacks + "Queue).SendCallback":  sends("callback queues", "Callbacks.Arn", "TestCallbacks.Arn"),
	"(*" + workers + "Service).moveApart":    sends("job queues for slow providers", "SlowJobs.Arn", "SlowTestJobs.Arn"),
	"(*" + workers + "Service).sendDueJobs":  sends("job queues for slow providers", "SlowJobs.Arn", "SlowTestJobs.Arn"),
	"(" + workers + "JobBatches).SendJobs":   sends("job queues", "Jobs.Arn", "TestJobs.Arn"),
	"(" + callbacks + "Queue).SendCallbacks": sends("callback queues", "Callbacks.Arn", "TestCallbacks.Arn"),
	"(" + callbacks + "Outbox).moveToSlow":   sends("queue for slow addresses", "SlowCallbacks.Arn"),

	// Reads and writes of the vault table, by the functions that do them.
	"(" + cards + "Keys).PublicKey":          inVault("dynamodb:GetItem"),
	"(" + cards + "Keys).loadDayKey":         inVault("dynamodb:GetItem"),
	"(" + cards + "Keys).hasDayKey":          inVault("dynamodb:BatchGetItem"),
	"(*" + cards + "DayKey).records":         inVault("dynamodb:PutItem"),
	"(" + cards + "Keys).deleteDayKeys":      inVault("dynamodb:DeleteItem"),
	paid + "SealedRecord":                    inVault("dynamodb:PutItem"),
	"(*" + workers + "Service).taskWithCard": inVault("dynamodb:BatchGetItem"),
	"(*" + paid + "Payment).CardDeletion":    inVault("dynamodb:DeleteItem"),

	"(" + merchants + "Sealer).Seal": {parts: []string{"vault that seals cards"}},
	"(" + cards + "Vault).NewDayKey": given("vault that makes keys of the day", "VaultKey.Arn",
		"kms:GenerateDataKeyPairWithoutPlaintext"),
	"(" + cards + "Vault).OpenDayKey": given("vault that opens cards", "VaultKey.Arn", "kms:Decrypt"),
	"(" + cards + "Vault).Encrypt":    given("vault that opens cards", "CardKey.Arn", "kms:GenerateDataKey"),
	"(" + cards + "Vault).Decrypt":    given("vault that opens cards", "CardKey.Arn", "kms:Decrypt"),

	"(" + settings + "Secrets).Uses":     {}, // returns which secrets the function has
	settings + "Merchant.Password":       given("merchants' passwords", "SecretsKey.Arn", "kms:Decrypt"),
	settings + "Merchant.CallbackSecret": given("merchants' callback secrets", "SecretsKey.Arn", "kms:Decrypt"),
	// What has wallets' keys in it, by the functions that hand it on.
	payers + "offeredApplePay":               given("merchants' identity at a wallet", "SecretsKey.Arn", "kms:Decrypt"),
	"(" + workers + "execution).walletToken": given("keys that open wallets' tokens", "SecretsKey.Arn", "kms:Decrypt"),
	"(" + settings + "MID).OpenCredentials":  given("MIDs' credentials", "SecretsKey.Arn", "kms:Decrypt"),

	"(" + listings + "Orders).List":    given("listing", "Table.Arn", "dynamodb:Query"),
	"(" + listings + "Documents).Get":  inListing("dynamodb:GetItem", "dynamodb:BatchGetItem"),
	"(" + listings + "Documents).Save": inListing("dynamodb:PutItem", "dynamodb:DeleteItem"),

	"(" + archives + "Documents).Get": given("bucket of audit documents", "Table.Arn", "dynamodb:GetItem",
		"dynamodb:BatchGetItem"),
	"(" + archives + "Table).List":  given("bucket of audit documents", "Table.Arn", "dynamodb:Query"),
	"(" + archives + "Reader).List": given("bucket of audit documents", "AuditBucket.Arn", "s3:ListBucketVersions"),
	"(" + archives + "Writer).Put":  given("bucket of audit documents", "${AuditBucket.Arn}/audit/*", "s3:PutObject"),

	operators + "Service.CompareAudit": {parts: []string{"copies of audit documents"}, actions: map[string][]string{
		"AuditBucket.Arn":            {"s3:ListBucketVersions"},
		"${AuditBucket.Arn}/audit/*": {"s3:GetObjectVersion"},
	}},

	// Reads of the listing table by operators, by the functions that do them.
	"(*" + operators + "reader).activeOwners":      readsListing("GetItem", "BatchGetItem", "Query"),
	"(*" + operators + "reader).fill":              readsListing("Query"),
	"(*" + operators + "Service).findByValue":      readsListing("GetItem", "BatchGetItem", "Query"),
	"(*" + operators + "Service).findInDay":        readsListing("Query"),
	"(*" + operators + "Service).ofChosenPayments": readsListing("GetItem", "BatchGetItem"),

	"(" + callbacks + "Sender).Send":                     {parts: []string{"sender of callbacks"}},
	core + "Core.BaseURL":                                {parts: []string{"base URL"}},
	"(" + workers + "Wallets).OpenToken":                 {parts: []string{"opener of wallets' tokens"}},
	"(" + payers + "MerchantSessions).Begin":             {parts: []string{"merchant sessions of Apple Pay"}},
	payers + "Service.WalletURL":                         {parts: []string{"page of wallets"}},
	workers + "Service.Connectors":                       {parts: []string{"connectors"}},
	"checkout/internal/connector/provider.Setup.BaseURL": {parts: []string{"base URL"}},
	"checkout/internal/operator/guard.Guard.HTTP":        {parts: []string{"pages as released"}},
	apis + "API.Sandbox":                                 {parts: []string{"sandbox's pages"}},
}

// common are the fields of the service and the API that every function has. The others are listed in needs, by
// themselves or by the methods of their interfaces.
var common = []string{
	core + "Core.Declarations", core + "Core.Now", core + "Core.Random", core + "Core.Log", core + "Core.Stack",
	core + "Core.KeyCache", core + "Core.Pause", workers + "Service.ProviderTimeout",
	apis + "API.Core", apis + "API.Payer", apis + "API.Merchant", apis + "API.Worker", apis + "API.Operator",
	apis + "API.OriginSecret", apis + "API.Version", merchants + "Service.Core", operators + "Service.Core",
	operators + "Service.Act",
}

// received are the actions that Lambda needs on a queue that is mapped to a function.
var received = []string{"sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:ChangeMessageVisibility",
	"sqs:GetQueueAttributes"}

// readsStream are the actions that Lambda needs on a stream that is mapped to a function.
var readsStream = []string{"dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator",
	"dynamodb:ListStreams"}

func inVault(action string) need {
	return given("vault table", "VaultTable.Arn", action)
}

func inListing(actions ...string) need {
	return given("listing", "Listing.Arn", actions...)
}

func readsListing(operations ...string) need {
	n := given("listing table", "Listing.Arn")
	for _, name := range operations {
		n.actions["Listing.Arn"] = append(n.actions["Listing.Arn"], "dynamodb:"+name)
	}
	return n
}

func given(part, resource string, actions ...string) need {
	return need{parts: []string{part}, actions: on(resource, actions...)}
}

func sends(part string, queues ...string) need {
	n := need{parts: []string{part}, actions: map[string][]string{}}
	for _, queue := range queues {
		n.actions[queue] = []string{"sqs:SendMessage"}
	}
	return n
}

func on(resource string, actions ...string) map[string][]string {
	return map[string][]string{resource: actions}
}

// uses returns which of the needs each function has and the path of calls to each, by following the code from its
// handler.
func uses(t *testing.T, c *calls) map[string]map[string]string {
	t.Helper()
	ends := func(node string) bool {
		_, listed := needs[node]
		return listed || node == "("+settings+"merchantReader).decryptInto" || // fills in what a function was given
			strings.HasPrefix(node, "checkout/internal/app/") && strings.Contains(node, ".add") // builds a part
	}
	all := map[string]map[string]string{}
	for name := range app.Functions() {
		used := map[string]string{}
		for node, way := range c.reach(ends, c.function(t, name)) {
			if _, listed := needs[node]; listed {
				used[node] = way
			} else if c.fields[node] && !slices.Contains(common, node) || c.ports[receiverOf(node)] {
				t.Errorf("needs does not list what the use of %s needs: %s", short(node), way)
			}
		}
		all[name] = used
	}
	return all
}

// TestFunctionsAreGivenWhatTheyUse derives from the code what of the service each function can use, and compares that
// with the parts that it is given and with what template.yaml allows.
func TestFunctionsAreGivenWhatTheyUse(t *testing.T) {
	c := readCalls(t)
	allowed, all := permissions(t), uses(t, c)
	for use := range needs {
		isUsed := func(used map[string]string) bool { return used[use] != "" }
		if !slices.ContainsFunc(slices.Collect(maps.Values(all)), isUsed) {
			t.Errorf("no function uses %s: the code is not followed as it should be, or the list is old", short(use))
		}
	}
	for name, used := range all {
		var parts []string
		for _, part := range app.Functions()[name].Parts {
			parts = append(parts, part.Name)
		}
		wanted, why, idle := map[string][]string{}, map[string]string{}, slices.Clone(parts)
		for _, use := range slices.Sorted(maps.Keys(used)) {
			n := needs[use]
			isGiven := func(part string) bool { return slices.Contains(parts, part) }
			if len(n.parts) > 0 && !slices.ContainsFunc(n.parts, isGiven) {
				t.Errorf("%s is not given the %s and can use it: %s", name, n.parts[0], used[use])
			}
			idle = slices.DeleteFunc(idle, func(part string) bool { return slices.Contains(n.parts, part) })
			for resource, actions := range n.actions {
				why[resource] += "\n\t" + used[use]
				wanted[resource] = append(wanted[resource], actions...)
			}
		}
		if len(idle) > 0 {
			t.Errorf("%s is given %q and uses none of it", name, idle)
		}
		logical := allowed.logical(name)
		for resource, actions := range allowed.mapped[logical] {
			wanted[resource] = append(wanted[resource], actions...)
		}
		of := allowed.of[logical]
		for _, resource := range sorted(slices.AppendSeq(slices.Collect(maps.Keys(of)), maps.Keys(wanted))) {
			if has, uses := sorted(of[resource]), sorted(wanted[resource]); !slices.Equal(has, uses) {
				t.Errorf("%s: template.yaml allows %v on %s, the code uses %v:%s", name, has, resource, uses, why[resource])
			}
		}
	}
}

// logical is the logical id of a function.
func (a allowance) logical(function string) string {
	for id := range a.of {
		if strings.EqualFold(id, function+"Function") {
			return id
		}
	}
	return ""
}

// exported is a name as Go exports it.
func exported(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

func sorted(list []string) []string { return slices.Compact(slices.Sorted(slices.Values(list))) }

// allowance is what template.yaml allows: actions by function and resource, and those that come with a mapped queue.
type allowance struct {
	of, mapped map[string]map[string][]string
}

// policy is a policy of a function or a role, or a resource by itself.
type policy struct {
	Statement      []allow `yaml:"Statement"`
	PolicyDocument struct {
		Statement []allow `yaml:"Statement"`
	} `yaml:"PolicyDocument"`
}

type allow struct {
	Effect   string    `yaml:"Effect"`
	Action   yaml.Node `yaml:"Action"`
	Resource yaml.Node `yaml:"Resource"`
}

// values are the texts of a scalar or a list. Of an If it takes the value for the default parameters.
func values(n yaml.Node) []string {
	switch {
	case n.Kind == yaml.AliasNode:
		return values(*n.Alias)
	case n.Tag == "!If":
		return values(*n.Content[2])
	case n.Tag == "!Join":
		return []string{strings.Join(values(*n.Content[1]), n.Content[0].Value)}
	}
	if n.Kind == yaml.ScalarNode {
		return []string{n.Value}
	}
	var all []string
	for _, e := range n.Content {
		if e.Kind == yaml.AliasNode {
			e = e.Alias
		}
		all = append(all, values(*e)...)
	}
	return all
}

// permissions reads what template.yaml allows each function, in its own policies, in its role's, and in those added to
// its role.
func permissions(t *testing.T) allowance {
	t.Helper()
	var template struct {
		Resources map[string]struct {
			Type       string `yaml:"Type"`
			Properties struct {
				policy      `yaml:",inline"`
				Policies    yaml.Node `yaml:"Policies"`
				Role        string    `yaml:"Role"`
				Roles       []string  `yaml:"Roles"`
				Function    string    `yaml:"FunctionName"`
				EventSource yaml.Node `yaml:"EventSourceArn"`
				Failed      struct {
					To struct {
						Queue string `yaml:"Destination"`
					} `yaml:"OnFailure"`
				} `yaml:"DestinationConfig"`
			} `yaml:"Properties"`
		} `yaml:"Resources"`
	}
	parse(t, &template)
	all := allowance{map[string]map[string][]string{}, map[string]map[string][]string{}}
	roles := map[string]string{} // the function of a role
	for name, r := range template.Resources {
		if r.Type == "AWS::Serverless::Function" {
			all.of[name] = map[string][]string{}
			roles[strings.TrimSuffix(r.Properties.Role, ".Arn")] = name
		}
	}
	for name, r := range template.Resources {
		p := r.Properties
		switch r.Type {
		case "AWS::Serverless::Function", "AWS::IAM::Role":
			var policies []policy
			if err := p.Policies.Decode(&policies); err != nil && !p.Policies.IsZero() {
				t.Fatalf("%s: %v", name, err)
			}
			if r.Type == "AWS::IAM::Role" {
				name = roles[name]
			}
			all.add(t, name, policies...)
		case "AWS::IAM::Policy":
			for _, role := range p.Roles {
				all.add(t, roles[role], p.policy)
			}
		case "AWS::Lambda::EventSourceMapping":
			function := strings.TrimSuffix(p.Function, ".Alias")
			if all.mapped[function] == nil {
				all.mapped[function] = map[string][]string{}
			}
			source := values(p.EventSource)[0]
			all.mapped[function][source] = received
			if strings.HasSuffix(source, ".StreamArn") {
				all.mapped[function][source] = readsStream
				all.mapped[function][p.Failed.To.Queue] = []string{"sqs:SendMessage"}
			}
		}
	}
	return all
}

func (a allowance) add(t *testing.T, function string, policies ...policy) {
	t.Helper()
	if a.of[function] == nil {
		return // a role of something else
	}
	for _, p := range policies {
		for _, s := range append(p.Statement, p.PolicyDocument.Statement...) {
			if s.Effect != "Allow" {
				continue
			}
			for _, resource := range values(s.Resource) {
				for _, action := range values(s.Action) {
					if service, _, _ := strings.Cut(action, ":"); service != "logs" && service != "xray" {
						a.of[function][resource] = append(a.of[function][resource], action)
					}
				}
			}
		}
	}
}
