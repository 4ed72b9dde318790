package main

import (
	"encoding/json"
	"os"
	"strings"

	"checkout/internal/local/cloud"
)

// writeEnvironment writes the file that `sam local invoke --env-vars` reads: the environment of each function by its
// logical id, with the AWS endpoint under the name that containers have for this machine's loopback address.
func writeEnvironment(c *cloud.Cloud, file string) error {
	endpoint := c.EndpointURL()
	seen := strings.Replace(endpoint, "//127.0.0.1:", "//host.docker.internal:", 1)
	all := map[string]map[string]string{}
	for _, f := range c.Template().Functions {
		all[f.ID] = map[string]string{"AWS_ENDPOINT_URL": seen}
		for name, value := range f.Environment {
			all[f.ID][name] = strings.Replace(value, endpoint, seen, 1)
		}
		if f.Environment["ORIGIN_SECRET"] != "" {
			all[f.ID]["ORIGIN_SECRET"] = "off" // sample events don't come from CloudFront
		}
	}
	return writeJSON(file, all)
}

// writeCommand writes the file that checkout use reads: what the operator's command needs to work on this run.
func writeCommand(c *cloud.Cloud, simulator, file string) error {
	env := c.AdminEnv("Table", "SecretsKey")
	settings := map[string]string{
		"CHECKOUT_URL": c.AdminURL(), "LISTING_TABLE": c.TableName("Listing"), "BASE_URL": c.BaseURL(),
		"SIMULATOR_URL": simulator, "AWS_SESSION_TOKEN": "", // whatever the shell has
	}
	for _, name := range []string{
		"TABLE", "SECRETS_KEY_ID", "AUDIT_BUCKET", "AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL_KMS",
		"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL_STS", "AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
		"LOCAL_RUN", // whose merchants may have the simulator as their provider
	} {
		settings[name] = env(name)
	}
	return writeJSON(file, map[string]any{"stack": "run-aws", "region": cloud.Region, "settings": settings})
}

// writeJSON writes a file for this user alone.
func writeJSON(file string, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o600)
}
