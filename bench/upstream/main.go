// Upstream times Kubernetes' own managers on the workloads that docs/benchmark.md defines, under the
// names and in the format of `berth bench -o json`.
//
//	upstream bench [-for DURATION] [NAME…]   one JSON object a line; a NAME is the beginning of some
//	upstream bench -cold [NAME…]             the same of the first run of each alone
//	upstream list                            the names, and which are left out and why
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "upstream:", err)
		os.Exit(1)
	}
}

func main() {
	klog.SetLogger(logr.Discard())
	if len(os.Args) < 2 {
		usage()
	}
	switch os.Args[1] {
	case "bench":
		bench(os.Args[2:])
	case "list":
		list()
	default:
		usage()
	}
}

func usage() {
	fmt.Fprintln(os.Stderr, "upstream: expected bench [-for DURATION | -cold] [NAME…], or list")
	os.Exit(2)
}

func list() {
	for _, w := range workloads() {
		fmt.Println(w.name)
	}
	for _, w := range leftOut {
		fmt.Println(w.name + "  (left out: " + w.why + ")")
	}
}

func bench(arguments []string) {
	flags := flag.NewFlagSet("bench", flag.ExitOnError)
	atLeast := flags.Duration("for", time.Second, "how long each workload is timed at least")
	cold := flags.Bool("cold", false, "time only the first run of each")
	must(flags.Parse(arguments))
	if typo, found := unmatched(flags.Args()); found {
		fmt.Fprintf(os.Stderr,
			"upstream: bench: expected the beginning of a name that upstream list has and does not leave out, found %q\n", typo)
		os.Exit(2)
	}
	lines := json.NewEncoder(os.Stdout)
	for _, w := range workloads() {
		switch {
		case !chosen(w.name, flags.Args()):
		case *cold:
			must(lines.Encode(w.measureCold()))
		default:
			must(lines.Encode(w.measure(*atLeast)))
		}
	}
}

// unmatched is the first beginning with which no workload begins, where there is one: who asked for it
// would take nothing for an answer.
func unmatched(beginnings []string) (string, bool) {
	for _, beginning := range beginnings {
		if !slices.ContainsFunc(workloads(), func(w workload) bool { return strings.HasPrefix(w.name, beginning) }) {
			return beginning, true
		}
	}
	return "", false
}

func chosen(name string, beginnings []string) bool {
	for _, beginning := range beginnings {
		if strings.HasPrefix(name, beginning) {
			return true
		}
	}
	return len(beginnings) == 0
}
