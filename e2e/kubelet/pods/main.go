// Pods has a runtime run pods as a kubelet does, for places where a kubelet costs too much:
//
//	pods SOCKET run POD CLASS SCRIPT CONTAINER=MILLICPUS...
//	pods SOCKET stop POD
//
// CLASS is guaranteed, burstable or besteffort. Pods are on the node's network, their logs where a
// kubelet of a node named "node" has them.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	cri "k8s.io/cri-api/pkg/apis/runtime/v1"
)

const (
	image  = "localhost/busybox:berth"
	memory = 16 << 20
	period = 100_000
)

var parents = map[string]string{
	"guaranteed": "/kubepods",
	"burstable":  "/kubepods/burstable",
	"besteffort": "/kubepods/besteffort",
}

func main() {
	if len(os.Args) < 4 {
		fail(fmt.Errorf("expected SOCKET run|stop POD, found %q", os.Args[1:]))
	}
	connection, err := grpc.NewClient("unix://"+os.Args[1], grpc.WithTransportCredentials(insecure.NewCredentials()))
	fail(err)
	runtime := cri.NewRuntimeServiceClient(connection)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	switch words := os.Args[3:]; {
	case os.Args[2] == "run" && len(words) > 3 && parents[words[1]] != "":
		run(ctx, runtime, words[0], words[1], words[2], words[3:])
	case os.Args[2] == "stop" && len(words) == 1:
		stop(ctx, runtime, words[0])
	default:
		fail(fmt.Errorf("expected run POD CLASS SCRIPT CONTAINER=MILLICPUS[+DEVICE]... or stop POD, found %q", os.Args[2:]))
	}
}

func run(ctx context.Context, runtime cri.RuntimeServiceClient, pod, class, script string, containers []string) {
	uid := "uid-of-" + pod
	network := &cri.NamespaceOption{Network: cri.NamespaceMode_NODE}
	devices := map[string]string{}
	for _, word := range containers {
		name, _, _ := strings.Cut(word, "=")
		if _, device, asked := strings.Cut(word, "+"); asked {
			devices["resources.berth.dev/"+name] = device + "=1"
		}
	}
	sandbox := &cri.PodSandboxConfig{
		Metadata:     &cri.PodSandboxMetadata{Name: pod + "-node", Uid: uid, Namespace: "default"},
		LogDirectory: "/var/log/pods/default_" + pod + "-node_" + uid,
		Labels:       map[string]string{"io.kubernetes.pod.uid": uid},
		Annotations:  devices,
		Linux: &cri.LinuxPodSandboxConfig{
			CgroupParent:    parents[class] + "/pod" + uid,
			SecurityContext: &cri.LinuxSandboxSecurityContext{NamespaceOptions: network},
		},
	}
	started, err := runtime.RunPodSandbox(ctx, &cri.RunPodSandboxRequest{Config: sandbox})
	fail(err)
	for _, word := range containers {
		name, amount, _ := strings.Cut(word, "=")
		amount, _, _ = strings.Cut(amount, "+")
		milli, err := strconv.ParseInt(amount, 10, 64)
		fail(err)
		fail(os.MkdirAll(filepath.Join(sandbox.LogDirectory, name), 0o755))
		created, err := runtime.CreateContainer(ctx, &cri.CreateContainerRequest{
			PodSandboxId:  started.PodSandboxId,
			SandboxConfig: sandbox,
			Config: &cri.ContainerConfig{
				Metadata: &cri.ContainerMetadata{Name: name},
				Image:    &cri.ImageSpec{Image: image},
				Command:  []string{"sh", "-c", script},
				LogPath:  name + "/0.log",
				Linux: &cri.LinuxContainerConfig{
					Resources:       resources(class, milli),
					SecurityContext: &cri.LinuxContainerSecurityContext{NamespaceOptions: network},
				},
			},
		})
		fail(err)
		_, err = runtime.StartContainer(ctx, &cri.StartContainerRequest{ContainerId: created.ContainerId})
		fail(err)
	}
}

// resources says what a kubelet says to a runtime.
func resources(class string, milli int64) *cri.LinuxContainerResources {
	said := &cri.LinuxContainerResources{CpuShares: max(2, milli*1024/1000)}
	if class == "guaranteed" {
		said.CpuPeriod = period
		said.CpuQuota = milli * period / 1000
		said.MemoryLimitInBytes = memory
	}
	return said
}

func stop(ctx context.Context, runtime cri.RuntimeServiceClient, pod string) {
	all, err := runtime.ListPodSandbox(ctx, &cri.ListPodSandboxRequest{})
	fail(err)
	for _, sandbox := range all.Items {
		if sandbox.Metadata.Name == pod+"-node" {
			_, err := runtime.StopPodSandbox(ctx, &cri.StopPodSandboxRequest{PodSandboxId: sandbox.Id})
			fail(err)
			return
		}
	}
	fail(fmt.Errorf("expected a pod %s, found none", pod))
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "pods:", err)
		os.Exit(1)
	}
}
