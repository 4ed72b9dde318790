package dynamo

import (
	"bytes"
	"compress/flate"
	"io"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// mostPlain is the most bytes of an item that stays as it can be read. DynamoDB writes 1,024 for one unit; those just
// below that took one at one time and two at another.
const mostPlain = 976

// maxDocument is more than any document has, in bytes.
const maxDocument = 1 << 20

// shrink stores the document of an item compressed (RFC 1951), as z in place of doc, if the item has more than
// mostPlain bytes as it is and fewer so.
func shrink(it item, doc []byte) {
	if itemSize(it) <= mostPlain {
		return
	}
	if compressed := deflate(doc); len(compressed)+len("z") < len(doc)+len("doc") {
		delete(it, "doc")
		it["z"] = &types.AttributeValueMemberB{Value: compressed}
	}
}

// documentIn is the document of an item, nil if it has none.
func documentIn(it item) ([]byte, error) {
	switch doc := it["doc"].(type) {
	case *types.AttributeValueMemberS:
		return []byte(doc.Value), nil
	case nil:
	default:
		return nil, errItem
	}
	compressed, ok := it["z"].(*types.AttributeValueMemberB)
	if !ok {
		return nil, errItem
	}
	return inflate(compressed.Value)
}

// itemSize is the size of an item of ours in bytes, at most a few more than what DynamoDB counts.
func itemSize(it item) int {
	size := 0
	for name, value := range it {
		size += len(name)
		switch value := value.(type) {
		case *types.AttributeValueMemberS:
			size += len(value.Value)
		case *types.AttributeValueMemberN:
			size += len(value.Value)/2 + 1
		case *types.AttributeValueMemberB:
			size += len(value.Value)
		}
	}
	return size
}

// writers are compressors that are used again: a new one takes more memory than a request.
var writers = sync.Pool{New: func() any {
	w, err := flate.NewWriter(nil, flate.DefaultCompression)
	if err != nil {
		panic(err) // the level is one of the package's own
	}
	return w
}}

func deflate(doc []byte) []byte {
	var out bytes.Buffer
	w := writers.Get().(*flate.Writer)
	defer writers.Put(w)
	w.Reset(&out)
	w.Write(doc) // to memory, which never fails
	w.Close()
	return out.Bytes()
}

func inflate(compressed []byte) ([]byte, error) {
	doc, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(compressed)), maxDocument+1))
	if err != nil || len(doc) > maxDocument {
		return nil, errItem
	}
	return doc, nil
}
