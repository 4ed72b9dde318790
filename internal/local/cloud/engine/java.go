package engine

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"time"

	"checkout/internal/local/cloud/child"
)

const (
	startLimit = 5 * time.Minute
	attempts   = 3 // to start an engine on a port that another program may take meanwhile
)

// quick makes a small Java process start fast.
var quick = []string{"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"}

// startDynamoDB starts DynamoDB Local, which does not choose a free port by itself, with one database for all access
// keys (-sharedDb), as on AWS.
func startDynamoDB(ctx context.Context, config Config) (*child.Process, string, error) {
	jars, err := classes(config, "dynamodb")
	if err != nil {
		return nil, "", err
	}
	for range attempts {
		var address string
		if address, err = freeAddress(); err != nil {
			return nil, "", err
		}
		_, port, _ := net.SplitHostPort(address)
		arguments := append([]string{"-Xmx256m"}, quick...)
		arguments = append(arguments, "-Djava.library.path="+filepath.Dir(jars), "-cp", jars,
			"com.amazonaws.services.dynamodbv2.local.main.ServerRunner", "-inMemory", "-sharedDb", "-port", port,
			"-disableTelemetry")
		var said tail
		command := exec.Command("java", arguments...)
		command.Stdout, command.Stderr = &said, &said
		var process *child.Process
		if process, err = child.Start(command); err != nil {
			return nil, "", fmt.Errorf("DynamoDB Local: %w", err)
		}
		if err = waitUntilReady(ctx, process, address); err == nil {
			return process, address, nil
		}
		process.Kill()
		err = fmt.Errorf("DynamoDB Local: %w: %s", err, said.last())
	}
	return nil, "", err
}

func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	return listener.Addr().String(), nil
}

// waitUntilReady waits until an engine responds to HTTP.
func waitUntilReady(ctx context.Context, process *child.Process, address string) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address, nil)
		if err != nil {
			return err
		}
		if response, err := http.DefaultClient.Do(request); err == nil {
			io.Copy(io.Discard, response.Body)
			return response.Body.Close()
		}
		pause := time.NewTimer(20 * time.Millisecond)
		select {
		case <-process.Done():
			return errors.New("ended while starting, " + process.State())
		case <-ctx.Done():
			return errors.New("did not respond in time")
		case <-pause.C:
		}
	}
}

var bound = regexp.MustCompile(`Started SQS rest server, bind address [^ ]*:([0-9]+)`)

// startElasticMQ starts ElasticMQ on a port of its choice, which it prints.
func startElasticMQ(ctx context.Context, config Config) (*child.Process, string, error) {
	jars, err := classes(config, "elasticmq")
	if err != nil {
		return nil, "", err
	}
	arguments := append([]string{"-Xmx128m"}, quick...)
	arguments = append(arguments, "-Drest-sqs.bind-hostname=127.0.0.1", "-Drest-sqs.bind-port=0",
		"-Dgenerate-node-address=true",
		"-Drest-stats.enabled=false", "-Daws.region="+config.Region, "-Daws.accountId="+config.Account,
		"-cp", jars, "org.elasticmq.server.Main")
	command := exec.Command("java", arguments...)
	output, input := io.Pipe()
	var said tail
	command.Stdout, command.Stderr = io.MultiWriter(input, &said), &said
	process, err := child.Start(command)
	if err != nil {
		return nil, "", fmt.Errorf("ElasticMQ: %w", err)
	}
	port := make(chan int, 1)
	go readPort(output, port)
	go func() {
		<-process.Done()
		input.Close()
	}()
	limit := time.NewTimer(startLimit)
	defer limit.Stop()
	select {
	case number := <-port:
		return process, "127.0.0.1:" + strconv.Itoa(number), nil
	case <-process.Done():
		err = errors.New("ended while starting, " + process.State())
	case <-limit.C:
		err = errors.New("did not respond in time")
	case <-ctx.Done():
		err = ctx.Err()
	}
	process.Kill()
	return nil, "", fmt.Errorf("ElasticMQ: %w: %s", err, said.last())
}

// readPort finds the port in the output and reads on to the end, so that the engine never waits for a reader.
func readPort(output io.Reader, port chan<- int) {
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		if parts := bound.FindSubmatch(lines.Bytes()); parts != nil {
			number, _ := strconv.Atoi(string(parts[1]))
			port <- number
			break
		}
	}
	io.Copy(io.Discard, output)
}

// tail stores the end of an engine's output, for the error message when it does not start.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	t.text = t.text[max(0, len(t.text)-4096):]
	return len(p), nil
}

func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := bytes.TrimSpace(t.text)
	return string(text[bytes.LastIndexByte(text, '\n')+1:])
}
