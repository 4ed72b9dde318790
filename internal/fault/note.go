package fault

import (
	"context"
	"log/slog"
)

// Note collects what an API call is about, for its log line. The jobs and callbacks that a call causes have its ID too,
// so that all their log lines can be found by it.
type Note struct {
	ID       string // of the request
	Merchant string // its id
	Session  string // the public part of the session's id
	Payment  string // payment id

	Attrs []slog.Attr // further attributes of the log line, such as metrics
}

type noteKey struct{}

// WithNote returns a context with a note, which the service's operations fill in.
func WithNote(ctx context.Context, note *Note) context.Context {
	return context.WithValue(ctx, noteKey{}, note)
}

// RequestID returns the id of the API call that ctx belongs to, or which caused its job or callback; "" if there is
// none.
func RequestID(ctx context.Context) string { return NoteOf(ctx).ID }

// WithCause returns the context of a job or callback that the API call with an id caused, ctx itself if id is "".
func WithCause(ctx context.Context, id string) context.Context {
	if id == "" || id == RequestID(ctx) {
		return ctx
	}
	return WithNote(ctx, &Note{ID: id})
}

// NoteOf returns the note of ctx, or an empty one that is not logged.
func NoteOf(ctx context.Context) *Note {
	if note, ok := ctx.Value(noteKey{}).(*Note); ok {
		return note
	}
	return &Note{}
}

// NewLogHandler returns a handler that adds the request id of the context to every line.
func NewLogHandler(next slog.Handler) slog.Handler { return logHandler{next} }

type logHandler struct{ slog.Handler }

func (h logHandler) Handle(ctx context.Context, r slog.Record) error {
	if id := RequestID(ctx); id != "" {
		r.AddAttrs(slog.String("request", id))
	}
	return h.Handler.Handle(ctx, r)
}

func (h logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return logHandler{h.Handler.WithAttrs(attrs)}
}

func (h logHandler) WithGroup(name string) slog.Handler { return logHandler{h.Handler.WithGroup(name)} }
