package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// remoteFlags say which console a command talks to.
type remoteFlags struct {
	Console string `placeholder:"ADDRESS" help:"Have it done by the console there, such as https://lab:8443."`
	Token   string `name:"token-file" type:"path" placeholder:"FILE" help:"File with the API token that console token create has printed."`
	Pin     string `name:"console-pin" placeholder:"SHA256" help:"Fingerprint of the console's own certificate, as console serve prints it."`
	CAFile  string `name:"ca-file" type:"path" placeholder:"FILE" help:"Certificates (PEM) to believe the console by, in place of the system's."`
}

// remote is a console somewhere else, as a program sees it. It is safe for
// concurrent use.
type remote struct {
	base   *url.URL
	token  string
	client *http.Client
}

// requestTime bounds one request: none of them waits for a run.
const requestTime = 30 * time.Second

// maxAnswer bounds what is read of an answer, in bytes.
const maxAnswer = 64 << 20

// open reads the flags. close lets connections go.
func (f remoteFlags) open() (r *remote, err error) {
	base, err := f.address()
	if err != nil {
		return nil, err
	}
	if f.Token == "" {
		return nil, usage("token-file", errors.New("not given; accepted: a file with an API token, which console token create --kind api prints"))
	}
	text, err := os.ReadFile(f.Token)
	if err != nil {
		return nil, usage("token-file", err)
	}
	token := strings.TrimSpace(string(text))
	if token == "" || strings.ContainsAny(token, " \t\r\n") {
		return nil, usage("token-file", fmt.Errorf("%s holds no token; accepted: one line, as console token create prints it", f.Token))
	}
	trust, err := f.trust(base)
	if err != nil {
		return nil, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = trust
	return &remote{base: base, token: token, client: &http.Client{
		Transport: transport,
		Timeout:   requestTime,
		// The token is for this address and for no other.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

func (r *remote) close() { r.client.CloseIdleConnections() }

// address reads --console. In the clear a token goes to this machine only.
func (f remoteFlags) address() (*url.URL, error) {
	const takes = "accepted: https://HOST:PORT, or http://127.0.0.1:PORT for a console of this machine"
	text := f.Console
	if !strings.Contains(text, "://") {
		text = "https://" + text
	}
	base, err := url.Parse(text)
	if err != nil || base.Hostname() == "" || strings.Trim(base.Path, "/") != "" || base.RawQuery != "" || base.User != nil {
		return nil, usage("console", fmt.Errorf("%q is no address of a console; %s", f.Console, takes))
	}
	base.Path = ""
	switch base.Scheme {
	case "https":
	case "http":
		if ip := net.ParseIP(base.Hostname()); base.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
			return nil, usage("console", fmt.Errorf("%s would carry the token in the clear; %s", f.Console, takes))
		}
		for flag, given := range map[string]string{"console-pin": f.Pin, "ca-file": f.CAFile} {
			if given != "" {
				return nil, usage(flag, fmt.Errorf("there is no certificate at %s; accepted with https", f.Console))
			}
		}
	default:
		return nil, usage("console", fmt.Errorf("%q is no address of a console; %s", f.Console, takes))
	}
	return base, nil
}

// trust says by what the console is believed to be itself.
func (f remoteFlags) trust(base *url.URL) (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS13}
	if f.CAFile != "" {
		text, err := os.ReadFile(f.CAFile)
		if err != nil {
			return nil, usage("ca-file", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, usage("ca-file", fmt.Errorf("%s holds no certificate; accepted: PEM", f.CAFile))
		}
	}
	if f.Pin == "" {
		return config, nil
	}
	plain := strings.NewReplacer(":", "", " ", "").Replace(strings.TrimPrefix(strings.ToLower(f.Pin), "sha256:"))
	pin, err := hex.DecodeString(plain)
	if err != nil || len(pin) != sha256.Size {
		return nil, usage("console-pin", fmt.Errorf("%q is no fingerprint; accepted: SHA-256 as 64 hexadecimal digits, with or without colons", f.Pin))
	}
	// Who shows the pinned certificate is the console, whatever name and signer
	// it has; the handshake proves that they hold its key.
	config.InsecureSkipVerify = true
	config.VerifyConnection = func(state tls.ConnectionState) error {
		got := sha256.Sum256(state.PeerCertificates[0].Raw)
		if !bytes.Equal(got[:], pin) {
			return pinError{hex.EncodeToString(got[:]), hex.EncodeToString(pin)}
		}
		return nil
	}
	return config, nil
}

// pinError is a console with another certificate than the pinned one.
type pinError struct{ got, want string }

func (e pinError) Error() string {
	return fmt.Sprintf("the certificate has the fingerprint %s, not %s", e.got, e.want)
}

// problemDocument is how a console says that something did not work.
type problemDocument struct {
	Status int    `json:"status"`
	Title  string `json:"title"`
	Detail string `json:"detail"`
	Errors []struct {
		Pointer   string `json:"pointer"`
		Parameter string `json:"parameter"`
		Message   string `json:"message"`
	} `json:"errors"`
	from *url.URL
}

func (p *problemDocument) Error() string {
	return strings.TrimSuffix(fmt.Sprintf("console %s: %s: %s", p.from, p.Title, p.Detail), ": ")
}

// unreachable is a console that does not answer.
type unreachable struct {
	base *url.URL
	err  error
}

func (e unreachable) Error() string {
	return fmt.Sprintf("console %s does not answer: %v", e.base, e.err)
}
func (e unreachable) Unwrap() error { return e.err }

// doubted is an address that answers, but not as the console that is meant.
type doubted struct{ unreachable }

func (e doubted) Error() string {
	return fmt.Sprintf("console %s is not believed to be itself: %v; give the fingerprint that console serve prints with --console-pin, or whoever signed its certificate with --ca-file", e.base, e.err)
}

// ask sends a request and reads the answer into into. An answer that says that
// it did not work is a *problemDocument; none at all is an unreachable.
func (r *remote) ask(ctx context.Context, method, path string, body, into any) error {
	var text io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return fmt.Errorf("write request: %w", err)
		}
		text = bytes.NewReader(encoded)
	}
	request, err := http.NewRequestWithContext(ctx, method, r.base.String()+"/api/v1"+path, text)
	if err != nil {
		return fmt.Errorf("ask console: %w", err)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	request.Header.Set("Authorization", "Bearer "+r.token)
	request.Header.Set("Accept-Language", "en")
	answer, err := r.client.Do(request)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		if named := new(url.Error); errors.As(err, &named) {
			err = named.Err // the address is said already
		}
		var other pinError
		var unsigned *tls.CertificateVerificationError
		if errors.As(err, &other) || errors.As(err, &unsigned) {
			return doubted{unreachable{r.base, err}}
		}
		return unreachable{r.base, err}
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return unreachable{r.base, err}
	}
	if answer.StatusCode/100 == 2 {
		if err := json.Unmarshal(content, into); err != nil {
			return fmt.Errorf("console %s answers what cannot be read: %w", r.base, err)
		}
		return nil
	}
	problem := &problemDocument{}
	if err := json.Unmarshal(content, problem); err != nil || problem.Status == 0 {
		return fmt.Errorf("console %s answers %s", r.base, answer.Status)
	}
	problem.from = r.base
	return problem
}
