// Package archives has the parts of the service that copy audit documents to a bucket and compare them with their
// copies, and the functions that need these.
package archives

import (
	"checkout/internal/api"
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
