package template

import (
	"strings"
	"testing"
)

func TestAllowsKey(t *testing.T) {
	const root, worker, other = "arn:aws:iam::1:root", "arn:aws:iam::1:role/worker", "arn:aws:iam::1:role/other"
	const stranger = "arn:aws:iam::2:role/worker"
	account := KeyStatement{Principals: []string{root}, Actions: []string{"kms:*"}}
	direct := KeyStatement{Principals: []string{worker}, Actions: []string{"kms:Dec*"}}
	onlyWorker := KeyStatement{Deny: true, Principals: []string{"*"}, Actions: []string{"kms:Decrypt"},
		Conditions: []Condition{{"ArnNotEquals", "aws:PrincipalArn", []string{worker}}}}
	notOther := KeyStatement{Deny: true, Principals: []string{"*"}, Actions: []string{"kms:*"},
		Conditions: []Condition{{"ArnLike", "aws:PrincipalArn", []string{"*/other"}}}}
	all := []Statement{{Actions: []string{"*"}, Resources: []string{"*"}}}
	unrelated := []Statement{{Actions: []string{"kms:Decrypt"}, Resources: []string{"arn:another"}}}
	forbidden := append([]Statement{{Deny: true, Actions: []string{"kms:Decrypt"}, Resources: []string{"*"}}}, all...)
	for _, c := range []struct {
		name     string
		policy   []KeyStatement
		role     string
		policies []Statement
		want     KeyDecision
	}{
		{"the account's own policies decide", []KeyStatement{account}, worker, all, KeyAllowed},
		{"they say nothing", []KeyStatement{account}, worker, nil, KeyNotAllowed},
		{"they speak of another key", []KeyStatement{account}, worker, unrelated, KeyNotAllowed},
		{"they deny", []KeyStatement{account, direct}, worker, forbidden, KeyNotAllowed},
		{"the key's policy names the role", []KeyStatement{direct}, worker, nil, KeyAllowed},
		{"the key's policy names another", []KeyStatement{direct}, other, all, KeyNotAllowed},
		{"no policy at all", nil, worker, all, KeyNotAllowed},
		{"another account", []KeyStatement{account}, stranger, all, KeyNotAllowed},
		{"denied to all but one, who is it", []KeyStatement{account, onlyWorker}, worker, all, KeyAllowed},
		{"denied to all but one, who is another", []KeyStatement{account, onlyWorker}, other, all, KeyDenied},
		{"denied to one, who is it", []KeyStatement{account, notOther}, other, all, KeyDenied},
		{"denied to one, who is another", []KeyStatement{account, notOther}, worker, all, KeyAllowed},
	} {
		got := AllowsKey(Key{ARN: "arn:k", Policy: c.policy}, Caller{c.role, c.policies}, "kms:Decrypt", nil)
		if got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
	key := Key{ARN: "arn:k", Policy: []KeyStatement{account, onlyWorker}}
	if got := AllowsKey(key, Caller{other, all}, "kms:Encrypt", nil); got != KeyAllowed {
		t.Errorf("an action that is not denied: %d", got)
	}
}

func TestKeyPoliciesThatAreNotUnderstood(t *testing.T) {
	const text = `Resources:
  Key:
    Type: AWS::KMS::Key
    Properties:
      KeyPolicy:
        Statement:
          - {Effect: Deny, Principal: {AWS: '*'}, Action: kms:Decrypt, Resource: '*',
             Condition: {ArnNotEquals: {aws:PrincipalArn: a}}}
`
	const service = "{Effect: Allow, Principal: {Service: x}, Action: kms:Decrypt, Resource: '*'}"
	got, err := read(t, text+"          - "+service)
	if err != nil || len(got.Keys[0].Policy) != 1 {
		t.Fatal(got, err)
	}
	for _, c := range [][3]string{
		{"Effect: Deny", "Effect: No", "should be Allow or Deny"},
		{"{AWS: '*'}", "{Service: x}", "Principal.Service: is not understood"},
		{"{AWS: '*'}", "x", "Principal: should be *"},
		{"Principal: {AWS: '*'}, ", "", "needs a Principal"},
		{"Resource: '*'", "Resource: arn:x", "should be *, the key itself"},
		{"ArnNotEquals", "Null", "Condition.Null: the operator is not understood"},
		{"aws:PrincipalArn", "kms:ViaService", "Condition.ArnNotEquals.kms:ViaService: is not understood"},
		{"Effect: Deny", "Effect: Deny, NotAction: x", "NotAction: is not understood"},
	} {
		if _, err := read(t, strings.Replace(text, c[0], c[1], 1)); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s: error %v\nwant %s", c[1], err, c[2])
		}
	}
}
