package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestMain lets a test run the program itself.
func TestMain(m *testing.M) {
	if os.Getenv("UPSTREAM_TEST_AS_PROGRAM") != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// upstream runs the program: what it printed, what it complained of, and its exit code.
func upstream(t *testing.T, arguments ...string) (string, string, int) {
	t.Helper()
	command := exec.Command(os.Args[0], arguments...)
	command.Env = append(os.Environ(), "UPSTREAM_TEST_AS_PROGRAM=1")
	var out, complaint strings.Builder
	command.Stdout, command.Stderr = &out, &complaint
	if err := command.Run(); err != nil && command.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), complaint.String(), command.ProcessState.ExitCode()
}

func TestRefusesNamesThatNothingBeginsWith(t *testing.T) {
	for _, arguments := range [][]string{
		{"bench", "typo"},
		{"bench", "-cold", "merge/numa4/providers1", "typo"},
	} {
		out, complaint, code := upstream(t, arguments...)
		expected := "upstream: bench: expected the beginning of a name that upstream list has and does not leave out," +
			" found \"typo\"\n"
		if out != "" || complaint != expected || code != 2 {
			t.Errorf("%v: expected nothing, %q and 2, found %q, %q and %d", arguments, expected, out, complaint, code)
		}
	}
}

func TestRefusesAWorkloadThatIsLeftOut(t *testing.T) {
	for _, left := range leftOut {
		if out, complaint, code := upstream(t, "bench", "-cold", left.name); out != "" || complaint == "" || code != 2 {
			t.Errorf("%s: expected nothing, a complaint and 2, found %q, %q and %d", left.name, out, complaint, code)
		}
	}
}

func TestTimesAWorkloadByTheBeginningOfItsName(t *testing.T) {
	out, complaint, code := upstream(t, "bench", "-cold", "merge/numa4/providers1")
	if !strings.HasPrefix(out, `{"name":"merge/numa4/providers1","ns":`) || complaint != "" || code != 0 {
		t.Errorf("expected a line, no complaint and 0, found %q, %q and %d", out, complaint, code)
	}
}

func TestListsEveryNameOnce(t *testing.T) {
	out, _, code := upstream(t, "list")
	if code != 0 {
		t.Fatalf("expected 0, found %d", code)
	}
	seen := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		name, _, _ := strings.Cut(line, " ")
		if seen[name] {
			t.Errorf("expected %s once, found it again", name)
		}
		seen[name] = true
	}
	if len(seen) != len(workloads())+len(leftOut) {
		t.Errorf("expected %d names, found %d", len(workloads())+len(leftOut), len(seen))
	}
}
