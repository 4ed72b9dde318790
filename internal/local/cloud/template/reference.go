package template

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
)

var placeholder = regexp.MustCompile(`\$\{([^}]*)\}`)

// ref returns the value of Ref: of a parameter its value, of a resource its name, id or URL.
func (r *reader) ref(name, place string) any {
	if data, ok := r.pseudo(name); ok {
		return data
	}
	if parameter := child(child(r.root, "Parameters"), name); parameter != nil {
		if text, ok := r.options.Parameters[name]; ok {
			return text
		}
		if standard := child(parameter, "Default"); standard != nil {
			return standard.Value
		}
		r.fail(place, "the parameter %s has no value and no Default", name)
		return ""
	}
	if x := r.byID[name]; x != nil {
		return r.refOf(x)
	}
	if id, ok := strings.CutSuffix(name, ".Alias"); ok && r.byID[id] != nil {
		return r.aliasOf(r.byID[id], place)
	}
	if f := r.byID[strings.TrimSuffix(name, "Role")]; f != nil && f.kind == "AWS::Serverless::Function" {
		return r.options.StackName + "-" + name
	}
	r.fail(place, "no resource, parameter or pseudo parameter is called %q", name)
	return ""
}

// aliasOf is the ARN of a function's alias.
func (r *reader) aliasOf(x *resource, place string) string {
	node := child(child(x.node, "Properties"), "AutoPublishAlias")
	if node == nil {
		node = child(child(child(r.root, "Globals"), "Function"), "AutoPublishAlias")
	}
	if x.kind != "AWS::Serverless::Function" || node == nil {
		r.fail(place, "%s has no AutoPublishAlias", x.id)
		return ""
	}
	return r.attributes(x)["Arn"] + ":" + node.Value
}

func (r *reader) pseudo(name string) (any, bool) {
	switch name {
	case "AWS::Region":
		return r.options.Region, true
	case "AWS::AccountId":
		return r.options.Account, true
	case "AWS::StackName":
		return r.options.StackName, true
	case "AWS::StackId":
		return r.arn("cloudformation", "stack/"+r.options.StackName), true
	case "AWS::Partition":
		return "aws", true
	case "AWS::URLSuffix":
		return "amazonaws.com", true
	case "AWS::NoValue":
		return noValue{}, true
	}
	return nil, false
}

func (r *reader) arn(service, rest string) string {
	return fmt.Sprintf("arn:aws:%s:%s:%s:%s", service, r.options.Region, r.options.Account, rest)
}

// nameOf returns the name that a property gives to a resource, else one made from the stack's name.
func (r *reader) nameOf(x *resource, property string) string {
	node := child(child(x.node, "Properties"), property)
	if name := r.at(node, propertiesOf(x.id)+"."+property).text(); name != "" {
		return name
	}
	return r.options.StackName + "-" + x.id
}

// has reports whether a resource has a property whose value is not AWS::NoValue.
func (r *reader) has(x *resource, property string) bool {
	v := r.at(child(child(x.node, "Properties"), property), propertiesOf(x.id)+"."+property)
	return v.present() && v.data != (any)(noValue{})
}

func (r *reader) refOf(x *resource) string {
	switch x.kind {
	case "AWS::Serverless::Function", "AWS::Lambda::Function":
		return r.nameOf(x, "FunctionName")
	case "AWS::DynamoDB::Table":
		return r.nameOf(x, "TableName")
	case "AWS::SQS::Queue":
		return r.options.QueueURL(r.nameOf(x, "QueueName"))
	case "AWS::S3::Bucket":
		return strings.ToLower(r.nameOf(x, "BucketName"))
	case "AWS::KMS::Alias":
		return r.nameOf(x, "AliasName")
	case "AWS::ApiGatewayV2::Api", "AWS::Serverless::HttpApi":
		return strings.ToLower(x.id)
	case "AWS::IAM::Role":
		return r.nameOf(x, "RoleName")
	case "AWS::KMS::Key":
		return keyID(x.id)
	}
	return x.id
}

