package endpoint

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/xml"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"checkout/internal/local/cloud/template"
)

// buckets play S3 in memory: they put, get, list and delete versions of objects, and lock them as the template says.
type buckets struct {
	mu      sync.Mutex
	all     []template.Bucket
	objects map[string][]version // by ARN; the latest version first
	last    int
	now     func() time.Time
}

// version is one version of an object.
type version struct {
	id          string
	content     []byte
	deleted     bool // it marks the object as deleted
	lockedUntil time.Time
}

// maxKeys is how many versions are listed at once.
const maxKeys = 1000

// s3Operation is the operation of a request that is signed for S3, as IAM names it. It is empty for any other request
// and for operations that are not known here.
func s3Operation(r *http.Request) string {
	if !strings.Contains(r.Header.Get("Authorization"), "/s3/aws4_request") {
		return ""
	}
	_, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	query := r.URL.Query()
	of := ""
	if query.Has("versionId") {
		of = "Version"
	}
	switch {
	case r.Method == http.MethodGet && key == "" && query.Has("versions"):
		return "ListBucketVersions"
	case key == "":
		return ""
	case r.Method == http.MethodPut && of == "":
		return "PutObject"
	case r.Method == http.MethodGet:
		return "GetObject" + of
	case r.Method == http.MethodDelete:
		return "DeleteObject" + of
	}
	return ""
}

// s3Resource is the ARN of the bucket or object of a request.
func s3Resource(r *http.Request) string {
	return "arn:aws:s3:::" + strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/"), "/")
}

func (b *buckets) run(q request) response {
	b.mu.Lock()
	defer b.mu.Unlock()
	arn := s3Resource(q.http)
	i := b.find(arn)
	if i < 0 {
		return s3Failure(http.StatusNotFound, "NoSuchBucket")
	}
	id := q.http.URL.Query().Get("versionId")
	at := slices.IndexFunc(b.objects[arn], func(v version) bool { return id == "" || id == v.id })
	switch q.operation {
	case "ListBucketVersions":
		return b.list(q.http, arn)
	case "PutObject":
		return b.put(q, b.all[i])
	case "DeleteObject":
		b.add(arn, version{deleted: true})
		return response{status: http.StatusNoContent}
	}
	if at < 0 || q.operation == "GetObject" && b.objects[arn][at].deleted {
		return s3Failure(http.StatusNotFound, "NoSuchKey")
	}
	v := b.objects[arn][at]
	switch {
	case q.operation == "DeleteObjectVersion" && b.now().Before(v.lockedUntil):
		return s3Failure(http.StatusForbidden, "AccessDenied")
	case q.operation == "DeleteObjectVersion":
		b.objects[arn] = slices.Delete(b.objects[arn], at, at+1)
		return response{status: http.StatusNoContent}
	case v.deleted:
		return s3Failure(http.StatusMethodNotAllowed, "MethodNotAllowed")
	}
	return response{status: http.StatusOK, body: v.content}
}

// find returns the index of the bucket that is, or has, a resource. It is -1 for none.
func (b *buckets) find(arn string) int {
	return slices.IndexFunc(b.all, func(one template.Bucket) bool {
		return arn == one.ARN || strings.HasPrefix(arn, one.ARN+"/")
	})
}

func (b *buckets) add(arn string, v version) {
	b.last++
	v.id = "v" + strconv.Itoa(b.last)
	b.objects[arn] = slices.Insert(b.objects[arn], 0, v)
}

func (b *buckets) put(q request, bucket template.Bucket) response {
	arn, header := s3Resource(q.http), q.http.Header
	sum, said := sha256.Sum256(q.body), header.Get("X-Amz-Checksum-Sha256")
	switch {
	case header.Get("X-Amz-Content-Sha256") != hex.EncodeToString(sum[:]):
		return s3Failure(http.StatusBadRequest, "XAmzContentSHA256Mismatch")
	case said == "" && bucket.LockDays > 0:
		return s3Failure(http.StatusBadRequest, "InvalidRequest") // an object that is locked needs one
	case said != "" && said != base64.StdEncoding.EncodeToString(sum[:]):
		return s3Failure(http.StatusBadRequest, "BadDigest")
	case header.Get("If-None-Match") == "*" && len(b.objects[arn]) > 0 && !b.objects[arn][0].deleted:
		return s3Failure(http.StatusPreconditionFailed, "PreconditionFailed")
	}
	b.add(arn, version{content: slices.Clone(q.body), lockedUntil: b.now().AddDate(0, 0, bucket.LockDays)})
	return response{status: http.StatusOK}
}

// listed is an entry of a list.
type listed struct {
	XMLName   xml.Name // Version or DeleteMarker
	Key       string
	VersionID string `xml:"VersionId"`
}

func (b *buckets) list(r *http.Request, arn string) response {
	var out struct {
		XMLName             xml.Name `xml:"ListVersionsResult"`
		Namespace           string   `xml:"xmlns,attr"`
		IsTruncated         bool
		NextKeyMarker       string `xml:",omitempty"`
		NextVersionIDMarker string `xml:"NextVersionIdMarker,omitempty"`
		Entries             []listed
	}
	out.Namespace = "http://s3.amazonaws.com/doc/2006-03-01/"
	query := r.URL.Query()
	after, afterID, skip := query.Get("key-marker"), query.Get("version-id-marker"), true
	for _, name := range slices.Sorted(maps.Keys(b.objects)) {
		key, inside := strings.CutPrefix(name, arn+"/")
		if !inside || !strings.HasPrefix(key, query.Get("prefix")) || key < after {
			continue
		}
		for _, v := range b.objects[name] {
			if key == after && skip {
				skip = v.id != afterID
				continue
			}
			if len(out.Entries) == maxKeys {
				last := out.Entries[maxKeys-1]
				out.IsTruncated, out.NextKeyMarker, out.NextVersionIDMarker = true, last.Key, last.VersionID
				return s3Response(http.StatusOK, out)
			}
			kind := "Version"
			if v.deleted {
				kind = "DeleteMarker"
			}
			out.Entries = append(out.Entries, listed{xml.Name{Local: kind}, key, v.id})
		}
	}
	return s3Response(http.StatusOK, out)
}

func s3Failure(status int, code string) response {
	return s3Response(status, struct {
		XMLName xml.Name `xml:"Error"`
		Code    string
	}{Code: code})
}

func s3Response(status int, out any) response {
	body, err := xml.Marshal(out)
	if err != nil {
		return broken(err.Error())
	}
	return response{status: status, header: http.Header{"Content-Type": {"application/xml"}}, body: body}
}
