package main

import (
	"os"
	"slices"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// missing skips a test for want of something, or fails it where everything
// must be there.
func missing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is missing", what)
	}
	t.Skipf("%s is missing", what)
}

func TestParts(t *testing.T) {
	for _, c := range []struct {
		list    string
		partial bool
		want    []string
	}{
		{"", false, []string{"collectives", "watchers", "lessons", "hosts"}},
		{"", true, []string{"collectives"}},
		{"lessons,watchers", true, []string{"lessons", "watchers"}},
	} {
		if got, err := partsOf(c.list, c.partial); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("partsOf(%q, %v) = %v, %v; want %v", c.list, c.partial, got, err, c.want)
		}
	}
	if _, err := partsOf("lesson", false); err == nil || err.Error() != `-parts: unknown "lesson"; accepted: collectives, watchers, lessons, hosts` {
		t.Errorf("an unknown part: %v", err)
	}
}
