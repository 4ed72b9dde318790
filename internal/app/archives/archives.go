// Package archives has the part of the service that copies audit documents to a bucket, and the function that needs it.
package archives

import (
	"checkout/internal/app/function"
	"checkout/internal/archive"
	"checkout/internal/archive/s3"
	"checkout/internal/store"
	"checkout/internal/stream"
)

// Bucket is the bucket of the copies.
var Bucket = function.Part{Name: "bucket of audit documents", Needs: []string{"AUDIT_BUCKET"}, Add: addBucket}

func addBucket(b *function.Builder) {
	bucket := s3.NewBucket(b.AWS("S3"), b.Env("AUDIT_BUCKET"), b.Core.Now)
	b.CopyAudit = archive.NewCopier(b.Core.Store, bucket, b.Core.Now).Copy
}

// Archive copies audit documents when they are stored.
var Archive = function.Function{Name: "archive", Parts: []*function.Part{&Bucket}, Entry: copyAudit}

// copyAudit handles the records of the main table's stream.
func copyAudit(a *function.App, _ function.Function) any {
	return stream.NewHandler(a.Core.Log, changeOf, a.CopyAudit)
}

func changeOf(r stream.Record) archive.Change {
	keys := r.Change.Keys
	return archive.Change{Key: store.Key{Partition: keys.Partition.S, Sort: keys.Sort.S}, Event: r.Event}
}
