package app

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"checkout/internal/api"
	"checkout/internal/callback"
	"checkout/internal/card"
	"checkout/internal/checkout"
	"checkout/internal/connector/list"
	"checkout/internal/connector/provider"
	"checkout/internal/merchant"
	"checkout/internal/queue"
	"checkout/internal/store"
	"checkout/internal/vault"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

// part is something of the service that not every function is given.
type part struct {
	name  string
	needs []string // variables of the environment
	add   func(g *given)
}

// given is an app while it is put together, and what its parts are made of.
type given struct {
	*App
	env Env
	aws aws.Config

	secretKeys map[merchant.SecretUse]string // the KMS key of each use
}

// The names of the parts, as errors call them. What is absent knows no more of a part, so that the linker can leave it out.
const (
	partBaseURL    = "base URL"
	partJobs       = "job queue"
	partCallbacks  = "callback queue"
	partVaultTable = "vault table"
	partDayKeys    = "vault that makes keys of the day"
	partOpenVault  = "vault that opens cards"
	partConnectors = "connectors"
	partSender     = "sender of callbacks"

	partPasswords       = "merchants' passwords"
	partCallbackSecrets = "merchants' callback secrets"
	partCredentials     = "MIDs' credentials"
)

// The parts. What a function was not given is absent.
var (
	baseURL       = part{partBaseURL, []string{"BASE_URL"}, (*given).addBaseURL}
	jobQueue      = part{partJobs, []string{"JOB_QUEUE_URL"}, (*given).addJobQueue}
	callbackQueue = part{partCallbacks, []string{"CALLBACK_QUEUE_URL"}, (*given).addCallbackQueue}
	vaultTable    = part{partVaultTable, []string{"VAULT_TABLE"}, (*given).addVaultTable}
	dayKeys       = part{partDayKeys, []string{"VAULT_KEY_ID"}, (*given).addDayKeys}
	openVault     = part{partOpenVault, []string{"CARD_KEY_ID"}, (*given).addOpenVault}
	connectors    = part{partConnectors, nil, (*given).addConnectors} // behind the base URL, which the sandbox is served at
	sender        = part{partSender, nil, (*given).addSender}

	passwords       = part{partPasswords, []string{"PASSWORD_KEY_ID"}, (*given).addPasswords}
	callbackSecrets = part{partCallbackSecrets, []string{"CALLBACK_SECRET_KEY_ID"}, (*given).addCallbackSecrets}
	midCredentials  = part{partCredentials, []string{"CREDENTIALS_KEY_ID"}, (*given).addCredentials}
)

func (g *given) addBaseURL() { g.Service.BaseURL = strings.TrimRight(g.env("BASE_URL"), "/") }

func (g *given) addJobQueue() {
	g.Service.Queue = queues{queue.NewSender(sqs.NewFromConfig(g.aws), g.env("JOB_QUEUE_URL"), ""), g.Service.Queue}
}

func (g *given) addCallbackQueue() {
	g.Service.Queue = queues{g.Service.Queue, queue.NewSender(sqs.NewFromConfig(g.aws), "", g.env("CALLBACK_QUEUE_URL"))}
}

// addVaultTable adds nothing: the store was given both names. Without its own, DynamoDB refuses what is for the vault table.
func (g *given) addVaultTable() {}

func (g *given) addDayKeys() {
	g.Service.Vault = vault.NewKMS(kms.NewFromConfig(g.aws), g.env("VAULT_KEY_ID"), "", g.Service.Now)
}

func (g *given) addOpenVault() {
	g.Service.Vault = vault.NewKMS(kms.NewFromConfig(g.aws), "", g.env("CARD_KEY_ID"), g.Service.Now)
}

// addConnectors adds every connector, and the sandbox's pages to the API.
func (g *given) addConnectors() {
	s := g.Service
	setup := provider.Setup{Store: s.Store, Now: s.Now, BaseURL: s.BaseURL, Client: provider.NewClient()}
	setup.Notify = func(ctx context.Context, body []byte) error {
		return s.HandleNotification(ctx, merchant.SandboxConnector, checkout.Notification{Body: body})
	}
	s.Connectors = list.New(setup)
	g.API.Sandbox = s.Connectors[merchant.SandboxConnector].(api.Sandbox)
}

func (g *given) addSender() { g.Service.Sender = newSender(g.env) }

func (g *given) addPasswords() { g.addSecrets(merchant.SecretPassword, "PASSWORD_KEY_ID") }

func (g *given) addCallbackSecrets() { g.addSecrets(merchant.SecretCallback, "CALLBACK_SECRET_KEY_ID") }

func (g *given) addCredentials() { g.addSecrets(merchant.SecretCredentials, "CREDENTIALS_KEY_ID") }

