package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"checkout/internal/app"
)

// call is one run of the command.
type call struct {
	getenv  app.Env
	config  string // file of what use has read; "": none
	in      io.Reader
	out     io.Writer
	notes   io.Writer // what is no result: progress, errors, and what a person is to confirm
	asks    bool      // in is a terminal: a person can be asked
	tables  bool      // out is a terminal: people read tables, programs JSON lines
	started bool      // flags and arguments were understood

	// pause waits before a next try, unless the command is ended.
	pause func(ctx context.Context, d time.Duration) error

	settings bool // the command is about what is set for merchants
	directly bool // without the admin API

	given map[string]string // settings by flags, by the variables that they stand above
	file  chosen
}

// chosen is what use has read of a stack.
type chosen struct {
	Stack    string            `json:"stack"`
	Region   string            `json:"region"`
	Settings map[string]string `json:"settings"` // by variable
}

// variables are what a stack's outputs and parameters are called in the environment.
var variables = map[string]string{
	"AdminUrl": "CHECKOUT_URL", "AdminPageUrl": "CHECKOUT_PAGE_URL",
	"BaseUrl": "BASE_URL", "TableName": "TABLE", "SecretsKeyId": "SECRETS_KEY_ID",
	"ListingTableName": "LISTING_TABLE", "ListingRetentionDays": "LISTING_RETENTION_DAYS",
	"AuditBucketName": "AUDIT_BUCKET",
}

// open reads the file of use, if there is one.
func (c *call) open() error {
	text, err := os.ReadFile(c.config)
	if c.config == "" || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(text, &c.file)
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", c.config, err)
	}
	return nil
}

// inRegion has AWS's own tools use the Region of the stack that is used, unless a variable names one. A local run has
// an AWS of its own: while it is used, its addresses and credentials stand above those of the shell.
func (c *call) inRegion() error {
	for name, value := range c.file.Settings {
		if strings.HasPrefix(name, "AWS_") && c.where() != "" {
			if err := os.Setenv(name, value); err != nil {
				return err
			}
		}
	}
	if c.getenv("AWS_REGION") != "" || c.getenv("AWS_DEFAULT_REGION") != "" || c.file.Region == "" {
		return nil
	}
	return os.Setenv("AWS_REGION", c.file.Region)
}

// sleep waits, unless the command is ended before.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
