package function

import (
	"io"
	"maps"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/kms"
)

// Region, credentials and endpoints are those of Lambda's environment. The endpoint of a service takes precedence over
// the endpoint of all.
func TestClientsAreMadeOfTheEnvironment(t *testing.T) {
	env := map[string]string{
		"AWS_REGION":        "eu-central-1",
		"AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_SESSION_TOKEN": "token",
	}
	with := func(more map[string]string) Env {
		all := maps.Clone(env)
		maps.Copy(all, more)
		return func(name string) string { return all[name] }
	}
	const one, all = "http://127.0.0.1:1", "http://127.0.0.1:2"
	for _, test := range []struct {
		env           map[string]string
		dynamodb, kms string
	}{
		{nil, "", ""},
		{map[string]string{"AWS_ENDPOINT_URL": all}, all, all},
		{map[string]string{"AWS_ENDPOINT_URL_DYNAMODB": one}, one, ""},
		{map[string]string{"AWS_ENDPOINT_URL_DYNAMODB": one, "AWS_ENDPOINT_URL": all}, one, all},
	} {
		t.Run("", func(t *testing.T) {
			for name, value := range test.env { // the SDK reads some of them
				t.Setenv(name, value)
			}
			account := awsConfig(with(test.env), Logger(io.Discard))
			table := dynamodb.NewFromConfig(account("DYNAMODB")).Options()
			if got := deref(table.BaseEndpoint); got != test.dynamodb {
				t.Errorf("%v: DynamoDB at %q", test.env, got)
			}
			if got := deref(kms.NewFromConfig(account("KMS")).Options().BaseEndpoint); got != test.kms {
				t.Errorf("%v: KMS at %q", test.env, got)
			}
			got, err := table.Credentials.Retrieve(t.Context())
			keys := got.AccessKeyID + " " + got.SecretAccessKey + " " + got.SessionToken
			if err != nil || table.Region != "eu-central-1" || keys != "id secret token" {
				t.Errorf("region %q, credentials %v, %v", table.Region, got, err)
			}
		})
	}
}

func deref(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
