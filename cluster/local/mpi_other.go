//go:build !linux

package local

import (
	"context"
	"errors"

	"lockstep/cluster/conduct"
)

func (f *Fleet) openMPI(context.Context, *conduct.Plan) (*Host, error) {
	return nil, errors.New(noSystem)
}
