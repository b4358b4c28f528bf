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

func chosen(name string, beginnings []string) bool {
	for _, beginning := range beginnings {
		if strings.HasPrefix(name, beginning) {
			return true
		}
	}
	return len(beginnings) == 0
}
