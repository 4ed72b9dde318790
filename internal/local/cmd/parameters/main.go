// Command parameters reads the parameters of a deployment from a JSON file, checks them as CloudFormation will, and
// prints all parameters of the template, a line each, as `sam deploy` takes them:
//
//	go run ./internal/local/cmd/parameters infra/deploy.json
//
// With -variables it prints one word instead, a checksum of the functions' variables with these parameters.
package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"checkout/internal/local/cloud/template"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string, out, warnings io.Writer) error {
	sum := len(args) == 2 && args[0] == "-variables"
	if sum {
		args = args[1:]
	}
	if len(args) != 1 {
		return errors.New("use: parameters [-variables] FILE")
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	var given map[string]string
	if err := json.Unmarshal(text, &given); err != nil {
		return fmt.Errorf("%s should be a JSON object of texts: %w", args[0], err)
	}
	stack, err := template.Read("template.yaml", template.Options{
		Parameters: given, StackName: "checkout", Region: "eu-central-1", Account: "000000000000",
		QueueURL: func(name string) string { return name },
	})
	if err != nil {
		return err
	}
	if sum {
		return printVariables(stack, out)
	}
	for _, p := range stack.Parameters {
		if strings.ContainsAny(p.Value, "\"\\\n") {
			return fmt.Errorf("%s has a character that no parameter may have", p.Name)
		}
		fmt.Fprintf(out, "%s=\"%s\"\n", p.Name, p.Value)
		if p.Name == "DomainName" && p.Value == "" {
			fmt.Fprintln(warnings,
				"warning: no DomainName. CloudFront's own name allows TLS older than 1.2, too: not for production.")
		}
	}
	return nil
}

// printVariables prints the checksum of all functions' variables.
func printVariables(stack *template.Template, out io.Writer) error {
	variables := map[string]map[string]string{}
	for _, f := range stack.Functions {
		variables[f.Name] = f.Environment
	}
	text, err := json.Marshal(variables)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "variables-%x\n", sha256.Sum256(text))
	return err
}
