package main

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"checkout/internal/local/sigv4"
)

func useCommand(c *call) *cobra.Command {
	cmd := c.command(leaf{
		use: "use [STACK]", does: "read a stack's outputs once, for all commands that follow, or the file of a local run; " +
			"or say which is used",
		example: "use checkout --region eu-central-1", args: cobra.MaximumNArgs(1), chooses: true,
		run: func(ctx context.Context, args []string) error {
			if len(args) == 1 && filepath.Ext(args[0]) == ".json" { // no stack has a dot in its name
				return c.useFile(args[0])
			}
			if len(args) == 1 {
				return c.use(ctx, args[0])
			}
			if c.file.Stack == "" {
				return errors.New("no stack is used: name one")
			}
			_, err := fmt.Fprintf(c.out, "%s in %s\n", c.file.Stack, c.file.Region)
			return err
		},
	})
	regionFlag(cmd)
	return cmd
}

// regionFlag adds the flag that names the Region of a stack.
func regionFlag(cmd *cobra.Command) {
	cmd.Flags().Func("region", "the stack's Region (else that of AWS's own tools)", func(region string) error {
		return os.Setenv("AWS_REGION", region)
	})
}

// use reads the outputs of a stack and stores them.
func (c *call) use(ctx context.Context, stack string) error {
	transport, err := sigv4.Default(ctx)
	if err != nil {
		return err
	}
	transport.Service = "cloudformation"
	address := c.getenv("AWS_ENDPOINT_URL_CLOUDFORMATION")
	if address == "" {
		address = c.getenv("AWS_ENDPOINT_URL")
	}
	if address == "" {
		address = "https://cloudformation." + transport.Region + ".amazonaws.com"
	}
	found, err := describeStack(ctx, &http.Client{Transport: transport, Timeout: callTimeout}, address, stack)
	if err != nil {
		return err
	}
	read := chosen{Stack: stack, Region: transport.Region, Settings: map[string]string{}}
	for output, variable := range variables {
		if value := found[output]; value != "" {
			read.Settings[variable] = value
		}
	}
	if err := c.choose(read); err != nil {
		return err
	}
	if read.Settings["CHECKOUT_URL"] == "" {
		fmt.Fprintln(c.notes, "The stack has no admin API: its parameter Operators is false. "+
			"Commands of merchants and wallets work on its table.")
	}
	return nil
}

// useFile uses what a local run has written of itself.
func (c *call) useFile(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var read chosen
	if err := json.Unmarshal(text, &read); err != nil || read.Stack == "" || read.Settings["CHECKOUT_URL"] == "" {
		return fmt.Errorf("%s is not the file of a local run", file)
	}
	return c.choose(read)
}

// choose stores what is used from now on.
func (c *call) choose(read chosen) error {
	if c.config == "" {
		return errors.New("no folder for configuration: set HOME or XDG_CONFIG_HOME")
	}
	text, err := json.MarshalIndent(read, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(c.config), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(c.config, append(text, '\n'), 0o600); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "%s in %s is used from now on\n", read.Stack, read.Region)
	return err
}

// described is the response of CloudFormation's DescribeStacks, or its error.
type described struct {
	Outputs []struct {
		Key   string `xml:"OutputKey"`
		Value string `xml:"OutputValue"`
	} `xml:"DescribeStacksResult>Stacks>member>Outputs>member"`
	Parameters []struct {
		Key   string `xml:"ParameterKey"`
		Value string `xml:"ParameterValue"`
	} `xml:"DescribeStacksResult>Stacks>member>Parameters>member"`
	Code    string `xml:"Error>Code"`
	Message string `xml:"Error>Message"`
}

// describeStack returns a stack's outputs and parameters by their names.
func describeStack(ctx context.Context, client *http.Client, address, stack string) (map[string]string, error) {
	form := url.Values{"Action": {"DescribeStacks"}, "Version": {"2010-05-15"}, "StackName": {stack}}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address+"/", strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := client.Do(r)
	if err != nil {
		return nil, fmt.Errorf("describe the stack: %w", err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err != nil {
		return nil, fmt.Errorf("describe the stack: %w", err)
	}
	var d described
	if err := xml.Unmarshal(text, &d); err != nil || response.StatusCode != http.StatusOK {
		return nil, &refusal{Status: response.StatusCode, Message: "describe the stack: " + d.Code + " " + d.Message}
	}
	all := map[string]string{}
	for _, one := range d.Parameters {
		all[one.Key] = one.Value
	}
	for _, one := range d.Outputs {
		all[one.Key] = one.Value
	}
	return all, nil
}
