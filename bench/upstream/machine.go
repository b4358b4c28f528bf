package main

import (
	cadvisor "github.com/google/cadvisor/info/v1"
)

// shape is a regular machine: so many of each within one of the level above. First threads are
// numbered before second ones, as Linux does on most servers.
type shape struct {
	sockets, nodes, caches, cores, threads int
}

const (
	withinNode   = 10
	withinSocket = 12
	acrossSocket = 32
)

// describe is the machine as a kubelet is told of it.
func (s shape) describe() *cadvisor.MachineInfo {
	nodes := s.sockets * s.nodes
	cores := nodes * s.caches * s.cores
	info := &cadvisor.MachineInfo{
		NumSockets:       s.sockets,
		NumPhysicalCores: cores,
		NumCores:         cores * s.threads,
	}
	for node := range nodes {
		info.Topology = append(info.Topology, cadvisor.Node{Id: node, Distances: s.distances(node)})
	}
	for core := range cores {
		cache := core / s.cores
		node := cache / s.caches
		described := cadvisor.Core{
			Id:           core,
			SocketID:     node / s.nodes,
			UncoreCaches: []cadvisor.Cache{{Id: cache, Level: 3, Type: "Unified"}},
		}
		for thread := range s.threads {
			described.Threads = append(described.Threads, core+thread*cores)
		}
		info.Topology[node].Cores = append(info.Topology[node].Cores, described)
	}
	return info
}

func (s shape) distances(from int) []uint64 {
	row := make([]uint64, s.sockets*s.nodes)
	for to := range row {
		row[to] = acrossSocket
		if to/s.nodes == from/s.nodes {
			row[to] = withinSocket
		}
	}
	row[from] = withinNode
	return row
}
