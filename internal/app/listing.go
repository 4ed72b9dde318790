package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"checkout/internal/app/function"
	"checkout/internal/audit"
	"checkout/internal/operator/listing"
	"checkout/internal/store"
	"checkout/internal/store/dynamo"
)

// CheckListing reports a line for each document of the table named by LISTING_TABLE that is missing, differs from what
// the orders in TABLE lead to, or is too many. It returns the number of orders.
func CheckListing(ctx context.Context, env Env, report func(line string)) (orders int, err error) {
	b, _, err := openListing(ctx, env)
	if err != nil {
		return 0, err
	}
	return b.Check(ctx, report)
}

// Rebuilt is what RebuildListing has done.
type Rebuilt = listing.Rebuilt

// RebuildListing makes the table named by LISTING_TABLE what the orders in TABLE lead to, and stores that an act did
// so.
func RebuildListing(ctx context.Context, env Env, act Act) (Rebuilt, error) {
	b, table, err := openListing(ctx, env)
	if err != nil {
		return Rebuilt{}, err
	}
	change := audit.Change{What: "index", Changes: []string{"is rebuilt"}}
	if err := act.Save(ctx, table, time.Now(), change); err != nil {
		return Rebuilt{}, fmt.Errorf("store the act: %w", err)
	}
	return b.Rebuild(ctx)
}

func openListing(ctx context.Context, env Env) (listing.Rebuilder, Store, error) {
	if env("LISTING_TABLE") == "" {
		return listing.Rebuilder{}, nil, errors.New("the environment has no LISTING_TABLE")
	}
	table, err := OpenTable(ctx, env)
	if err != nil {
		return listing.Rebuilder{}, nil, err
	}
	cfg, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return listing.Rebuilder{}, nil, fmt.Errorf("read AWS configuration: %w", err)
	}
	client := dynamodb.NewFromConfig(cfg)
	scan := func(variable string) listing.Scan {
		return func(ctx context.Context, take func([]store.Record) error) error {
			return dynamo.Scan(ctx, client, env(variable), take)
		}
	}
	core, err := function.NewCore(env, slog.New(slog.DiscardHandler), time.Now, table)
	if err != nil {
		return listing.Rebuilder{}, nil, err
	}
	ttl, err := function.ListingTTL(env)
	if err != nil {
		return listing.Rebuilder{}, nil, err
	}
	return listing.Rebuilder{
		Indexer: listing.NewIndexer(core.Store, core.Store, core.Now, ttl),
		Orders:  scan("TABLE"), Listing: scan("LISTING_TABLE"),
	}, table, nil
}
