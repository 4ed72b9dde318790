package template

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// readFunctions reads every function, with the properties of Globals under its own.
func (r *reader) readFunctions(t *Template) {
	global := r.at(child(child(r.root, "Globals"), "Function"), "Globals.Function")
	for _, x := range r.of("AWS::Serverless::Function") {
		p := r.props(x)
		p.data = merge(global.data, p.data)
		f := Function{
			ID: x.id, Name: r.binaryOf(x, p), FullName: r.refOf(x), ARN: r.attributes(x)["Arn"],
			Alias: p.get("AutoPublishAlias").text(), Handler: p.get("Handler").need(), Timeout: p.get("Timeout").seconds(3),
			MemoryMB:    p.get("MemorySize").number(128),
			SystemLog:   cmp.Or(p.get("LoggingConfig").get("SystemLogLevel").text(), "INFO"),
			Concurrency: p.get("ReservedConcurrentExecutions").number(-1), Environment: map[string]string{},
		}
		f.RoleARN, f.Policies = r.roleOf(x, p)
		variables := p.get("Environment").get("Variables")
		for _, name := range variables.keys() {
			f.Environment[name] = r.withLocalAddresses(variables.get(name).text())
		}
		r.readEvents(t, &f, p.get("Events"))
		t.Functions = append(t.Functions, f)
	}
	r.readMappings(t)
	for _, x := range r.of("AWS::Lambda::Function", "AWS::Events::Rule", "AWS::Scheduler::Schedule") {
		r.fail("Resources."+x.id, "%s is not understood: use AWS::Serverless::Function and its Events", x.kind)
	}
}

// withLocalAddresses is a text with http in the place of https before the domains of the local gateways.
func (r *reader) withLocalAddresses(text string) string {
	for _, domain := range r.options.Domains {
		text = strings.ReplaceAll(text, "https://"+domain, "http://"+domain)
	}
	return text
}

// binaryOf is the folder of a function's binary: the last part of CodeUri, else the logical id without "Function".
func (r *reader) binaryOf(x *resource, p value) string {
	if folder := path.Base(path.Clean("/" + p.get("CodeUri").text())); folder != "/" {
		return folder
	}
	return strings.ToLower(strings.TrimSuffix(x.id, "Function"))
}

func (r *reader) readEvents(t *Template, f *Function, events value) {
	for _, id := range events.keys() {
		event, p := events.get(id), events.get(id).get("Properties")
		switch kind := event.get("Type").need(); kind {
		case "SQS":
			f.Queues = append(f.Queues, r.queueEvent(id, p, "Queue"))
		case "Schedule", "ScheduleV2":
			property := map[string]string{"Schedule": "Schedule", "ScheduleV2": "ScheduleExpression"}[kind]
			schedule := p.get(property)
			every, err := rate(schedule.need())
			if err != nil {
				r.fail(schedule.place, "%v", err)
			}
			if p.get("Enabled").yes(true) && !strings.EqualFold(p.get("State").text(), "DISABLED") {
				f.Schedules = append(f.Schedules, ScheduleEvent{ID: id, Every: every})
			}
		case "HttpApi":
			route := Route{Method: strings.ToUpper(p.get("Method").need()), Path: p.get("Path").need(), Function: f.Name}
			api := t.APIs[PublicAPI]
			api.Routes = append(api.Routes, route)
			t.APIs[PublicAPI] = api
		default:
			r.fail(event.place+".Type", "the event %q is not understood", kind)
		}
	}
}

// readMappings reads event source mappings. Unlike SAM's events they give the function no permission, so Lambda refuses
// one whose function may not read the queue or the stream.
func (r *reader) readMappings(t *Template) {
	for _, x := range r.of("AWS::Lambda::EventSourceMapping") {
		p := r.props(x)
		name, source := p.get("FunctionName"), p.get("EventSourceArn").need()
		i := slices.IndexFunc(t.Functions, func(f Function) bool { return f.isCalled(name.need()) })
		if i < 0 {
			r.fail(name.place, "no function of this template: %s", name.text())
			continue
		}
		f := &t.Functions[i]
		if strings.Contains(source, "/stream/") {
			f.Streams = append(f.Streams, r.streamEvent(t, f, x.id, p))
			continue
		}
		r.needs(f, p, source, "sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes")
		f.Queues = append(f.Queues, r.queueEvent(x.id, p, "EventSourceArn"))
	}
}

func (r *reader) queueEvent(id string, p value, queue string) QueueEvent {
	event := QueueEvent{
		ID: id, Place: p.get(queue).place, QueueARN: p.get(queue).need(), BatchSize: p.get("BatchSize").number(10),
		Window:         p.get("MaximumBatchingWindowInSeconds").seconds(0),
		MaxConcurrency: p.get("ScalingConfig").get("MaximumConcurrency").number(0),
	}
	// In provisioned mode each poller runs up to ten functions at the same time.
	if pollers := p.get("ProvisionedPollerConfig"); pollers.present() {
		if event.MaxConcurrency != 0 || pollers.get("MinimumPollers").number(0) < 2 {
			r.fail(pollers.place, "needs at least 2 pollers, and no ScalingConfig beside it")
		}
		event.MaxConcurrency = 10 * pollers.get("MaximumPollers").number(200)
	}
	event.PartialBatch = r.isPartial(p)
	if event.BatchSize < 1 || event.BatchSize > 10000 {
		r.fail(p.place+".BatchSize", "should be 1 to 10000")
	}
	if event.BatchSize > 10 && event.Window == 0 {
		r.fail(p.place+".MaximumBatchingWindowInSeconds", "must be at least 1 when BatchSize is above 10")
	}
	if event.MaxConcurrency != 0 && event.MaxConcurrency < 2 {
		r.fail(p.place+".ScalingConfig.MaximumConcurrency", "should be at least 2")
	}
	return event
}
