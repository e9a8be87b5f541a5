package account_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"

	"lockstep/web/account"
)

func TestPasswordsAreChecked(t *testing.T) {
	for password, want := range map[string]error{
		"correct horse battery":        nil,
		"exactly12 ch":                 nil,
		"密码要十二个字符才可以用":                 nil,
		strings.Repeat("abcde", 50):    nil,
		"":                             account.ErrPasswordShort,
		"elevenchars":                  account.ErrPasswordShort,
		strings.Repeat("密", 11):        account.ErrPasswordShort, // characters, not bytes
		"aaaaaaaaaaaa":                 account.ErrPasswordSimple,
		"abababababab":                 account.ErrPasswordSimple,
		"a.long.name@example.com":      account.ErrPasswordIsName,
		"A.Long.Name@Example.com":      account.ErrPasswordIsName,
		"tab\tin the middle":           account.ErrPasswordText,
		"line\nin the middle":          account.ErrPasswordText,
		"not text at all \xff\xfe":     account.ErrPasswordText,
		strings.Repeat("abcde", 60):    account.ErrPasswordLong,
		strings.Repeat("abcde", 1<<20): account.ErrPasswordLong,
	} {
		if err := account.CheckPassword("a.long.name@example.com", password); !errors.Is(err, want) {
			t.Errorf("CheckPassword(%.30q) = %v, want %v", password, err, want)
		}
	}
}

func TestPasswordsMatchTheirHash(t *testing.T) {
	p, err := account.NewPasswords()
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	hash, err := p.Hash(ctx, "cafe\u0301 and blanks")
	if err != nil || !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Fatalf("hash %q, %v", hash, err)
	}
	again, err := p.Hash(ctx, "cafe\u0301 and blanks")
	if err != nil || again == hash {
		t.Errorf("the same password hashed twice gives %q and %q, %v", hash, again, err)
	}
	for password, want := range map[string]bool{
		"cafe\u0301 and blanks": true,
		"café and blanks":       true, // as another keyboard composes it
		"cafe and blanks":       false,
		"Café and blanks":       false,
		"":                      false,
		"\xff":                  false,
	} {
		if got, err := p.Matches(ctx, hash, password); err != nil || got != want {
			t.Errorf("%q matches: %t, %v; want %t", password, got, err, want)
		}
	}
	for _, password := range []string{"", "anything"} {
		if got, err := p.Matches(ctx, "", password); err != nil || got {
			t.Errorf("%q matches the hash of nobody: %t, %v", password, got, err)
		}
	}
	if _, err := p.Matches(ctx, "no hash", "anything"); err == nil {
		t.Error("a damaged hash is taken for one that does not match")
	}
}

// However many ask at once, few are hashed at once, and those beyond what is
// worth waiting for are told so.
func TestHashingIsBounded(t *testing.T) {
	p, err := account.NewPasswords()
	if err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithCancel(t.Context())
	var group sync.WaitGroup
	var mu sync.Mutex
	busy, left, done := 0, 0, 0
	var all sync.Once
	for range 600 {
		group.Go(func() {
			_, err := p.Matches(ctx, "", "anything")
			mu.Lock()
			defer mu.Unlock()
			switch {
			case errors.Is(err, account.ErrBusy):
				busy++
				all.Do(leave) // there is nothing more to see
			case errors.Is(err, context.Canceled):
				left++
			case err == nil:
				done++
			default:
				t.Error(err)
			}
		})
	}
	group.Wait()
	leave()
	if busy == 0 || left == 0 {
		t.Errorf("%d were turned away, %d left while they waited, %d were served; want some of the first two", busy, left, done)
	}
	if ok, err := p.Matches(t.Context(), "", "anything"); ok || err != nil {
		t.Errorf("afterwards: %t, %v", ok, err)
	}
}

// What is compared with the password of nobody is hashed like any other, so
// that time does not tell which accounts exist. argon2id fills its memory
// before it can say anything.
func TestNobodysPasswordIsHashedToo(t *testing.T) {
	p, err := account.NewPasswords()
	if err != nil {
		t.Fatal(err)
	}
	for name, password := range map[string]string{"some word": "correct horse battery", "no text at all": "\xff", "nothing": ""} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		matches, err := p.Matches(t.Context(), "", password)
		runtime.ReadMemStats(&after)
		if err != nil || matches {
			t.Errorf("%s: %v, %v", name, matches, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took < 19<<20 {
			t.Errorf("%s: %d bytes were filled; a hash takes 19 MiB", name, took)
		}
	}
}