// addSecrets adds the secrets of one use to those that the function may decrypt.
func (g *given) addSecrets(use merchant.SecretUse, variable string) {
	if g.secretKeys == nil {
		g.secretKeys = map[merchant.SecretUse]string{}
	}
	g.secretKeys[use] = g.env(variable)
}

// start makes the first connections, outside any request: it unwraps the data keys of the function's secrets, once, or
// without any reaches the table.
func (g *given) start(ctx context.Context) error {
	s := g.Service
	if len(g.secretKeys) == 0 {
		if _, err := s.Store.Get(ctx, s.Now(), store.Key{Partition: "warm-up", Sort: "warm-up"}); err != nil {
			return fmt.Errorf("reach the table: %w", err)
		}
		return nil
	}
	secrets := vault.NewSecrets(s.Store, vault.NewKMSWrapper(kms.NewFromConfig(g.aws), g.secretKeys), s.Now, slices.Sorted(maps.Keys(g.secretKeys))...)
	s.Secrets = secrets
	if err := secrets.Start(ctx); err != nil {
		return fmt.Errorf("unwrap data keys: %w", err)
	}
	return nil
}

// queues are both queues, each from where it was given.
type queues struct{ jobs, callbacks checkout.Queue }

// SendJob implements checkout.Queue.
func (q queues) SendJob(ctx context.Context, m checkout.JobMessage, delay time.Duration) error {
	return q.jobs.SendJob(ctx, m, delay)
}

// SendCallback implements checkout.Queue.
func (q queues) SendCallback(ctx context.Context, m callback.Message, delay time.Duration) error {
	return q.callbacks.SendCallback(ctx, m, delay)
}

// SendJobs implements checkout.Queue.
func (q queues) SendJobs(ctx context.Context, messages []checkout.JobMessage) (int, error) {
	return q.jobs.SendJobs(ctx, messages)
}

// SendCallbacks implements checkout.Queue.
func (q queues) SendCallbacks(ctx context.Context, messages []callback.Message) (int, error) {
	return q.callbacks.SendCallbacks(ctx, messages)
}

// absent stands for every part of the service that a function was not given, and fails whoever uses one.
type absent struct{}

// absentURL is the base URL of a function that was given none. The name can't exist (RFC 6761).
const absentURL = "https://no-base-url.invalid"

// none gives a service that has its table the absence of all else.
func none(s *checkout.Service) {
	s.Queue, s.Vault, s.Secrets, s.Sender, s.BaseURL = absent{}, absent{}, absent{}, absent{}, absentURL
}

func (absent) err(name string) error { return fmt.Errorf("this function was not given the %s", name) }

// SendJob implements checkout.Queue.
func (a absent) SendJob(context.Context, checkout.JobMessage, time.Duration) error {
	return a.err(partJobs)
}

// SendCallback implements checkout.Queue.
func (a absent) SendCallback(context.Context, callback.Message, time.Duration) error {
	return a.err(partCallbacks)
}

// SendJobs implements checkout.Queue.
func (a absent) SendJobs(context.Context, []checkout.JobMessage) (int, error) {
	return 0, a.err(partJobs)
}

// SendCallbacks implements checkout.Queue.
func (a absent) SendCallbacks(context.Context, []callback.Message) (int, error) {
	return 0, a.err(partCallbacks)
}

// NewDayKey implements checkout.Vault.
func (a absent) NewDayKey(context.Context, string) (card.DayKey, error) {
	return card.DayKey{}, a.err(partDayKeys)
}

// OpenDayKey implements checkout.Vault.
func (a absent) OpenDayKey(context.Context, card.DayKey) (card.PrivateKey, error) {
	return nil, a.err(partOpenVault)
}

// Keep implements checkout.Vault.
func (a absent) Keep(context.Context, card.Card, string) (card.Encrypted, error) {
	return card.Encrypted{}, a.err(partOpenVault)
}

// OpenKept implements checkout.Vault.
func (a absent) OpenKept(context.Context, card.Encrypted, string) (card.Card, error) {
	return card.Card{}, a.err(partOpenVault)
}

// Uses implements checkout.Secrets: there are none.
func (a absent) Uses() []merchant.SecretUse { return nil }

// Encrypt implements checkout.Secrets.
func (a absent) Encrypt(_ context.Context, use merchant.SecretUse, _ string, _ []byte) ([]byte, error) {
	return nil, a.err(string(use) + " of merchants")
}

// Decrypt implements checkout.Secrets.
func (a absent) Decrypt(_ context.Context, use merchant.SecretUse, _ string, _ []byte) ([]byte, error) {
	return nil, a.err(string(use) + " of merchants")
}

// Send implements checkout.Sender.
func (a absent) Send(context.Context, callback.Outgoing) (int, error) {
	return 0, a.err(partSender)
}
