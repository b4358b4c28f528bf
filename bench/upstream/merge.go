package main

import (
	"strconv"
	"strings"

	cadvisor "github.com/google/cadvisor/info/v1"
	"k8s.io/kubernetes/pkg/kubelet/cm/topologymanager"
	"k8s.io/kubernetes/pkg/kubelet/cm/topologymanager/bitmask"
)

type topologyNodes = []cadvisor.Node

// merge is one best-effort merge of providers that each offer every non-empty set of nodes; the
// first and third prefer single nodes, the second and fourth pairs.
func merge(nodes, providers int) workload {
	name := "merge/numa" + strconv.Itoa(nodes) + "/providers" + strconv.Itoa(providers)
	return workload{name, func() prepared { return prepareMerge(nodes, providers) }}
}

func prepareMerge(nodes, providers int) prepared {
	described := shape{2, nodes / 2, 1, 1, 1}.describe().Topology
	options := topologymanager.PolicyOptions{MaxAllowableNUMANodes: 64}
	numa, err := topologymanager.NewNUMAInfo(described, options)
	must(err)
	policy := topologymanager.NewBestEffortPolicy(numa, options)
	var offers []map[string][]topologymanager.TopologyHint
	for provider := range providers {
		offers = append(offers, map[string][]topologymanager.TopologyHint{
			"resource": everySet(nodes, 1+provider%2),
		})
	}
	return prepared{run: func() any {
		hint, _ := policy.Merge(silence, offers)
		return hint
	}, words: hintWords}
}

// everySet is in the order in which Kubernetes' own providers list their hints.
func everySet(nodes, preferredSize int) []topologymanager.TopologyHint {
	all := make([]int, nodes)
	for node := range all {
		all[node] = node
	}
	var hints []topologymanager.TopologyHint
	bitmask.IterateBitMasks(all, func(set bitmask.BitMask) {
		hints = append(hints, topologymanager.TopologyHint{
			NUMANodeAffinity: set,
			Preferred:        set.Count() == preferredSize,
		})
	})
	return hints
}

func hintWords(result any) string {
	hint := result.(topologymanager.TopologyHint)
	var nodes []string
	for _, node := range hint.NUMANodeAffinity.GetBits() {
		nodes = append(nodes, strconv.Itoa(node))
	}
	words := "nodes " + strings.Join(nodes, ",")
	if hint.Preferred {
		words += ", preferred"
	}
	return words
}
