package web

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// drainTime is how long requests under way may take once the console is told
// to stop.
const drainTime = 5 * time.Second

// readTime is how long a request may take to come in.
const readTime = 30 * time.Second

// Serve answers requests on l until ctx ends, then lets those under way
// finish. It closes l. With secure, it speaks TLS and nothing else. An error
// means that serving broke off by itself.
func Serve(ctx context.Context, l net.Listener, secure *tls.Config, h http.Handler, log *slog.Logger) error {
	sockets := newSockets()
	defer sockets.end()
	srv := &http.Server{
		BaseContext:       func(net.Listener) context.Context { return sockets.base(context.WithoutCancel(ctx)) },
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       readTime,
		WriteTimeout:      time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
		TLSConfig:         secure,
	}
	bounded := newBounded(l, maxConnections, maxConnectionsPerAddress)
	served := make(chan error, 1)
	go func() {
		if secure != nil {
			served <- srv.ServeTLS(bounded, "", "")
		} else {
			served <- srv.Serve(bounded)
		}
	}()
	select {
	case err := <-served:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer cancel()
	sockets.stop()
	if err := srv.Shutdown(drain); err != nil {
		log.Warn("requests cut off", "after", drainTime)
		_ = srv.Close() // what it could say has been said
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}
