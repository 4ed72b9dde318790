package main

import (
	"context"
	"net/url"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/credentials"

	"checkout/internal/app"
	"checkout/internal/local"
	"checkout/internal/local/adminpage"
	"checkout/internal/local/cloud"
	"checkout/internal/local/sigv4"
)

// supportKey is the access key id of the second of people. The first one has cloud.AdminKey.
const supportKey = "support"

// people are those who open the admin page, as the admin API knows them.
var people = local.AdminPeople(cloud.UserARN(cloud.AdminKey), cloud.UserARN(supportKey))

// giveRoles gives people their roles.
func giveRoles(ctx context.Context, c *cloud.Cloud) error {
	service, err := app.OpenPeople(ctx, c.AdminEnv("Table", "SecretsKey"))
	if err != nil {
		return err
	}
	return local.GiveRoles(ctx, service, people)
}

// adminLinks starts the admin page, which is built in a folder, for each of people, and returns their links.
func adminLinks(ctx context.Context, c *cloud.Cloud, page string) (string, error) {
	port, err := local.AdminPort(os.Getenv)
	if err != nil {
		return "", err
	}
	base, err := url.Parse(c.AdminURL())
	if err != nil {
		return "", err
	}
	keys := map[string]string{people[0].Who: cloud.AdminKey, people[1].Who: supportKey}
	start := func(p local.AdminPerson, port int, renewed func(why, link string)) (*adminpage.Server, error) {
		signed := &sigv4.Transport{
			Credentials: credentials.NewStaticCredentialsProvider(keys[p.Who], cloud.AdminSecret, ""), Region: cloud.Region,
		}
		return adminpage.Start(ctx,
			adminpage.Config{Page: page, Base: base, API: signed, Port: port, Now: time.Now, Renewed: renewed})
	}
	return local.AdminLinks(os.Stdout, people, port, start)
}
