package stack

import (
	"fmt"
	"slices"
	"testing"

	"checkout/internal/local/cloud/template"
	audited "checkout/internal/store"
)

// TestCopiesAreWrittenByTheCopierAlone holds the bucket's policy against roles and people that may do everything.
func TestCopiesAreWrittenByTheCopierAlone(t *testing.T) {
	read := readTemplate(t)
	bucket := read.Buckets[slices.IndexFunc(read.Buckets, func(b template.Bucket) bool { return b.ID == "AuditBucket" })]
	callers := map[string]string{"a person": "arn:aws:iam::000000000000:role/Admin", "a service of AWS": ""}
	for _, f := range read.Functions {
		callers[f.Name] = f.RoleARN
	}
	all := template.Statement{Actions: []string{"s3:*"}, Resources: []string{"*"}}
	for name, arn := range callers {
		context := template.Context{"aws:principalarn": {arn}}
		if arn == "" {
			context = nil
		}
		may := func(action string) bool {
			return template.Allows(append(bucket.Denials, all), action, bucket.ARN+"/audit/2030-03-04/0/1.json", context)
		}
		for _, action := range []string{"s3:PutObject", "s3:ReplicateObject"} {
			if may(action) != (name == "archive") {
				t.Errorf("%s may %s: %v", name, action, may(action))
			}
		}
		for _, action := range []string{
			"s3:DeleteObject", "s3:DeleteObjectVersion", "s3:ReplicateDelete", "s3:PutObjectRetention",
			"s3:PutObjectLegalHold", "s3:BypassGovernanceRetention",
		} {
			if may(action) {
				t.Errorf("%s may %s", name, action)
			}
		}
		if !may("s3:GetObjectVersion") {
			t.Errorf("%s may not read", name)
		}
	}
}

// TestCopiesOfAuditDocumentsAreLocked checks what only AWS does with the bucket: it keeps all versions, locks them for
// as long as the table has the documents or longer, expires them then, and outlives the stack.
func TestCopiesOfAuditDocumentsAreLocked(t *testing.T) {
	var file struct {
		Parameters struct {
			AuditDays struct {
				Default int `yaml:"Default"`
				Least   int `yaml:"MinValue"`
			} `yaml:"AuditDays"`
		} `yaml:"Parameters"`
		Resources struct {
			AuditBucket struct {
				Condition  string `yaml:"Condition"`
				Properties struct {
					Public     map[string]bool   `yaml:"PublicAccessBlockConfiguration"`
					Versioning map[string]string `yaml:"VersioningConfiguration"`
					Lock       bool              `yaml:"ObjectLockEnabled"`
					Locked     struct {
						Rule struct {
							Default struct {
								Mode []string `yaml:"Mode"` // if compliance, else
								Days string   `yaml:"Days"`
							} `yaml:"DefaultRetention"`
						} `yaml:"Rule"`
					} `yaml:"ObjectLockConfiguration"`
					Lifecycle struct {
						Rules []struct {
							Status string         `yaml:"Status"`
							Days   string         `yaml:"ExpirationInDays"`
							Older  map[string]int `yaml:"NoncurrentVersionExpiration"`
						} `yaml:"Rules"`
					} `yaml:"LifecycleConfiguration"`
				} `yaml:"Properties"`
			} `yaml:"AuditBucket"`
		} `yaml:"Resources"`
	}
	parse(t, &file)
	days := file.Parameters.AuditDays
	if kept := int(audited.AuditTTL.Hours() / 24); days.Default != kept || days.Least != kept {
		t.Errorf("%+v; the table has the documents for %d days", days, kept)
	}
	bucket := file.Resources.AuditBucket
	all, _ := resources(t)
	checkRetained(t, "AuditBucket", all["AuditBucket"])
	p := bucket.Properties
	lock, rules := p.Locked.Rule.Default, p.Lifecycle.Rules
	if bucket.Condition != "HasOperators" || p.Versioning["Status"] != "Enabled" || !p.Lock || lock.Days != "AuditDays" ||
		!slices.Equal(lock.Mode, []string{"AuditCompliance", "COMPLIANCE", "GOVERNANCE"}) ||
		len(rules) != 1 || rules[0].Status != "Enabled" || rules[0].Days != "AuditDays" ||
		rules[0].Older["NoncurrentDays"] != 1 {
		t.Errorf("AuditBucket is %+v", bucket)
	}
	for _, what := range []string{"BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets"} {
		if !p.Public[what] {
			t.Errorf("AuditBucket without %s", what)
		}
	}
	for mode, locked := range map[string]string{"governance": "400", "compliance": "3650"} {
		read, err := stack(t, map[string]string{"AuditLock": mode, "AuditDays": locked})
		if err != nil {
			t.Fatal(err)
		}
		isAudit := func(b template.Bucket) bool { return b.ID == "AuditBucket" }
		if b := read.Buckets[slices.IndexFunc(read.Buckets, isAudit)]; fmt.Sprint(b.LockDays) != locked {
			t.Errorf("%s for %s days: %+v", mode, locked, b)
		}
	}
}
