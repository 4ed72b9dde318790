package payment

import (
	"context"
	"slices"

	"checkout/internal/fault"
)

// Jobs are the requests of a payment whose outcome is not known.
type Jobs []Job

// SetCause stores the id of the API call that ctx belongs to in the jobs of a new payment.
func (j Jobs) SetCause(ctx context.Context) {
	for i := range j {
		j[i].Cause = fault.RequestID(ctx)
	}
}

// Find returns the payment's job with a reference, nil if there is none.
func (j Jobs) Find(reference string) *Job {
	return first(j, func(job *Job) bool { return job.Reference == reference })
}

// Charge returns the job of the charge, nil once the charge is decided.
func (j Jobs) Charge() *Job {
	return first(j, func(job *Job) bool { return job.Kind == JobCharge })
}

// Remove removes the job with a reference.
func (j *Jobs) Remove(reference string) {
	*j = slices.DeleteFunc(*j, func(job Job) bool { return job.Reference == reference })
}

// InProgress reports whether a request that the payment consists of has no outcome yet.
func (j Jobs) InProgress() bool {
	return slices.ContainsFunc(j, func(job Job) bool { return job.Kind.OfPayment() })
}

// Has reports whether the payment has a job of that kind.
func (j Jobs) Has(kind JobKind) bool {
	return slices.ContainsFunc(j, func(job Job) bool { return job.Kind == kind })
}

// FirstUnknown returns the payment's own job whose outcome is unknown for the longest time, nil if there is none.
func (j Jobs) FirstUnknown() (first *Job) {
	for i := range j {
		job := &j[i]
		unknown := job.Kind.OfPayment() && !job.UnknownSince.IsZero()
		if unknown && (first == nil || job.UnknownSince.Before(first.UnknownSince)) {
			first = job
		}
	}
	return first
}

// WaitForPerson reports whether a person has to decide what became of one of the payment's requests.
func (j Jobs) WaitForPerson() bool {
	return slices.ContainsFunc(j, func(job Job) bool { return job.Person && job.Kind != JobUnapplied })
}

// first returns the first item of a list that is as wanted, nil if there is none.
func first[T any](all []T, wanted func(*T) bool) *T {
	for i := range all {
		if wanted(&all[i]) {
			return &all[i]
		}
	}
	return nil
}

// latest returns the last such item, nil if there is none.
func latest[T any](all []T, wanted func(*T) bool) *T {
	for i := len(all) - 1; i >= 0; i-- {
		if wanted(&all[i]) {
			return &all[i]
		}
	}
	return nil
}

// needSealed reports whether the sealed card is still needed.
func (j Jobs) needSealed() bool {
	charge := j.Charge()
	return charge != nil && charge.Sealed
}