// attributes are those of a resource that the local run has; see attribute for the others.
func (r *reader) attributes(x *resource) map[string]string {
	ref := r.refOf(x)
	switch x.kind {
	case "AWS::Serverless::Function", "AWS::Lambda::Function":
		return map[string]string{"Arn": r.arn("lambda", "function:"+ref)}
	case "AWS::DynamoDB::Table":
		arn := r.arn("dynamodb", "table/"+ref)
		known := map[string]string{"Arn": arn}
		if r.has(x, "StreamSpecification") {
			known["StreamArn"] = arn + "/stream/2026-01-01T00:00:00.000"
		}
		return known
	case "AWS::SQS::Queue":
		name := r.nameOf(x, "QueueName")
		return map[string]string{"Arn": r.arn("sqs", name), "QueueName": name, "QueueUrl": ref}
	case "AWS::KMS::Key":
		return map[string]string{"Arn": r.arn("kms", "key/"+ref), "KeyId": ref}
	case "AWS::IAM::Role":
		return map[string]string{"Arn": r.roleARN(ref)}
	case "AWS::CloudFront::Distribution":
		return map[string]string{"DomainName": r.domainOf(x), "Id": ref}
	case "AWS::ApiGatewayV2::Api", "AWS::Serverless::HttpApi":
		return map[string]string{"ApiId": ref, "ApiEndpoint": "https://" + r.apiDomain(ref)}
	case "AWS::S3::Bucket":
		domain := ref + ".s3." + r.options.Region + ".amazonaws.com"
		return map[string]string{"Arn": "arn:aws:s3:::" + ref, "DomainName": domain, "RegionalDomainName": domain}
	}
	return nil
}

// domainOf is the domain of a distribution, a made-up one where the options have none.
func (r *reader) domainOf(x *resource) string {
	return cmp.Or(r.options.Domains[x.id], strings.ToLower(x.id)+".cloudfront.net")
}

func (r *reader) apiDomain(api string) string {
	return api + ".execute-api." + r.options.Region + ".amazonaws.com"
}

// attribute returns the value of GetAtt. For resources that only exist on AWS it is a made-up text.
func (r *reader) attribute(id, name, place string) any {
	x := r.byID[id]
	if x == nil {
		if f := r.byID[strings.TrimSuffix(id, "Role")]; f != nil && f.kind == "AWS::Serverless::Function" {
			return r.roleARN(r.options.StackName + "-" + id)
		}
		r.fail(place, "no resource is called %q", id)
		return ""
	}
	known := r.attributes(x)
	if known == nil {
		return id + "." + name
	}
	text, ok := known[name]
	if !ok {
		r.fail(place, "%s has no attribute %q", x.kind, name)
	}
	return text
}

func (r *reader) getAtt(node *yaml.Node, place string) any {
	if node.Kind == yaml.SequenceNode && len(node.Content) == 2 {
		return r.attribute(node.Content[0].Value, node.Content[1].Value, place)
	}
	id, name, ok := strings.Cut(node.Value, ".")
	if !ok {
		r.fail(place, "GetAtt needs resource.attribute")
		return ""
	}
	return r.attribute(id, name, place)
}

// sub replaces ${name}, ${resource.attribute} and the names of its own list; ${!x} becomes ${x}.
func (r *reader) sub(node *yaml.Node, place string) any {
	own := value{r: r, place: place}
	text := node.Value
	if node.Kind == yaml.SequenceNode {
		arguments := r.arguments(node, place, 2)
		if arguments == nil {
			return ""
		}
		text, own = arguments[0].Value, r.at(arguments[1], place+".1")
	}
	return placeholder.ReplaceAllStringFunc(text, func(found string) string {
		name := found[2 : len(found)-1]
		if literal, ok := strings.CutPrefix(name, "!"); ok {
			return "${" + literal + "}"
		}
		if inner := own.get(name); inner.present() {
			return inner.text()
		}
		if id, attribute, ok := strings.Cut(name, "."); ok {
			return value{r: r, place: place, data: r.attribute(id, attribute, place)}.text()
		}
		return value{r: r, place: place, data: r.ref(name, place)}.text()
	})
}

// keyID is an id in the form of KMS, made from the logical id so that it is the same in every run.
func keyID(id string) string {
	digits := fmt.Sprintf("%-16.16s", id)
	return strings.ReplaceAll(fmt.Sprintf("%x-%x-%x-%x-%x", digits[:4], digits[4:6], digits[6:8], digits[8:10],
		digits[10:]), " ", "0")
}

func (r *reader) roleARN(name string) string {
	return "arn:aws:iam::" + r.options.Account + ":role/" + name
}
