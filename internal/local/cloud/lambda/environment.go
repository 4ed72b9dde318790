package lambda

import (
	"fmt"
	"maps"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"checkout/internal/local/cloud/child"
)

// initLimit is AWS's time limit for the start of a function.
const initLimit = 10 * time.Second

func newEnvironment(f *function) *environment {
	return &environment{function: f, inbox: make(chan *call, 1), gone: make(chan struct{})}
}

// run starts the process and waits until it has ended.
func (e *environment) run() {
	reason, state := "Runtime.InvalidEntrypoint", ""
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err == nil {
		server := &http.Server{Handler: e.runtimeAPI(), ReadHeaderTimeout: initLimit}
		go server.Serve(listener)
		defer server.Close()
		reason, state, err = e.live(listener.Addr().String())
	}
	if err != nil {
		state = err.Error()
	}
	e.end(reason, state)
}

// live runs the process to its end and says how it ended.
func (e *environment) live(address string) (reason, state string, err error) {
	command := exec.Command(e.function.spec.Binary)
	command.Dir = filepath.Dir(e.function.spec.Binary)
	command.Env = e.variables(address)
	lines := e.function.log.writer()
	command.Stdout, command.Stderr = lines, lines
	e.mu.Lock()
	if e.over {
		e.mu.Unlock()
		return "Runtime.ExitError", "Runtime exited with error: signal: killed", nil
	}
	process, err := child.Start(command)
	e.process = process
	e.mu.Unlock()
	if err != nil {
		return "Runtime.InvalidEntrypoint", "", err
	}
	tooSlow := time.AfterFunc(initLimit*time.Duration(max(1, e.function.host.config.Slower)), func() {
		if !e.isReady() {
			process.Kill()
		}
	})
	defer tooSlow.Stop()
	state = process.State()
	e.function.count(func(counts *Counts) { counts.Processor += process.Processor() })
	lines.Close()
	if state == "exit status 0" {
		return "Runtime.ExitError", "Runtime exited without providing a reason", nil
	}
	return "Runtime.ExitError", "Runtime exited with error: " + state, nil
}

// variables are the environment variables of Lambda and of the template. Nothing of this machine's environment is in
// them.
func (e *environment) variables(address string) []string {
	spec, config := e.function.spec, e.function.host.config
	all := map[string]string{
		"AWS_LAMBDA_FUNCTION_NAME":        spec.FullName,
		"AWS_LAMBDA_FUNCTION_VERSION":     "$LATEST",
		"AWS_LAMBDA_FUNCTION_MEMORY_SIZE": strconv.Itoa(spec.MemoryMB),
		"AWS_LAMBDA_INITIALIZATION_TYPE":  "on-demand",
		"AWS_LAMBDA_LOG_GROUP_NAME":       "/aws/lambda/" + spec.FullName,
		"AWS_LAMBDA_LOG_STREAM_NAME":      "local/[$LATEST]" + address,
		"AWS_LAMBDA_RUNTIME_API":          address,
		"AWS_REGION":                      config.Region,
		"AWS_DEFAULT_REGION":              config.Region,
		"AWS_ACCESS_KEY_ID":               spec.AccessKeyID,
		"AWS_SECRET_ACCESS_KEY":           "local",
		"AWS_SESSION_TOKEN":               "local",
		"AWS_ENDPOINT_URL":                config.EndpointURL,
		"_HANDLER":                        spec.Handler,
		"LAMBDA_TASK_ROOT":                filepath.Dir(spec.Binary),
		"LAMBDA_RUNTIME_DIR":              "/var/runtime",
		"LANG":                            "en_US.UTF-8",
		"PATH":                            "/usr/local/bin:/usr/bin:/bin:/opt/bin",
		"TZ":                              ":UTC",
	}
	maps.Copy(all, e.function.variables())
	var list []string
	for name, value := range all {
		list = append(list, name+"="+value)
	}
	return list
}

func (e *environment) isReady() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.stage != starting
}

// dispatch passes a call to the environment. It returns false if the environment has ended.
func (e *environment) dispatch(c *call) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.over {
		return false
	}
	f := e.function
	f.count(func(counts *Counts) { counts.Invocations++ })
	c.began = f.host.config.Now()
	c.limit = time.AfterFunc(f.spec.Timeout, func() { e.timeOut(c) })
	e.current, e.stage = c, working
	e.inbox <- c
	return true
}

func (e *environment) timeOut(c *call) {
	e.mu.Lock()
	mine := e.current == c
	if mine {
		seconds := fmt.Sprintf("%d.%02d", e.function.spec.Timeout/time.Second,
			e.function.spec.Timeout%time.Second/(10*time.Millisecond))
		e.finish(c, fault(c.id, "Sandbox.Timedout", "Task timed out after "+seconds+" seconds"))
	}
	e.mu.Unlock()
	if mine {
		e.kill()
	}
}

// kill ends the process and waits until the function has removed the environment.
func (e *environment) kill() {
	e.mu.Lock()
	e.over = true
	process := e.process
	e.mu.Unlock()
	if process != nil {
		process.Kill()
	}
	<-e.gone
}

// end removes an environment whose process has ended, and fails its call if that has no result yet.
func (e *environment) end(reason, state string) {
	e.mu.Lock()
	e.over = true
	was, c := e.stage, e.current
	failed := fault("", reason, state)
	if e.initError != nil {
		failed = Result{Payload: e.initError, FunctionError: "Unhandled"}
	}
	if c != nil {
		c.limit.Stop()
		e.finish(c, fault(c.id, reason, state))
	}
	e.mu.Unlock()
	e.function.remove(e, was, failed)
	close(e.gone)
}
