package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"

	"checkout/internal/operator/archive"
	"checkout/internal/operator/archive/s3"
)

// CompareAudit compares the audit documents in TABLE of a day and all later ones with their copies in the bucket named
// by AUDIT_BUCKET. It returns how many documents there are and a line for each fault: a document that differs from its
// copy or is missing, one that has had no copy for five minutes, and a copy that was deleted or put again.
func CompareAudit(ctx context.Context, env Env, since time.Time) (documents int, faults []string, err error) {
	a, err := openCopies(ctx, env)
	if err != nil {
		return 0, nil, err
	}
	return a.Compare(ctx, since, time.Time{})
}

// openCopies opens the table as OpenTable does, and the bucket with the same credentials and AWS_ENDPOINT_URL_S3.
func openCopies(ctx context.Context, env Env) (archive.Copies, error) {
	if env("AUDIT_BUCKET") == "" {
		return archive.Copies{}, errors.New("the environment has no AUDIT_BUCKET")
	}
	table, err := OpenTable(ctx, env)
	if err != nil {
		return archive.Copies{}, err
	}
	// Package s3 uses the client itself. Without an option there is none, unless AWS_CA_BUNDLE is set.
	cfg, err := config.LoadDefaultConfig(ctx, config.WithHTTPClient(awshttp.NewBuildableClient()))
	if err != nil {
		return archive.Copies{}, fmt.Errorf("read AWS configuration: %w", err)
	}
	if env("AWS_ACCESS_KEY_ID") != "" {
		cfg.Region, cfg.Credentials = env("AWS_REGION"), staticCredentials(env)
	}
	if endpoint := env("AWS_ENDPOINT_URL_S3"); endpoint != "" {
		cfg.BaseEndpoint = aws.String(endpoint)
	}
	return archive.Copies{Table: table, Bucket: s3.NewBucket(cfg, env("AUDIT_BUCKET"), time.Now), Now: time.Now}, nil
}
