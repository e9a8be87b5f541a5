package web

import (
	"context"
	"errors"

	"lockstep/cluster/inventory"
	"lockstep/web/account"
)

// auditedKeeper lets what people do to nodes leave its entry.
type auditedKeeper struct {
	s *server
	NodeKeeper
}

func (a auditedKeeper) record(ctx context.Context, action account.Action, name string, err error) error {
	if !errors.Is(err, inventory.ErrNoNode) {
		a.s.record(ctx, action, name, err)
	}
	return err
}

func (a auditedKeeper) Drain(ctx context.Context, name string, on bool) error {
	action := account.DrainNode
	if !on {
		action = account.ResumeNode
	}
	return a.record(ctx, action, name, a.NodeKeeper.Drain(ctx, name, on))
}

func (a auditedKeeper) Revoke(ctx context.Context, name string) error {
	return a.record(ctx, account.RevokeNode, name, a.NodeKeeper.Revoke(ctx, name))
}

func (a auditedKeeper) Forget(ctx context.Context, name string) error {
	return a.record(ctx, account.ForgetNode, name, a.NodeKeeper.Forget(ctx, name))
}
