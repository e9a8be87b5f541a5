package web

import (
	"bytes"
	"container/list"
	"crypto/sha256"
	"fmt"
	"sync"

	"golang.org/x/sync/singleflight"

	"lockstep/views/raster"
)

// Bounds on pixels: each print takes up to some seconds of a processor and
// some tens of megabytes while it is made.
const (
	mostPrints = 2        // at once
	mostQueued = 32       // that wait for those
	keptPrints = 32 << 20 // bytes that are kept
)

// press makes files out of drawings, a few at a time, each once, and keeps the
// latest. It is safe for concurrent use.
type press struct {
	painter *raster.Painter
	places  chan struct{} // one for each print at work or waiting
	working chan struct{}
	making  singleflight.Group

	mu    sync.Mutex
	kept  map[[sha256.Size]byte]*list.Element // of *print
	order *list.List                          // the latest used first
	bytes int
}

// print is a file that is kept.
type print struct {
	key  [sha256.Size]byte
	file []byte
}

func newPress(painter *raster.Painter) *press {
	return &press{
		painter: painter,
		places:  make(chan struct{}, mostPrints+mostQueued), working: make(chan struct{}, mostPrints),
		kept: map[[sha256.Size]byte]*list.Element{}, order: list.New(),
	}
}

// print returns the file of a key, painted unless it is there. Whoever asks for
// the same at the same time waits for the one. With too many waiting already it
// fails with errPressed.
func (p *press) print(key [sha256.Size]byte, paint func(*raster.Painter, *bytes.Buffer) error) ([]byte, error) {
	if file, found := p.find(key); found {
		return file, nil
	}
	made, err, _ := p.making.Do(string(key[:]), func() (any, error) { return p.paint(key, paint) })
	if err != nil {
		return nil, err
	}
	return made.([]byte), nil
}

func (p *press) paint(key [sha256.Size]byte, paint func(*raster.Painter, *bytes.Buffer) error) ([]byte, error) {
	select {
	case p.places <- struct{}{}:
		defer func() { <-p.places }()
	default:
		return nil, errPressed
	}
	p.working <- struct{}{}
	defer func() { <-p.working }()
	var to bytes.Buffer
	if err := paint(p.painter, &to); err != nil {
		return nil, fmt.Errorf("print: %w", err)
	}
	p.keep(key, to.Bytes())
	return to.Bytes(), nil
}

func (p *press) find(key [sha256.Size]byte) ([]byte, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.kept[key]
	if at == nil {
		return nil, false
	}
	p.order.MoveToFront(at)
	return at.Value.(*print).file, true
}

// keep keeps a file and drops those that were not asked for the longest.
func (p *press) keep(key [sha256.Size]byte, file []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.kept[key] != nil || len(file) > keptPrints {
		return
	}
	p.kept[key] = p.order.PushFront(&print{key, file})
	for p.bytes += len(file); p.bytes > keptPrints; {
		last := p.order.Back()
		old := p.order.Remove(last).(*print)
		delete(p.kept, old.key)
		p.bytes -= len(old.file)
	}
}
