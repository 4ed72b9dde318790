package cloud

import (
	"checkout/internal/local/cloud/endpoint"
)

// AdminSecret is the secret of AdminKey at the admin API, which also may do everything there.
const AdminSecret = "local"

// UserARN is the ARN of a user of the local account, AdminKey's is that of the user of this name.
func UserARN(name string) string { return endpoint.UserARN(account, name) }

// AdminURL is the address of the admin API, without a slash at its end; "" if the stack has none.
func (c *Cloud) AdminURL() string {
	if c.address[adminSide] == "" {
		return ""
	}
	return c.localhost(adminSide)
}

// AdminEnv is the environment of a program that works as administrator on the table and with the KMS key of these
// logical ids. Its calls are not counted.
func (c *Cloud) AdminEnv(table, key string) func(name string) string {
	env := map[string]string{
		"TABLE": c.TableName(table), "SECRETS_KEY_ID": c.keyID(key), "AWS_ENDPOINT_URL_KMS": c.EndpointURL(),
		"AWS_ENDPOINT_URL_DYNAMODB": c.DynamoDBURL(), "AWS_ENDPOINT_URL_STS": c.EndpointURL(),
		"AWS_ENDPOINT_URL_S3": c.EndpointURL(), "AUDIT_BUCKET": c.BucketName("AuditBucket"), "AWS_REGION": Region,
		"AWS_ACCESS_KEY_ID": AdminKey, "AWS_SECRET_ACCESS_KEY": AdminSecret, "LOCAL_RUN": "true",
	}
	return func(name string) string { return env[name] }
}
