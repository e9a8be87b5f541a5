package e2e

import (
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestScripts runs the scripts in testdata/script against the built console.
// Beside the commands of testscript they have
//
//	console ARG…           run the console to its end
//	exits STATUS ARG…      the same, with the exit status that is due
//	serve ARG…             start it and read its first line; sets ADDRESS, HOST
//	                       (the address without scheme) and KEY; by https, the
//	                       certificate must have the fingerprint that it prints
//	invited                read its next line; sets ADDRESS, KEY
//	stop [kill]            end it, print its log
//	http METHOD URL [Name: value …] [field=value …]
//	                       ask for something, with the script's cookies; prints
//	                       the status, the headers, an empty line and the body
//	forget                 lose the cookies
//	bearer FILE            sets BEARER to the header that carries the token in FILE
//	agent NAME DATA ARG…   start an agent of the console that serves DATA and
//	                       print its first line
//	agentends NAME STATUS [stop]
//	                       wait for its end, with the exit status that is due,
//	                       and print its log
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, "CONSOLE="+consoleBinary)
			v := &visitor{}
			env.Values[visitorKey{}] = v
			env.Defer(func() {
				if v.console != nil {
					v.console.kill()
				}
				v.client.CloseIdleConnections()
			})
			return v.forget()
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"console":   runConsole,
			"exits":     exits,
			"serve":     serve,
			"invited":   invited,
			"stop":      stop,
			"http":      request,
			"agent":     startAgent,
			"agentends": endAgent,
			"forget": func(ts *testscript.TestScript, _ bool, _ []string) {
				ts.Check(visiting(ts).forget())
			},
			"bearer": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Setenv("BEARER", "Authorization: Bearer "+strings.TrimSpace(ts.ReadFile(args[0])))
			},
		},
	})
}

// visitor is what one script has at hand.
type visitor struct {
	console *served
	agents  map[string]*served // by name
	client  http.Client
}

type visitorKey struct{}

func visiting(ts *testscript.TestScript) *visitor { return ts.Value(visitorKey{}).(*visitor) }

// forget starts over with an empty jar.
func (v *visitor) forget() error {
	jar, err := cookiejar.New(nil)
	v.client.Jar = jar
	v.client.Timeout = patience
	v.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if v.client.Transport == nil {
		v.client.Transport = &http.Transport{}
	}
	return err
}

// pin has the visitor believe the certificate whose fingerprint the console has
// printed, and no other.
func (v *visitor) pin() error {
	const before = "certificate SHA-256 "
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		_, rest, found := strings.Cut(v.console.said(), before)
		printed, _, whole := strings.Cut(rest, "\n")
		switch {
		case found && whole:
			v.client.Transport.(*http.Transport).TLSClientConfig = &tls.Config{
				InsecureSkipVerify: true, // the fingerprint is what is checked
				VerifyConnection: func(state tls.ConnectionState) error {
					shown := sha256.Sum256(state.PeerCertificates[0].Raw)
					if !strings.EqualFold(strings.ReplaceAll(printed, ":", ""), hex.EncodeToString(shown[:])) {
						return fmt.Errorf("the certificate is %x, and %s was printed", shown, printed)
					}
					return nil
				},
			}
			return nil
		case time.Now().After(deadline):
			return errors.New("the console prints no fingerprint")
		}
	}
}

func runConsole(ts *testscript.TestScript, neg bool, args []string) {
	err := ts.Exec(consoleBinary, args...)
	if (err != nil) != neg {
		ts.Fatalf("console %s: %v", strings.Join(args, " "), err)
	}
}

func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(consoleBinary, args[1:]...); err != nil {
		ended := new(exec.ExitError)
		if !errors.As(err, &ended) {
			ts.Fatalf("run the console: %v", err)
		}
		got = ended.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

func serve(ts *testscript.TestScript, _ bool, args []string) {
	v := visiting(ts)
	if v.console != nil {
		ts.Fatalf("a console is running already")
	}
	environ := []string{"PATH=" + ts.Getenv("PATH"), "HOME=" + ts.Getenv("HOME"), "TMPDIR=" + ts.Getenv("TMPDIR")}
	console, err := start(ts.MkAbs("."), environ, append([]string{"serve"}, args...)...)
	ts.Check(err)
	v.console = console
	invited(ts, false, nil)
}

func invited(ts *testscript.TestScript, _ bool, _ []string) {
	address, key, err := visiting(ts).console.invitation()
	ts.Check(err)
	ts.Setenv("ADDRESS", address)
	scheme, host, _ := strings.Cut(address, "://")
	ts.Setenv("HOST", host)
	if scheme == "https" {
		ts.Check(visiting(ts).pin())
	}
	ts.Setenv("KEY", key)
}

func stop(ts *testscript.TestScript, _ bool, args []string) {
	v := visiting(ts)
	console := v.console
	v.console = nil
	if len(args) == 1 && args[0] == "kill" {
		console.kill()
		return
	}
	ts.Check(console.process.Process.Signal(syscall.SIGTERM))
	status, err := console.wait()
	ts.Check(err)
	if status != 0 {
		ts.Fatalf("exit status %d after SIGTERM:\n%s", status, console.said())
	}
	fmt.Fprint(ts.Stdout(), console.said())
}

func request(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: http METHOD URL [Name: value …] [field=value …]")
	}
	var headers []string
	var fields []string
	for _, arg := range args[2:] {
		if strings.Contains(arg, ": ") {
			headers = append(headers, arg)
		} else {
			fields = append(fields, arg)
		}
	}
	r, err := http.NewRequest(args[0], args[1], strings.NewReader(strings.Join(fields, "&")))
	ts.Check(err)
	if len(fields) > 0 {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		if name == "Host" {
			r.Host = value
		}
		r.Header.Set(name, value)
	}
	answer, err := visiting(ts).client.Do(r)
	ts.Check(err)
	defer answer.Body.Close()
	fmt.Fprintln(ts.Stdout(), answer.Status)
	ts.Check(answer.Header.Write(ts.Stdout()))
	fmt.Fprintln(ts.Stdout())
	_, err = io.Copy(ts.Stdout(), answer.Body)
	ts.Check(err)
}
