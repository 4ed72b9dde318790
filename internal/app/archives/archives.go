// Package archives has the parts of the service that copy audit documents to a bucket and compare them with their
// copies, and the functions that need these.
package archives

import (
	"context"

	"github.com/aws/aws-lambda-go/events"

	"checkout/internal/api"
	"checkout/internal/app/function"
	"checkout/internal/operator/archive"
	"checkout/internal/operator/archive/s3"
	"checkout/internal/store"
	"checkout/internal/store/stream"
)

// Bucket is the bucket of the copies.
var Bucket = function.Part{Name: "bucket of audit documents", Needs: []string{"AUDIT_BUCKET"}, Add: addBucket}

func addBucket(b *function.Builder) {
	bucket := s3.NewBucket(b.AWS("S3"), b.Env("AUDIT_BUCKET"), b.Core.Now)
	b.CopyAudit = archive.NewCopier(b.Core.Store, bucket, b.Core.Now).Copy
	b.RepairAudit = archive.NewArchive(b.Core.Store, bucket, b.Core.Now).Repair
}

// Copies are the copies in that bucket, to be read.
var Copies = function.Part{Name: "copies of audit documents", Needs: []string{"AUDIT_BUCKET"}, Add: addCopies}

func addCopies(b *function.Builder) {
	bucket := s3.NewBucket(b.AWS("S3"), b.Env("AUDIT_BUCKET"), b.Core.Now)
	b.Operator.CompareAudit = archive.Copies{Table: b.Core.Store, Bucket: bucket, Now: b.Core.Now}.Compare
}

// Adminread shows operators what happens. It writes nothing.
var Adminread = function.Function{
	Name: "adminread", Parts: []*function.Part{&function.ListingTable, &Copies}, Entry: function.AdminHTTP,
	Routes: &api.AdminRead, Open: true,
}

// Archive copies audit documents when they are stored, and every hour those that have no copy.
var Archive = function.Function{Name: "archive", Parts: []*function.Part{&Bucket}, Entry: copyAudit}

// copyAudit handles the records of the main table's stream, and the events of the schedule, which have none.
func copyAudit(a *function.App, _ function.Function) any {
	ofStream := stream.NewHandler(a.Core.Log, changeOf, a.CopyAudit)
	return stream.Handler(func(ctx context.Context, changes stream.Changes) (events.DynamoDBEventResponse, error) {
		if len(changes.Records) > 0 {
			return ofStream(ctx, changes)
		}
		copied, err := a.RepairAudit(ctx)
		if copied > 0 || err != nil {
			a.Core.Log.WarnContext(ctx, "audit documents had no copy", "copied", copied, "error", err)
		}
		return events.DynamoDBEventResponse{BatchItemFailures: []events.DynamoDBBatchItemFailure{}}, err
	})
}

func changeOf(r stream.Record) archive.Change {
	keys := r.Change.Keys
	return archive.Change{Key: store.Key{Partition: keys.Partition.S, Sort: keys.Sort.S}, Event: r.Event}
}
