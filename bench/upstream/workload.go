package main

import "time"

// workload is one of those that docs/benchmark.md defines.
type workload struct {
	name string
	// prepare makes what is not timed, when the workload's turn comes.
	prepare func() prepared
}

type prepared struct {
	// run does all of it once, and returns what came of it.
	run func() any
	// words says what came of it, as berth bench does, so that both can be seen to do the same.
	words func(any) string
}

type timing struct {
	Name    string `json:"name"`
	Ns      int64  `json:"ns"`
	Runs    int64  `json:"runs"`
	ColdNs  int64  `json:"coldNs"`
	Outcome string `json:"outcome"`
}

// batchTime is how long a workload runs between two looks at the clock, which takes some tens of
// nanoseconds itself.
const batchTime = 100 * time.Microsecond

// measure runs a workload once cold, then to warm up and then for a while, and takes the mean of these
// last runs. One that takes longer than that is still run once to warm up and once for the figure.
func (w workload) measure(atLeast time.Duration) timing {
	p := w.prepare()
	cold, outcome := p.first()
	p.repeat(atLeast / 4)
	spent, runs := p.repeat(atLeast)
	return timing{w.name, spent.Nanoseconds() / runs, runs, cold.Nanoseconds(), outcome}
}

// measureCold runs a workload only once.
func (w workload) measureCold() timing {
	cold, outcome := w.prepare().first()
	return timing{w.name, cold.Nanoseconds(), 1, cold.Nanoseconds(), outcome}
}

func (p prepared) first() (time.Duration, string) {
	began := time.Now()
	result := p.run()
	return time.Since(began), p.words(result)
}

func (p prepared) repeat(atLeast time.Duration) (time.Duration, int64) {
	runs, batch := int64(0), int64(1)
	began := time.Now()
	for {
		for range batch {
			kept[runs%int64(len(kept))] = p.run()
			runs++
		}
		spent := time.Since(began)
		if spent >= atLeast {
			return spent, runs
		}
		batch = max(1, runs*int64(batchTime)/int64(spent))
	}
}

// kept holds on to results, so that no run can be left out as useless.
var kept [64]any

func workloads() []workload {
	epyc7702p := shape{1, 1, 16, 4, 2}
	all := []workload{
		fill("fill/epyc-7702p/packed/4", epyc7702p, "none", "", 4),
		fill("fill/epyc-7702p/uncore/4", epyc7702p, "none", "prefer-align-cpus-by-uncorecache", 4),
		fill("fill/epyc-9654-2p-nps2/packed/8/best-effort", shape{2, 2, 6, 8, 2}, "best-effort", "", 8),
		fill("fill/epyc-9654-2p-nps4/distribute/48/best-effort", shape{2, 4, 3, 8, 2}, "best-effort",
			"distribute-cpus-across-numa", 48),
		fill("fill/xeon-8490h-2p-snc4/packed/8/restricted", shape{2, 4, 1, 15, 2}, "restricted", "", 8),
		admitOneOnNodes(8),
		admitOneOnNodes(12),
		admitOneOnNodes(16),
	}
	for _, cpus := range []int{32, 64, 128, 256, 512} {
		all = append(all, admitOneOnCPUs(cpus))
	}
	for providers := 1; providers <= 4; providers++ {
		all = append(all, merge(4, providers))
	}
	return append(all, merge(8, 1), merge(8, 2), merge(8, 3))
}

// leftOut are the workloads that do not end in a time anybody would wait for: the merge walks through
// every combination of one hint from each provider, and the hints are the sets of nodes.
var leftOut = []struct{ name, why string }{
	{"admit-one/numa34/best-effort", "2^34 sets of nodes are listed as hints"},
	{"admit-one/numa64/best-effort", "2^64 sets of nodes are listed as hints"},
	{"admit-one/numa8/all", "255^4 combinations of CPUs, memory, hugepages and devices: half an hour"},
	{"admit-one/numa12/all", "4095^4 combinations"},
	{"admit-one/numa16/all", "65535^4 combinations"},
	{"admit-one/numa34/all", "2^34 sets of nodes are listed as hints"},
	{"admit-one/numa64/all", "2^64 sets of nodes are listed as hints"},
	{"merge/numa8/providers4", "255^4 combinations: half an hour"},
	{"merge/numa16/providers4", "65535^4 combinations"},
	{"merge/numa34/providers4", "no list can hold the hints"},
	{"merge/numa64/providers4", "no list can hold the hints"},
}
