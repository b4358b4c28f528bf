// A device plugin that does as its standard input says, on the stub which the Kubernetes project
// tests its kubelet with: registration, the watch for a node that restarts, and all of gRPC are
// theirs. Its devices have NUMA nodes, which those of the sample plugin do not.
//
//	deviceplugin FOLDER RESOURCE ID[@NODE[+NODE]]...
//
// A line of input, such as "gpu-0 Unhealthy", is reported at once; the end of the input is the end.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"k8s.io/klog/v2"
	api "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
	stub "k8s.io/kubernetes/pkg/kubelet/cm/devicemanager/plugin/v1beta1"
)

func main() {
	if len(os.Args) < 4 {
		fail("expected a folder, a resource and devices")
	}
	folder, resource := os.Args[1], os.Args[2]
	devices := read(os.Args[3:])
	ctx := context.Background()
	socket := filepath.Join(folder, strings.ReplaceAll(resource, "/", "_")+".sock")
	plugin := stub.NewDevicePluginStub(klog.FromContext(ctx), devices, socket, resource, true, true)
	plugin.SetAllocFunc(allocate)
	plugin.SetGetPreferredAllocFunc(prefer)
	if err := plugin.Start(ctx); err != nil {
		fail(err.Error())
	}
	kubelet := filepath.Join(folder, "kubelet.sock")
	if err := plugin.Register(ctx, kubelet, resource, folder+"/"); err != nil {
		fail(err.Error())
	}
	go plugin.Watch(ctx, kubelet, resource, folder+"/")
	obey(plugin, devices)
	if err := plugin.Stop(klog.FromContext(ctx)); err != nil {
		fail(err.Error())
	}
}

func read(words []string) []*api.Device {
	var devices []*api.Device
	for _, word := range words {
		id, places, placed := strings.Cut(word, "@")
		device := &api.Device{ID: id, Health: api.Healthy}
		if placed {
			device.Topology = &api.TopologyInfo{}
			for _, place := range strings.Split(places, "+") {
				node, err := strconv.ParseInt(place, 10, 64)
				if err != nil {
					fail(err.Error())
				}
				device.Topology.Nodes = append(device.Topology.Nodes, &api.NUMANode{ID: node})
			}
		}
		devices = append(devices, device)
	}
	return devices
}

func obey(plugin *stub.Stub, devices []*api.Device) {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		id, health, _ := strings.Cut(lines.Text(), " ")
		for i, device := range devices {
			if device.ID == id {
				// What was sent before may still be on its way.
				devices[i] = &api.Device{ID: id, Health: health, Topology: device.Topology}
			}
		}
		plugin.Update(append([]*api.Device{}, devices...))
	}
}

func allocate(request *api.AllocateRequest, _ map[string]*api.Device) (*api.AllocateResponse, error) {
	answer := &api.AllocateResponse{}
	for _, container := range request.ContainerRequests {
		ids := strings.Join(container.DevicesIds, ",")
		answer.ContainerResponses = append(answer.ContainerResponses, &api.ContainerAllocateResponse{
			Envs:        map[string]string{"DEVICES": ids},
			Annotations: map[string]string{"devices": ids},
			Devices:     []*api.DeviceSpec{{ContainerPath: "/dev/given", HostPath: "/dev/null", Permissions: "rw"}},
		})
	}
	return answer, nil
}

// prefer takes the last ones, which nobody would take by chance.
func prefer(request *api.PreferredAllocationRequest, _ map[string]*api.Device) (*api.PreferredAllocationResponse, error) {
	answer := &api.PreferredAllocationResponse{}
	for _, container := range request.ContainerRequests {
		ids := container.AvailableDeviceIDs
		answer.ContainerResponses = append(answer.ContainerResponses,
			&api.ContainerPreferredAllocationResponse{DeviceIDs: ids[len(ids)-int(container.AllocationSize):]})
	}
	return answer, nil
}

func fail(line string) {
	fmt.Fprintln(os.Stderr, line)
	os.Exit(1)
}
