package web

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/engine/sweep"
	"lockstep/engine/trace"
	"lockstep/sizing/report"
	"lockstep/web/account"
	"lockstep/web/auth"
)

// record keeps in the audit log that whoever asks in ctx has done something,
// or has tried to and got err. It keeps no more than the log line if that
// fails: what was done is done.
func (s *server) record(ctx context.Context, action account.Action, target string, err error) {
	actor, _ := auth.From(ctx)
	entry := account.AuditEntry{Action: action, Target: target, Outcome: outcomeOf(err), Via: actor.Via}
	if actor != (account.Actor{}) {
		entry.Who = actor.String()
	}
	if entry.Outcome == account.Failed {
		entry.Detail = err.Error()
	}
	s.append(ctx, entry)
}

// append completes an entry and keeps it.
func (s *server) append(ctx context.Context, e account.AuditEntry) {
	if s.Access.Audit == nil {
		return
	}
	e.At, e.From = s.Now(), addressIn(ctx)
	// What was done is kept even if whoever did it leaves at this very moment.
	if err := s.Access.Audit.Append(context.WithoutCancel(ctx), e); err != nil {
		s.Log.ErrorContext(ctx, "keep an audit entry", "action", e.Action, "target", e.Target, "error", err)
	}
}

// refusals are errors that say no, not that something broke.
var refusals = []error{
	errForeignHost, errCrossOrigin, errTooFast, errTooManyTries, account.ErrKeyRefused, account.ErrTokenRefused, account.ErrLoginRefused,
	account.ErrLastAdmin,
}

func outcomeOf(err error) account.AuditOutcome {
	if err == nil {
		return account.Allowed
	}
	small := new(roleError)
	if errors.As(err, &small) {
		return account.Refused
	}
	for _, refusal := range refusals {
		if errors.Is(err, refusal) {
			return account.Refused
		}
	}
	return account.Failed
}

// recordRefusal keeps that a request was refused by a rule. Strangers cannot
// fill the log with them.
func (s *server) recordRefusal(r *http.Request, err error) {
	small := new(roleError)
	switch {
	case errors.As(err, &small), errors.Is(err, errForeignHost), errors.Is(err, errCrossOrigin), errors.Is(err, account.ErrTokenRefused):
	default:
		return
	}
	if s.Access.Audit == nil || !s.paces.refusals.allow(neighbourhood(addressOf(r))) {
		return
	}
	actor, in := auth.From(r.Context())
	entry := account.AuditEntry{
		Action: account.RefuseRequest, Target: r.Method + " " + redacted(r.URL), Outcome: account.Refused, Detail: err.Error(), Via: actor.Via,
	}
	if in {
		entry.Who = actor.String()
	}
	s.append(r.Context(), entry)
}

// audited lets everything that changes something leave its entry, whether a
// page asks for it or a program.
func (s *server) audited() {
	if s.Access.Audit == nil {
		return
	}
	if s.Runner != nil {
		s.Runner = auditedRunner{s, s.Runner}
	}
	if s.Sweeper != nil {
		s.Sweeper = auditedSweeper{s, s.Sweeper}
	}
	if s.Disturb != nil {
		s.Disturb = auditedDisturber{s, s.Disturb}
	}
	if s.Reports != nil {
		s.Reports = auditedReports{s, s.Reports}
	}
	if s.Entries != nil {
		s.Entries = auditedEntries{s, s.Entries}
	}
	if s.Keeper != nil {
		s.Keeper = auditedKeeper{s, s.Keeper}
	}
	if s.Inviter != nil {
		s.Inviter = auditedInviter{s, s.Inviter}
	}
}

type auditedRunner struct {
	s *server
	Runner
}

func (a auditedRunner) Submit(ctx context.Context, spec trace.Spec) (trace.Run, error) {
	run, err := a.Runner.Submit(ctx, spec)
	if wrong := new(trace.FieldError); !errors.As(err, &wrong) {
		a.s.record(ctx, account.StartRun, run.ID, err)
	}
	return run, err
}

func (a auditedRunner) Cancel(ctx context.Context, id string) error {
	err := a.Runner.Cancel(ctx, id)
	if !errors.Is(err, trace.ErrNoRun) {
		a.s.record(ctx, account.CancelRun, id, err)
	}
	return err
}

type auditedSweeper struct {
	s *server
	Sweeper
}

func (a auditedSweeper) Start(ctx context.Context, r sweep.Request) (sweep.Comparison, error) {
	c, err := a.Sweeper.Start(ctx, r)
	if wrong := new(trace.FieldError); !errors.As(err, &wrong) {
		a.s.record(ctx, account.Compare, c.ID, err)
	}
	return c, err
}

func (a auditedSweeper) Stop(ctx context.Context, id string) {
	a.Sweeper.Stop(ctx, id)
	a.s.record(ctx, account.StopComparing, id, nil)
}

type auditedDisturber struct {
	s *server
	Disturber
}

func (a auditedDisturber) Signal(ctx context.Context, id string, rank int, signal trace.Signal) error {
	err := a.Disturber.Signal(ctx, id, rank, signal)
	if wrong := new(trace.FieldError); !errors.Is(err, trace.ErrNoRun) && !errors.As(err, &wrong) {
		a.s.record(ctx, account.SignalRun, id, err)
	}
	return err
}

type auditedReports struct {
	s *server
	Reports
}

func (a auditedReports) Save(ctx context.Context, draft report.Report, now time.Time) (report.Report, error) {
	saved, err := a.Reports.Save(ctx, draft, now)
	a.s.record(ctx, account.SaveReport, saved.ID, err)
	return saved, err
}

func (a auditedReports) Share(ctx context.Context, share report.Share) error {
	err := a.Reports.Share(ctx, share)
	a.s.record(ctx, account.ShareReport, share.Report, err)
	return err
}

func (a auditedReports) Unshare(ctx context.Context, id string, now time.Time) (report.Share, error) {
	share, err := a.Reports.Unshare(ctx, id, now)
	if !errors.Is(err, report.ErrShareUnknown) {
		a.s.record(ctx, account.UnshareReport, share.Report, err)
	}
	return share, err
}

type auditedInviter struct {
	s *server
	NodeInviter
}

func (a auditedInviter) Invite(ctx context.Context) (inventory.Invitation, error) {
	invitation, err := a.NodeInviter.Invite(ctx)
	a.s.record(ctx, account.CreateToken, string(account.JoinToken), err)
	return invitation, err
}

// uses remembers which token has been used from where, so that each leaves an
// entry now and then and not for every request.
type uses struct {
	mu   sync.Mutex
	seen map[[2]string]time.Time // token and address: when it was last noted
}

const (
	useNoted = time.Hour // how long a noted use stands for further ones
	maxUses  = 1000      // bounds the memory; forgetting costs a few entries
)

// fresh reports whether a use is to be noted.
func (u *uses) fresh(token, address string, now time.Time) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	key := [2]string{token, address}
	if at, seen := u.seen[key]; seen && now.Sub(at) < useNoted {
		return false
	}
	if u.seen == nil || len(u.seen) >= maxUses {
		u.seen = map[[2]string]time.Time{}
	}
	u.seen[key] = now
	return true
}

// tokenNoted keeps which token is used from where.
func (s *server) tokenNoted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if actor, in := auth.From(r.Context()); in && actor.Via == account.ByToken && s.paces.uses.fresh(actor.Name, addressOf(r), s.Now()) {
			s.record(r.Context(), account.UseToken, "", nil)
		}
		next.ServeHTTP(w, r)
	})
}
