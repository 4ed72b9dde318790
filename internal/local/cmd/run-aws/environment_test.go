package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"checkout/internal/local/cloud"
	"checkout/internal/local/cloud/lambda"

	"gopkg.in/yaml.v3"
)

// variables are an Environment of the template.
type variables struct {
	Environment struct {
		Variables map[string]yaml.Node `yaml:"Variables"`
	} `yaml:"Environment"`
}

// samEnvironments are the environments that `sam local invoke --env-vars` gives the functions, by their folders' names:
// of the file's variables those that template.yaml names for the function.
func samEnvironments(t *testing.T, file string) map[string]map[string]string {
	t.Helper()
	var template struct {
		Globals struct {
			Function variables `yaml:"Function"`
		} `yaml:"Globals"`
		Resources map[string]struct {
			Type       string    `yaml:"Type"`
			Properties yaml.Node `yaml:"Properties"`
		} `yaml:"Resources"`
	}
	text, err := os.ReadFile(filepath.Join(repository, "template.yaml"))
	if err == nil {
		err = yaml.Unmarshal(text, &template)
	}
	var given map[string]map[string]string
	if err == nil {
		text, err = os.ReadFile(file)
	}
	if err == nil {
		err = json.Unmarshal(text, &given)
	}
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]map[string]string{}
	for id, resource := range template.Resources {
		if resource.Type != "AWS::Serverless::Function" || id == "AdminLoginFunction" { // without AdminLogin it is not there
			continue
		}
		var own struct {
			variables `yaml:",inline"`
			CodeURI   string `yaml:"CodeUri"`
		}
		if err := resource.Properties.Decode(&own); err != nil {
			t.Fatal(err)
		}
		environment := map[string]string{}
		for _, named := range []variables{template.Globals.Function, own.variables} {
			for name := range named.Environment.Variables {
				value, found := given[id][name]
				if !found {
					t.Errorf("%s: no %s in the file", id, name)
				}
				environment[name] = value
			}
		}
		all[filepath.Base(own.CodeURI)] = environment
	}
	return all
}

// runSampleEvents runs every file of events/ through its function's binary, outside the running service, with nothing
// but the environment of a file that it wrote. The file names this machine as containers do.
func runSampleEvents(t *testing.T, file string) {
	t.Helper()
	var specs []lambda.Spec
	for name, environment := range samEnvironments(t, file) {
		for variable, value := range environment {
			environment[variable] = strings.Replace(value, "//host.docker.internal:", "//127.0.0.1:", 1)
		}
		binary, err := filepath.Abs(filepath.Join(repository, "bin", "lambda", name, "bootstrap"))
		if err != nil {
			t.Fatal(err)
		}
		specs = append(specs, lambda.Spec{
			Name: name, Binary: binary, Handler: "bootstrap", Timeout: 30 * time.Second, Concurrency: -1,
			Environment: environment, AccessKeyID: cloud.AdminKey,
		})
	}
	host := lambda.New(lambda.Config{Region: cloud.Region, Most: 1, Now: time.Now}, specs)
	defer host.Close()
	files, err := filepath.Glob(filepath.Join(repository, "events", "*", "*.json"))
	if err != nil || len(files) < len(specs) {
		t.Fatalf("sample events %v: %v", files, err)
	}
	wants := map[string]string{ // of the others: any response that is no failure
		"session/create.json": `{\"redirect_url\":\"http://localhost:`, "status/by_order_id.json": `\"status\":\"prepare\"`,
		"sweep/every_minute.json": "null", "adminread/every_morning.json": `"Nothing waits, and nothing fails."`,
	}
	for _, file := range files {
		function := filepath.Base(filepath.Dir(file))
		if function == "adminlogin" {
			continue // package e2e runs its events, with a provider
		}
		payload, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		result, err := host.Invoke(t.Context(), function, payload)
		var response struct {
			StatusCode        int               `json:"statusCode"`
			BatchItemFailures []json.RawMessage `json:"batchItemFailures"`
		}
		if err == nil && strings.HasPrefix(string(result.Payload), "{") {
			err = json.Unmarshal(result.Payload, &response)
		}
		failed := result.FunctionError != "" || response.StatusCode >= 500 || len(response.BatchItemFailures) > 0
		if want := wants[function+"/"+filepath.Base(file)]; err != nil || failed ||
			!strings.Contains(string(result.Payload), want) {
			t.Errorf("%s: %v %s\n%s", file, err, result.Payload, host.Logs(function))
		}
	}
}
