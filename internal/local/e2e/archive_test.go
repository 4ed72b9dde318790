package e2e

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/app"
	"checkout/internal/local/cloud/endpoint"
	"checkout/internal/operator/archive"
	"checkout/internal/operator/archive/s3"
	"checkout/internal/store"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
)

// audited is a site whose acts are copied.
type audited struct {
	*world
	table  app.Store
	bucket *s3.Bucket
	acts   int
}

func openAudited(t *testing.T) *audited {
	t.Helper()
	w := open(t, streams)
	env := w.cloud.AdminEnv("Table", "SecretsKey")
	table, err := app.OpenTable(t.Context(), env)
	if err != nil {
		t.Fatal(err)
	}
	url := env("AWS_ENDPOINT_URL_S3")
	return &audited{world: w, table: table, bucket: s3.NewBucket(aws.Config{
		Region: env("AWS_REGION"), BaseEndpoint: &url, HTTPClient: http.DefaultClient,
		Credentials: credentials.NewStaticCredentialsProvider(env("AWS_ACCESS_KEY_ID"), "local", ""),
	}, env("AUDIT_BUCKET"), time.Now)}
}

// act stores what an operator has changed.
func (a *audited) act() {
	a.t.Helper()
	a.acts++
	lines := slices.Repeat([]string{"name: 'ü & <b>' becomes another"}, a.acts%3*40) // some are stored compressed
	key := store.Key{Partition: store.AuditOf(time.Now(), a.acts%4, 1).Partition, Sort: fmt.Sprint("ü & +/", a.acts)}
	document := store.Encode(key, 0, app.AuditEntry{At: time.Now(), Changes: lines})
	if err := a.table.Save(a.t.Context(), time.Now(), document); err != nil {
		a.t.Fatal(err)
	}
}

// compared has the faults of the copies of two days, with those of the last minutes.
func (a *audited) compared() []string {
	a.t.Helper()
	in10Minutes := func() time.Time { return time.Now().Add(10 * time.Minute) }
	copies := archive.Copies{Table: a.table, Bucket: a.bucket, Now: in10Minutes}
	_, faults, err := copies.Compare(a.t.Context(), time.Now().Add(-24*time.Hour), time.Time{})
	if err != nil {
		a.t.Fatal(err)
	}
	return faults
}

func (a *audited) untilCopied() {
	a.t.Helper()
	copies := func() int {
		all, err := a.bucket.List(a.t.Context(), "")
		if err != nil {
			a.t.Fatal(err)
		}
		return len(all)
	}
	a.until("everything is copied", func() bool { return copies() >= a.acts && len(a.compared()) == 0 })
	if n := copies(); n != a.acts {
		a.t.Fatalf("%d versions of %d copies", n, a.acts)
	}
}

// records are those of the stream for all documents of acts.
func (a *audited) records() []string {
	var all []string
	for i, one := range a.items() {
		if strings.HasPrefix(one.pk, "audit/") {
			all = append(all, fmt.Sprintf(`{"eventName":"INSERT","dynamodb":{"Keys":{"pk":{"S":%q},"sk":{"S":%q}},`+
				`"SequenceNumber":"%d"}}`, one.pk, one.sk, i))
		}
	}
	return all
}

// The function dies at each of its calls, the bucket is away for a while, and records come again in another order. Each
// document has one copy of the same bytes.
func TestAuditDocumentsAreCopiedOnce(t *testing.T) {
	t.Parallel()
	a := openAudited(t)
	ways := []endpoint.Action{endpoint.KillBefore, endpoint.KillAfter, endpoint.DropResponse, endpoint.Refuse}
	for i := range 2 * len(ways) {
		operation := []string{"dynamodb:GetItem", "s3:PutObject"}[i%2]
		end := a.injects(&endpoint.Fault{Function: "archive", Operation: operation, Do: ways[i/2]}, "archive")
		a.act()
		a.untilCopied()
		end()
	}
	records := slices.Repeat(a.records(), 2)
	random := rand.New(rand.NewPCG(22, 22))
	random.Shuffle(len(records), func(i, j int) { records[i], records[j] = records[j], records[i] })
	result, err := a.cloud.Invoke(t.Context(), "archive", fmt.Appendf(nil, `{"Records":[%s]}`, strings.Join(records, ",")))
	if err != nil || string(result.Payload) != `{"batchItemFailures":[]}` || len(records) != 2*a.acts {
		t.Errorf("%d records: %s, %v", len(records), result.Payload, err)
	}
	a.untilCopied()
	if depth := a.depth("DeadArchive"); depth.Visible != 0 {
		t.Errorf("%d batches were given up", depth.Visible)
	}
	for name := range a.cloud.Snapshot()["archive"].AWS.Requests {
		if !slices.Contains([]string{"dynamodb:GetItem", "dynamodb:BatchGetItem", "s3:PutObject"}, name) {
			t.Errorf("the function called %s", name)
		}
	}
}

// What was given up has no copy until the next hour. What is changed in the table is told at once, and found.
func TestAuditDocumentsThatAreMissedOrChanged(t *testing.T) {
	t.Parallel()
	a := openAudited(t)
	away := a.cloud.Inject(endpoint.Fault{
		Function: "archive", Operation: "s3:PutObject", Times: 1000, Do: endpoint.Refuse})
	a.act()
	a.until("the record is given up", func() bool { return a.depth("DeadArchive").Visible == 1 })
	away.Cancel()
	if faults := a.compared(); len(faults) != 1 || !strings.HasSuffix(faults[0], ": has no copy") {
		t.Fatalf("%q", faults)
	}
	if err := a.cloud.Fire(t.Context(), "archive"); err != nil {
		t.Fatal(err)
	}
	env := a.cloud.AdminEnv("Table", "SecretsKey")
	if n, faults, err := app.CompareAudit(t.Context(), env, time.Time{}); n != 1 || faults != nil || err != nil {
		t.Errorf("%d documents, %q, %v", n, faults, err)
	}
	a.act()
	a.untilCopied()
	one := a.items()[slices.IndexFunc(a.items(), func(one item) bool { return strings.HasPrefix(one.pk, "audit/") })]
	update := map[string]any{"TableName": a.cloud.TableName("Table"),
		"Key": map[string]any{
			"pk": map[string]string{"S": one.pk}, "sk": map[string]string{"S": one.sk}},
		"UpdateExpression":          "SET doc = :doc REMOVE z",
		"ExpressionAttributeValues": map[string]any{":doc": map[string]string{"S": `{"who":"somebody else"}`}}}
	if err := engines.Tables().Call(t.Context(), "UpdateItem", update, nil); err != nil {
		t.Fatal(err)
	}
	a.until("it is told", func() bool { return a.depth("DeadArchive").Visible == 2 })
	if log := a.cloud.Logs("archive"); !strings.Contains(log, "somebody has changed it in the table") {
		t.Errorf("the log does not say what was changed: %s", log)
	}
	if faults := a.compared(); len(faults) != 1 || faults[0] != one.pk+"/"+one.sk+".json: differs from its copy" {
		t.Errorf("%q", faults)
	}
}
