package endpoint

import (
	"bytes"
	"net/http/httptest"
	"strings"
	"testing"

	"checkout/internal/local/cloud/template"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/kms/types"
)

// client is the SDK's own, with the access key id of a caller.
func client(server *httptest.Server, key string) *kms.Client {
	return kms.New(kms.Options{
		Region: "r", BaseEndpoint: aws.String(server.URL),
		Credentials: credentials.NewStaticCredentialsProvider(key, "secret", ""), RetryMaxAttempts: 1,
	})
}

// made is a fresh data key under a key, for {"a": "1", "b": "2"}.
func made(t *testing.T, c *kms.Client, key string) *kms.GenerateDataKeyOutput {
	t.Helper()
	out, err := c.GenerateDataKey(t.Context(), &kms.GenerateDataKeyInput{
		KeyId: aws.String(key), KeySpec: types.DataKeySpecAes256, EncryptionContext: map[string]string{"a": "1", "b": "2"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestDataKeysOpenAgain(t *testing.T) {
	_, server := local(t, template.Statement{Actions: []string{"kms:*"}, Resources: []string{"*"}})
	c := client(server, "LOCALF")
	one, two := made(t, c, "s"), made(t, c, "s")
	if len(one.Plaintext) != 32 || bytes.Equal(one.Plaintext, two.Plaintext) ||
		bytes.Contains(one.CiphertextBlob, one.Plaintext) {
		t.Errorf("%d bytes of a data key", len(one.Plaintext))
	}
	for _, name := range []*string{nil, aws.String("s"), aws.String("arn:s")} {
		out, err := c.Decrypt(t.Context(), &kms.DecryptInput{
			KeyId: name, CiphertextBlob: one.CiphertextBlob, EncryptionContext: map[string]string{"b": "2", "a": "1"},
		})
		if err != nil || !bytes.Equal(out.Plaintext, one.Plaintext) || aws.ToString(out.KeyId) != "arn:s" {
			t.Errorf("opened %+v, %v", out, err)
		}
	}
}

func TestDataKeysStayClosed(t *testing.T) {
	_, server := local(t, template.Statement{Actions: []string{"kms:*"}, Resources: []string{"*"}})
	c := client(server, "LOCALF")
	good := made(t, c, "s").CiphertextBlob
	_, other := local(t, template.Statement{Actions: []string{"kms:*"}, Resources: []string{"*"}})
	right := map[string]string{"a": "1", "b": "2"}
	flipped := bytes.Clone(good)
	flipped[len(flipped)-1] ^= 1
	for name, test := range map[string]struct {
		blob    []byte
		context map[string]string
		key     *string
		want    string
	}{
		"other value":       {good, map[string]string{"a": "1", "b": "3"}, nil, "InvalidCiphertextException"},
		"one member less":   {good, map[string]string{"a": "1"}, nil, "InvalidCiphertextException"},
		"no context":        {good, nil, nil, "InvalidCiphertextException"},
		"one bit":           {flipped, right, nil, "InvalidCiphertextException"},
		"cut":               {good[:len(good)-1], right, nil, "InvalidCiphertextException"},
		"of an earlier run": {made(t, client(other, "LOCALF"), "s").CiphertextBlob, right, nil, "InvalidCiphertextException"},
		"of another key": {bytes.Replace(good, []byte("arn:s"), []byte("arn:k"), 1), right, aws.String("s"),
			"IncorrectKeyException"},
		"of a strange key":  {bytes.Replace(good, []byte("arn:s"), []byte("arn:x"), 1), right, nil, "AccessDeniedException"},
		"wrong kind of key": {good, right, aws.String("k"), "UnsupportedOperationException"},
		"huge":              {make([]byte, maxBlob+1), right, nil, "ValidationException"},
	} {
		out, err := c.Decrypt(t.Context(),
			&kms.DecryptInput{KeyId: test.key, CiphertextBlob: test.blob, EncryptionContext: test.context})
		if err == nil || out != nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDecryptWithoutAKeysNameNeedsThePermissionAllTheSame(t *testing.T) {
	_, server := local(t, template.Statement{Actions: []string{"kms:Decrypt"}, Resources: []string{"arn:k"}})
	blob := made(t, client(server, AdminKey), "s").CiphertextBlob
	_, err := client(server, "LOCALF").Decrypt(t.Context(),
		&kms.DecryptInput{CiphertextBlob: blob, EncryptionContext: map[string]string{"a": "1", "b": "2"}})
	if err == nil || !strings.Contains(err.Error(), "not authorized to perform: kms:Decrypt on resource: arn:s") {
		t.Errorf("returned %v", err)
	}
}
