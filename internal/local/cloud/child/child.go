// Package child runs the programs that the local cloud consists of, and ends them with it. Each runs in a process group
// of its own, so that a kill reaches the processes that it started, too; on Linux the kernel kills it even when the
// local cloud itself is killed.
package child

import (
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// Process is a program that was started.
type Process struct {
	command *exec.Cmd
	done    chan struct{}
	state   string
	used    time.Duration
}

// starter starts all programs on one thread that never ends: Linux ties a parent-death signal to the thread.
var starter = sync.OnceValue(func() chan<- func() {
	work := make(chan func())
	go func() {
		runtime.LockOSThread()
		for do := range work {
			do()
		}
	}()
	return work
})

// Start runs a command.
func Start(command *exec.Cmd) (*Process, error) {
	command.SysProcAttr = attributes()
	command.WaitDelay = time.Second
	started := make(chan error)
	starter() <- func() { started <- command.Start() }
	if err := <-started; err != nil {
		return nil, err
	}
	p := &Process{command: command, done: make(chan struct{})}
	go func() {
		err := command.Wait()
		p.state = "exit status 0"
		if err != nil {
			p.state = err.Error()
		}
		if ended := command.ProcessState; ended != nil {
			p.used = ended.UserTime() + ended.SystemTime()
		}
		close(p.done)
	}()
	return p, nil
}

// Done is closed when the program has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// State waits for the end of the program and returns how it ended, such as "exit status 1".
func (p *Process) State() string {
	<-p.done
	return p.state
}

// Processor is how long the program has used processors. It waits for the end.
func (p *Process) Processor() time.Duration {
	<-p.done
	return p.used
}

// ID is the id of the process.
func (p *Process) ID() int { return p.command.Process.Pid }

// Kill ends the program with everything in its group, at once, and waits until it is gone.
func (p *Process) Kill() {
	select {
	case <-p.done:
		return // another group may have its number by now
	default:
	}
	syscall.Kill(-p.ID(), syscall.SIGKILL)
	<-p.done
}
