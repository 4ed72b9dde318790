package template

import "strings"

// tableParts are the properties that CreateTable takes as they are. The others are settings that only AWS has.
var tableParts = []string{
	"AttributeDefinitions", "KeySchema", "BillingMode", "LocalSecondaryIndexes", "ProvisionedThroughput",
}

// indexParts are the properties of an index that CreateTable takes as they are.
var indexParts = []string{"IndexName", "KeySchema", "Projection", "ProvisionedThroughput"}

func (r *reader) readTables(t *Template) {
	for _, x := range r.of("AWS::DynamoDB::Table") {
		p := r.props(x)
		table := Table{ID: x.id, Name: r.refOf(x), ARN: r.attributes(x)["Arn"], Definition: map[string]any{}}
		table.Definition["TableName"] = table.Name
		for _, part := range tableParts {
			if v := p.get(part); v.present() {
				table.Definition[part] = v.data
			}
		}
		var indexes []any
		for _, index := range p.get("GlobalSecondaryIndexes").list() {
			definition := map[string]any{}
			for _, part := range indexParts {
				if v := index.get(part); v.present() {
					definition[part] = v.data
				}
			}
			indexes = append(indexes, definition)
		}
		if indexes != nil {
			table.Definition["GlobalSecondaryIndexes"] = indexes
		}
		if stream := p.get("StreamSpecification"); stream.present() {
			table.StreamARN = r.attributes(x)["StreamArn"]
			table.Definition["StreamSpecification"] = map[string]any{
				"StreamEnabled": true, "StreamViewType": stream.get("StreamViewType").need(),
			}
		}
		if ttl := p.get("TimeToLiveSpecification"); ttl.present() {
			table.TTL = ttl.get("AttributeName").need()
			if !ttl.get("Enabled").yes(false) {
				table.TTL = ""
			}
		}
		t.Tables = append(t.Tables, table)
	}
}

var queueParts = []string{
	"DelaySeconds", "MaximumMessageSize", "MessageRetentionPeriod", "ReceiveMessageWaitTimeSeconds", "VisibilityTimeout",
}

func (r *reader) readQueues(t *Template) {
	for _, x := range r.of("AWS::SQS::Queue") {
		p := r.props(x)
		a := r.attributes(x)
		queue := Queue{ID: x.id, Name: a["QueueName"], ARN: a["Arn"], URL: a["QueueUrl"], Attributes: map[string]string{}}
		for _, part := range queueParts {
			if v := p.get(part); v.present() {
				v.number(0)
				queue.Attributes[part] = v.text()
			}
		}
		if p.get("FifoQueue").yes(false) {
			r.fail(p.place+".FifoQueue", "is not understood: standard queues only")
		}
		if redrive := p.get("RedrivePolicy"); redrive.present() {
			queue.DeadLetter = redrive.get("deadLetterTargetArn").need()
			queue.MaxReceive = redrive.get("maxReceiveCount").number(0)
			if queue.MaxReceive < 1 || queue.MaxReceive > 1000 {
				r.fail(redrive.place+".maxReceiveCount", "should be 1 to 1000")
			}
		}
		t.Queues = append(t.Queues, queue)
	}
}

func (r *reader) readBuckets(t *Template) {
	for _, x := range r.of("AWS::S3::Bucket") {
		p := r.props(x)
		lock := p.get("ObjectLockConfiguration")
		days := lock.get("Rule").get("DefaultRetention").get("Days").number(0)
		if lock.present() && !p.get("ObjectLockEnabled").yes(false) {
			r.fail(lock.place, "needs ObjectLockEnabled")
		}
		bucket := Bucket{ID: x.id, Name: r.refOf(x), ARN: r.attributes(x)["Arn"], LockDays: days}
		for _, y := range r.of("AWS::S3::BucketPolicy") {
			if policy := r.props(y); policy.get("Bucket").need() == bucket.Name {
				bucket.Denials = append(bucket.Denials, r.bucketDenials(policy.get("PolicyDocument"))...)
			}
		}
		t.Buckets = append(t.Buckets, bucket)
	}
}

func (r *reader) readKeys(t *Template) {
	for _, x := range r.of("AWS::KMS::Key") {
		p := r.props(x)
		key := Key{ID: x.id, KeyID: r.refOf(x), ARN: r.attributes(x)["Arn"], Spec: p.get("KeySpec").text(),
			Usage: p.get("KeyUsage").text()}
		if key.Spec == "" {
			key.Spec = "SYMMETRIC_DEFAULT"
		}
		if key.Usage == "" {
			key.Usage = "ENCRYPT_DECRYPT"
		}
		key.Policy = r.keyPolicy(p.get("KeyPolicy"))
		t.Keys = append(t.Keys, key)
	}
	for _, x := range r.of("AWS::KMS::Alias") {
		p := r.props(x)
		target, name := p.get("TargetKeyId").need(), p.get("AliasName").need()
		if !strings.HasPrefix(name, "alias/") {
			r.fail(p.place+".AliasName", "should begin with alias/")
		}
		found := false
		for i, key := range t.Keys {
			if target == key.KeyID || target == key.ARN {
				t.Keys[i].Aliases = append(t.Keys[i].Aliases, name)
				found = true
			}
		}
		if !found {
			r.fail(p.place+".TargetKeyId", "no key of this template: %s", target)
		}
	}
}
