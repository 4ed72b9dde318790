package lambda

import (
	"bytes"
	"io"
	"sync"
)

// logbook stores what the environments of a function write, line by line, and passes it on.
type logbook struct {
	prefix  string
	out     io.Writer
	wrote   func(bytes int) // is called with the length of every line
	mu      sync.Mutex
	written bytes.Buffer
}

func (l *logbook) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.written.String()
}

func (l *logbook) line(line []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.written.Write(line)
	l.wrote(len(line) - 1)
	if l.out != nil {
		l.out.Write(append([]byte(l.prefix+" | "), line...))
	}
}

func (l *logbook) writer() *lineWriter { return &lineWriter{log: l} }

// lineWriter holds back an unfinished line, so that lines of several environments don't mix.
type lineWriter struct {
	log  *logbook
	rest []byte
}

func (w *lineWriter) Write(p []byte) (int, error) {
	w.rest = append(w.rest, p...)
	for {
		end := bytes.IndexByte(w.rest, '\n')
		if end < 0 {
			return len(p), nil
		}
		w.log.line(w.rest[:end+1])
		w.rest = w.rest[end+1:]
	}
}

// Close writes an unfinished last line.
func (w *lineWriter) Close() error {
	if len(w.rest) > 0 {
		w.log.line(append(w.rest, '\n'))
		w.rest = nil
	}
	return nil
}
