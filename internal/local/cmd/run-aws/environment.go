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
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o600)
}
