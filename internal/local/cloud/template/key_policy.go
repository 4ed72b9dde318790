package template

import (
	"maps"
	"slices"
	"strings"
)

// keyPolicy reads the policy of a KMS key. Without one it is the default of KMS, which leaves all to the account's own
// policies.
func (r *reader) keyPolicy(policy value) []KeyStatement {
	if !policy.present() {
		return []KeyStatement{{Principals: []string{r.accountRoot()}, Actions: []string{"kms:*"}}}
	}
	var found []KeyStatement
	for _, s := range policy.get("Statement").list() {
		if s.get("Effect").text() == "Allow" && slices.Equal(s.get("Principal").keys(), []string{"Service"}) {
			continue // a service of AWS, which no function is
		}
		for _, key := range s.keys() {
			if !slices.Contains([]string{"Sid", "Effect", "Principal", "Action", "Resource", "Condition"}, key) {
				r.fail(s.place+"."+key, "is not understood in a key's policy")
			}
		}
		effect := s.get("Effect").need()
		if effect != "Allow" && effect != "Deny" {
			r.fail(s.place+".Effect", "should be Allow or Deny")
		}
		if s.get("Resource").need() != "*" {
			r.fail(s.place+".Resource", "should be *, the key itself")
		}
		statement := KeyStatement{Deny: effect == "Deny", Principals: r.principals(s.get("Principal")),
			Actions: s.get("Action").texts()}
		if len(statement.Principals) == 0 || len(statement.Actions) == 0 {
			r.fail(s.place, "needs a Principal and an Action")
		}
		statement.Conditions = r.readConditions(s.get("Condition"))
		found = append(found, statement)
	}
	return found
}

func (r *reader) accountRoot() string { return "arn:aws:iam::" + r.options.Account + ":root" }

// principals reads "*" or a mapping with AWS, which names ARNs.
func (r *reader) principals(principal value) []string {
	if text, ok := principal.data.(string); ok {
		if text != "*" {
			r.fail(principal.place, "should be * or a mapping with AWS")
		}
		return []string{text}
	}
	for _, kind := range principal.keys() {
		if kind != "AWS" {
			r.fail(principal.place+"."+kind, "is not understood: AWS only")
		}
	}
	return principal.get("AWS").texts()
}

// holds reports whether a statement applies to an action of a role: by the role itself or "*", or by its account.
func (s KeyStatement) holds(role, action string, context Context) (itself, account bool) {
	about := slices.ContainsFunc(s.Actions,
		func(p string) bool { return Match(strings.ToLower(p), strings.ToLower(action)) })
	if !about || slices.ContainsFunc(s.Conditions, func(c Condition) bool { return !c.holds(context) }) {
		return false, false
	}
	root, _, _ := strings.Cut(role, ":role/")
	return slices.Contains(s.Principals, role) || slices.Contains(s.Principals, "*"),
		slices.Contains(s.Principals, root+":root")
}

// Caller is a role and the statements of its own policies.
type Caller struct {
	RoleARN  string
	Policies []Statement
}

// KeyDecision is what policies decide about the use of a key.
type KeyDecision int

// The decisions. The zero value means that no policy allows it.
const (
	KeyNotAllowed KeyDecision = iota
	KeyAllowed
	KeyDenied // by the key's policy, whatever other policies allow
)

// AllowsKey applies the rule of KMS: the key's policy must not deny the action, and must allow it to the role itself,
// or to the account, whose own policies for the role then decide.
func AllowsKey(key Key, by Caller, action string, context Context) KeyDecision {
	role, policies := by.RoleARN, by.Policies
	context = maps.Clone(context)
	if context == nil {
		context = Context{}
	}
	context["aws:principalarn"] = []string{role}
	direct, byAccount := false, false
	for _, s := range key.Policy {
		itself, account := s.holds(role, action, context)
		if s.Deny && (itself || account) {
			return KeyDenied
		}
		direct, byAccount = direct || itself, byAccount || account
	}
	if direct { // its own policies can still deny it
		policies = append(slices.Clip(policies), Statement{Actions: []string{"*"}, Resources: []string{"*"}})
	}
	if (direct || byAccount) && Allows(policies, action, key.ARN, context) {
		return KeyAllowed
	}
	return KeyNotAllowed
}
