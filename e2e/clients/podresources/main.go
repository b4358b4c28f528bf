// Asks a podresources socket with the Kubernetes project's own generated client, and prints its
// answer as JSON.
//
//	podresources SOCKET list
//	podresources SOCKET allocatable
//	podresources SOCKET get NAMESPACE POD
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"k8s.io/kubelet/pkg/apis/podresources/v1"
)

const patience = 10 * time.Second

func main() {
	if len(os.Args) < 3 {
		fail("expected a socket and list, allocatable or get NAMESPACE POD")
	}
	connection, err := grpc.NewClient("unix:"+os.Args[1],
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		fail(err.Error())
	}
	defer connection.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	answer, err := ask(ctx, v1.NewPodResourcesListerClient(connection), os.Args[2:])
	if err != nil {
		fail(err.Error())
	}
	text, err := protojson.Marshal(answer)
	if err != nil {
		fail(err.Error())
	}
	fmt.Println(string(text))
}

func ask(ctx context.Context, client v1.PodResourcesListerClient, words []string) (proto.Message, error) {
	switch {
	case words[0] == "list" && len(words) == 1:
		return client.List(ctx, &v1.ListPodResourcesRequest{})
	case words[0] == "allocatable" && len(words) == 1:
		return client.GetAllocatableResources(ctx, &v1.AllocatableResourcesRequest{})
	case words[0] == "get" && len(words) == 3:
		return client.Get(ctx, &v1.GetPodResourcesRequest{PodNamespace: words[1], PodName: words[2]})
	}
	return nil, fmt.Errorf("expected list, allocatable or get NAMESPACE POD, found %q", words)
}

func fail(line string) {
	fmt.Fprintln(os.Stderr, line)
	os.Exit(1)
}
