package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/kubelet/cm/cpumanager"
	"k8s.io/kubernetes/pkg/kubelet/cm/cpumanager/state"
	cputopology "k8s.io/kubernetes/pkg/kubelet/cm/cpumanager/topology"
	"k8s.io/kubernetes/pkg/kubelet/cm/topologymanager"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
	"k8s.io/utils/cpuset"
)

const (
	container    = "c"
	reservedCPUs = 2
)

// setting is a machine that has been discovered, and how its managers are configured.
type setting struct {
	nodes          topologyNodes
	cpus           *cputopology.CPUTopology
	cpuOptions     map[string]string
	topologyPolicy string
}

func newSetting(machine shape, topologyPolicy string, cpuOptions map[string]string) setting {
	info := machine.describe()
	cpus, err := cputopology.Discover(silence, info)
	must(err)
	return setting{info.Topology, cpus, cpuOptions, topologyPolicy}
}

// kubelet is the part of one that places pods: the topology manager, and below it the CPU manager's
// static policy with its books in memory, so that nobody's disk is timed.
type kubelet struct {
	admission topologymanager.Manager
	policy    cpumanager.Policy
	books     state.State
}

func (s setting) start() *kubelet {
	admission, err := topologymanager.NewManager(
		s.nodes, s.topologyPolicy, "container", map[string]string{"max-allowable-numa-nodes": "64"})
	must(err)
	policy, err := cpumanager.NewStaticPolicy(
		silence, s.cpus, reservedCPUs, cpuset.New(), admission, s.cpuOptions)
	must(err)
	k := &kubelet{admission, policy, state.NewMemoryState(silence)}
	must(policy.Start(silence, k.books))
	admission.AddHintProvider(silence, k)
	return k
}

func (k *kubelet) admit(pod *core.Pod) bool {
	return k.admission.Admit(&lifecycle.PodAdmitAttributes{Pod: pod}).Admit
}

func (k *kubelet) cpusOf(pod *core.Pod) cpuset.CPUSet {
	cpus, _ := k.books.GetCPUSet(string(pod.UID), container)
	return cpus
}

// What the topology manager asks of whoever has something to place.

func (k *kubelet) GetTopologyHints(pod *core.Pod, c *core.Container) map[string][]topologymanager.TopologyHint {
	return k.policy.GetTopologyHints(silence, k.books, pod, c)
}

func (k *kubelet) GetPodTopologyHints(pod *core.Pod) map[string][]topologymanager.TopologyHint {
	return k.policy.GetPodTopologyHints(silence, k.books, pod)
}

func (k *kubelet) Allocate(pod *core.Pod, c *core.Container) error {
	return k.policy.Allocate(silence, k.books, pod, c)
}

func (k *kubelet) AllocatePod(pod *core.Pod) error {
	return k.policy.AllocatePod(silence, k.books, pod)
}

// guaranteed is a pod of one container that asks for whole CPUs, and for memory because the class
// demands it.
func guaranteed(name string, cpus int) *core.Pod {
	amounts := core.ResourceList{
		core.ResourceCPU:    *resource.NewQuantity(int64(cpus), resource.DecimalSI),
		core.ResourceMemory: *resource.NewQuantity(1<<30, resource.BinarySI),
	}
	return &core.Pod{
		ObjectMeta: meta.ObjectMeta{Name: name, UID: types.UID(name)},
		Spec: core.PodSpec{Containers: []core.Container{{
			Name:      container,
			Resources: core.ResourceRequirements{Requests: amounts, Limits: amounts},
		}}},
	}
}

// fill admits pods of one size until one is refused.
func fill(name string, machine shape, topologyPolicy string, option string, cpus int) workload {
	return workload{name, func() prepared {
		options := map[string]string{}
		if option != "" {
			options[option] = "true"
		}
		return newSetting(machine, topologyPolicy, options).fill(cpus)
	}}
}

func (s setting) fill(cpus int) prepared {
	return prepared{run: func() any {
		k := s.start()
		pods := 0
		for k.admit(guaranteed("p"+strconv.Itoa(pods), cpus)) {
			pods++
		}
		return pods
	}, words: func(pods any) string {
		return strconv.Itoa(pods.(int)) + " pods, " + s.digest(pods.(int), cpus)
	}}
}

// digest is over what each pod of a fill is given, in a run of its own that nobody times: the first
// twelve digits of the SHA-256 of the lists of CPUs in the order of admission, each ended by a newline.
func (s setting) digest(pods, cpus int) string {
	k := s.start()
	sum := sha256.New()
	for i := range pods {
		pod := guaranteed("p"+strconv.Itoa(i), cpus)
		if !k.admit(pod) {
			must(fmt.Errorf("a fill: expected %d pods again, found %d", pods, i))
		}
		fmt.Fprintln(sum, k.cpusOf(pod))
	}
	return hex.EncodeToString(sum.Sum(nil))[:12]
}

// admitOneOnNodes starts on an empty machine of so many NUMA nodes and admits one pod of 8 CPUs.
func admitOneOnNodes(nodes int) workload {
	return admitOne("admit-one/numa"+strconv.Itoa(nodes)+"/best-effort", shape{2, nodes / 2, 1, 8, 2})
}

// admitOneOnCPUs is the same on two nodes that together have so many CPUs.
func admitOneOnCPUs(cpus int) workload {
	return admitOne("admit-one/cpus"+strconv.Itoa(cpus)+"/best-effort", shape{2, 1, cpus / 32, 8, 2})
}

func admitOne(name string, machine shape) workload {
	return workload{name, func() prepared { return newSetting(machine, "best-effort", nil).admitOne() }}
}

func (s setting) admitOne() prepared {
	return prepared{run: func() any {
		k := s.start()
		pod := guaranteed("p", 8)
		if !k.admit(pod) {
			return nil
		}
		return k.cpusOf(pod)
	}, words: func(cpus any) string {
		if cpus == nil {
			return "refused"
		}
		return cpus.(cpuset.CPUSet).String()
	}}
}

// Nobody reads what the managers would log.
var silence = klog.Logger{}
