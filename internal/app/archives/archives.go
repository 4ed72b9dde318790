// Package archives has the bucket of audit documents, and the functions that copy to it and compare with it.
package archives

import (
	"context"
	"log/slog"
	"slices"
	_ "time/tzdata" // the zones of operators' days, which a runtime may lack

	"github.com/aws/aws-lambda-go/events"

	"checkout/internal/api"
	"checkout/internal/app/function"
	"checkout/internal/checkout"
	"checkout/internal/merchant"
	"checkout/internal/operator"
	"checkout/internal/operator/archive"
	"checkout/internal/operator/archive/s3"
	"checkout/internal/operator/overview"
	"checkout/internal/operator/preview"
	"checkout/internal/operator/query"
	"checkout/internal/settings/change"
	"checkout/internal/store"
	"checkout/internal/store/stream"
)

// bucket returns the bucket of the copies, whose audit documents the function reads or writes by an action.
func bucket(b *function.Builder, core *checkout.Core, action string) *s3.Bucket {
	b.May("AuditBucket.Arn", "s3:ListBucketVersions")
	b.May("${AuditBucket.Arn}/audit/*", action)
	return s3.NewBucket(b.AWS("S3"), b.Variable("AUDIT_BUCKET"), core.Now)
}

// Adminread shows operators what happens, and makes the digest of each morning. It writes nothing but who reads lists
// with payers' data, into the audit log.
var Adminread = function.Function{Name: "adminread", Build: func(b *function.Builder) any {
	core := b.Core("GetItem BatchGetItem Query PutItem")
	b.Due("Query Scan")
	b.ListingTable("GetItem BatchGetItem Query PutItem")
	copies := archive.Copies{Table: core.Store, Bucket: bucket(b, core, "s3:GetObjectVersion"), Now: core.Now}
	auditor := operator.NewAuditor(core, copies.Compare)
	people := operator.NewPeople(core)
	drafts := &change.Merchants{Store: core.Store, Now: core.Now, Connectors: core.Declarations}
	previews := api.Previews{Drafts: drafts, Previewer: preview.New(core.Store, core.Now),
		Trials: merchant.NewTrials(core, b.BaseURL())}
	b.May("TicketTopic", "sns:Publish") // where Lambda sends the digest
	b.May("AlarmKey.Arn", "kms:Decrypt", "kms:GenerateDataKey")
	requests := b.AdminHTTP(core, slices.Concat(
		api.AdminRead(people, query.NewReader(core), auditor), api.AdminPreview(people, previews)))
	return function.WithDigest(requests, func(ctx context.Context) ([]string, error) { return overview.Digest(ctx, core) })
}}

// Archive copies audit documents when they are stored, and every hour those that have no copy.
var Archive = function.Function{Name: "archive", Build: func(b *function.Builder) any {
	core := b.Core("GetItem BatchGetItem Query")
	copies := bucket(b, core, "s3:PutObject")
	copyChanged := archive.NewCopier(core.Store, copies, core.Now).Copy
	return Handler(core.Log, copyChanged, archive.NewArchive(core.Store, copies, core.Now).Repair)
}}

// Handler returns the handler of the records of the main table's stream, whose changes are copied, and of the events of
// the schedule, which have none: then what has no copy is copied. copyChanged returns the changes that failed, and
// repair how many documents had no copy.
func Handler(
	log *slog.Logger, copyChanged func(context.Context, []archive.Change) ([]archive.Change, error),
	repair func(context.Context) (int, error),
) stream.Handler {
	ofStream := stream.NewHandler(log, changeOf, copyChanged)
	return func(ctx context.Context, changes stream.Changes) (events.DynamoDBEventResponse, error) {
		if len(changes.Records) > 0 {
			return ofStream(ctx, changes)
		}
		copied, err := repair(ctx)
		if copied > 0 || err != nil {
			log.WarnContext(ctx, "audit documents had no copy", "copied", copied, "error", err)
		}
		return events.DynamoDBEventResponse{BatchItemFailures: []events.DynamoDBBatchItemFailure{}}, err
	}
}

func changeOf(r stream.Record) archive.Change {
	keys := r.Change.Keys
	return archive.Change{Key: store.Key{Partition: keys.Partition.S, Sort: keys.Sort.S}, Event: r.Event}
}
