package template

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// roleOf returns the role of a function and the statements of its policies. SAM makes a role of Policies; a function
// with Role has the policies of that role, and its own Policies would be ignored.
func (r *reader) roleOf(x *resource, p value) (string, []Statement) {
	role := p.get("Role")
	if !role.present() {
		return r.roleARN(r.options.StackName + "-" + x.id + "Role"), r.policies(p.get("Policies"))
	}
	if p.get("Policies").present() {
		r.fail(p.place+".Policies", "are ignored beside Role: write them there")
	}
	for _, y := range r.of("AWS::IAM::Role") {
		if r.attributes(y)["Arn"] == role.need() {
			return role.text(), r.rolePolicies(y)
		}
	}
	r.fail(role.place, "no role of this template: %s", role.text())
	return role.text(), nil
}

// rolePolicies reads the policies inside a role and those which are attached to it.
func (r *reader) rolePolicies(x *resource) []Statement {
	p := r.props(x)
	if p.get("ManagedPolicyArns").present() {
		r.fail(p.place+".ManagedPolicyArns", "are not understood: write a Statement")
	}
	r.checkTrust(p.get("AssumeRolePolicyDocument"))
	var found []Statement
	for _, policy := range p.get("Policies").list() {
		found = append(found, r.policies(policy.get("PolicyDocument"))...)
	}
	for _, y := range r.of("AWS::IAM::Policy") {
		attached := r.props(y)
		if slices.Contains(attached.get("Roles").texts(), r.refOf(x)) {
			found = append(found, r.policies(attached.get("PolicyDocument"))...)
		}
	}
	return found
}

// checkTrust checks that Lambda may assume a role.
func (r *reader) checkTrust(trust value) {
	for _, s := range trust.get("Statement").list() {
		if s.get("Effect").text() == "Allow" &&
			slices.Contains(s.get("Principal").get("Service").texts(), "lambda.amazonaws.com") &&
			slices.Contains(s.get("Action").texts(), "sts:AssumeRole") {
			return
		}
	}
	r.fail(trust.place, "does not let lambda.amazonaws.com sts:AssumeRole")
}

// bucketDenials reads what a bucket's policy denies everybody. What it allows is for services of AWS alone, and a local
// run has no TLS.
func (r *reader) bucketDenials(policy value) []Statement {
	var found []Statement
	for _, s := range policy.get("Statement").list() {
		if s.get("Effect").need() == "Allow" && slices.Equal(s.get("Principal").keys(), []string{"Service"}) ||
			s.get("Condition").get("Bool").get("aws:SecureTransport").text() == "false" {
			continue
		}
		if principal, ok := s.get("Principal").data.(string); s.get("Effect").text() != "Deny" || !ok || principal != "*" {
			r.fail(s.place, "is not understood: a bucket's policy denies everybody, or allows services")
		}
		found = append(found, Statement{
			Deny: true, Actions: s.get("Action").texts(), Resources: s.get("Resource").texts(),
			Conditions: r.readConditions(s.get("Condition")),
		})
	}
	return found
}

// ReadPolicy reads the statements of a policy's JSON document.
func ReadPolicy(name string, text []byte) ([]Statement, error) {
	r := &reader{file: name}
	var data any
	if err := json.Unmarshal(text, &data); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	found := r.policies(value{r: r, place: "Policy", data: data})
	return found, errors.Join(r.faults...)
}

// policies reads inline policies: one or a list of documents with statements.
func (r *reader) policies(policies value) []Statement {
	var found []Statement
	for _, policy := range policies.list() {
		if _, ok := policy.data.(string); ok {
			r.fail(policy.place, "managed policies are not understood: write a Statement")
			continue
		}
		statements := policy.get("Statement").list()
		if len(statements) == 0 {
			r.fail(policy.place, "has no Statement (policy templates are not understood)")
		}
		for _, s := range statements {
			for _, key := range s.keys() {
				switch key {
				case "Sid", "Effect", "Action", "Resource", "Condition":
				default:
					r.fail(s.place+"."+key, "is not understood in a statement")
				}
			}
			effect := s.get("Effect").need()
			if effect != "Allow" && effect != "Deny" {
				r.fail(s.place+".Effect", "should be Allow or Deny")
			}
			statement := Statement{Deny: effect == "Deny", Actions: s.get("Action").texts(),
				Resources: s.get("Resource").texts()}
			statement.Conditions = r.readConditions(s.get("Condition"))
			if len(statement.Actions) == 0 || len(statement.Resources) == 0 {
				r.fail(s.place, "needs an Action and a Resource")
			}
			found = append(found, statement)
		}
	}
	return found
}

// Allows applies IAM's rule: a statement whose conditions are true allows the action on the resource, and none denies
// it.
func Allows(policies []Statement, action, resource string, context Context) bool {
	found := false
	for _, s := range policies {
		if !slices.ContainsFunc(s.Actions,
			func(p string) bool { return Match(strings.ToLower(p), strings.ToLower(action)) }) ||
			!slices.ContainsFunc(s.Resources, func(p string) bool { return Match(p, resource) }) ||
			slices.ContainsFunc(s.Conditions, func(c Condition) bool { return !c.holds(context) }) {
			continue
		}
		if s.Deny {
			return false
		}
		found = true
	}
	return found
}

// needs checks that a function may do what its mapping does in its name.
func (r *reader) needs(f *Function, mapping value, resource string, actions ...string) {
	for _, action := range actions {
		if !Allows(f.Policies, action, resource, nil) {
			r.fail(mapping.place, "%s may not %s on %s", f.ID, action, resource)
		}
	}
}
