package app

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/sts"

	"checkout/internal/app/function"
	"checkout/internal/audit"
	"checkout/internal/store"
)

// Act is one call of an operator's command that changes something.
type Act = audit.Act

// AuditEntry is the document of one change.
type AuditEntry = audit.Entry

// CompleteAct returns an act with an id, and with who calls. It fails for a name or a reason that can't be stored.
func CompleteAct(ctx context.Context, act Act) (Act, error) {
	err := act.Check()
	if err == nil {
		act.Who, err = callerOf(ctx)
	}
	act.ID = store.NewUUID(function.Random(16))
	return act, err
}

// callerOf returns who calls as AWS knows it: the ARN of the credentials that the SDK's default configuration finds.
// AWS tells it to everybody, whatever their permissions are.
func callerOf(ctx context.Context) (string, error) {
	cfg, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return "", fmt.Errorf("read AWS configuration: %w", err)
	}
	caller, err := sts.NewFromConfig(cfg).GetCallerIdentity(ctx, &sts.GetCallerIdentityInput{})
	if err != nil {
		return "", fmt.Errorf("ask AWS who calls: %w", err)
	}
	return aws.ToString(caller.Arn), nil
}

// LocalOperator is the administrator of a service in one process, as the audit log names them.
const LocalOperator = "local/admin"
