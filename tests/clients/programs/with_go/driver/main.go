// The part of a driver that publishes slices, with the library that drivers use for it. The argument is the media type
// of bodies and answers; none is what the client takes by itself.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/dynamic-resource-allocation/resourceslice"
)

const (
	driver = "gpu.example.com"
	node   = "gpu-01"
)

func must[T any](found T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return found
}

func devices(names ...string) *resourceslice.DriverResources {
	var found []resourcev1.Device
	for _, name := range names {
		found = append(found, resourcev1.Device{Name: name})
	}
	pool := resourceslice.Pool{Slices: []resourceslice.Slice{{Devices: found}}}
	return &resourceslice.DriverResources{Pools: map[string]resourceslice.Pool{node: pool}}
}

// The slice as soon as it holds so many devices.
func published(ctx context.Context, client kubernetes.Interface, count int) *resourcev1.ResourceSlice {
	wanted := metav1.ListOptions{FieldSelector: "spec.driver=" + driver}
	changes := must(client.ResourceV1().ResourceSlices().Watch(ctx, wanted))
	defer changes.Stop()
	for change := range changes.ResultChan() {
		slice := change.Object.(*resourcev1.ResourceSlice)
		if change.Type != watch.Deleted && len(slice.Spec.Devices) == count {
			fmt.Println("published:", *slice.Spec.NodeName, slice.Spec.Pool.Name, len(slice.Spec.Devices), slice.OwnerReferences[0].Kind)
			return slice
		}
	}
	fmt.Println("not published:", count)
	return nil
}

// Tells the first refusal of the server, of all that the library comes upon.
func teller() (func(context.Context, error, string), chan bool) {
	told, once := make(chan bool), sync.Once{}
	return func(_ context.Context, err error, _ string) {
		var refused apierrors.APIStatus
		if errors.As(err, &refused) {
			once.Do(func() {
				fmt.Println("refused:", refused.Status().Reason, refused.Status().Details.Causes[0].Field)
				close(told)
			})
		}
	}, told
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	config := must(clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG")))
	if len(os.Args) > 1 {
		config.ContentType, config.AcceptContentTypes = os.Args[1], os.Args[1]
	}
	client := must(kubernetes.NewForConfig(config))
	must(client.CoreV1().Nodes().Create(ctx, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: node}}, metav1.CreateOptions{}))
	tell, told := teller()
	delay := 100 * time.Millisecond
	controller := must(resourceslice.StartController(ctx, resourceslice.Options{
		DriverName:   driver,
		KubeClient:   client,
		Owner:        &resourceslice.Owner{APIVersion: "v1", Kind: "Node", Name: node},
		Resources:    devices("gpu-0", "gpu-1"),
		SyncDelay:    &delay,
		ErrorHandler: tell,
	}))
	defer controller.Stop()
	published(ctx, client, 2)
	controller.Update(devices("gpu-0", "gpu-1", "gpu-2"))
	slice := published(ctx, client, 3)
	must(0, client.ResourceV1().ResourceSlices().Delete(ctx, slice.Name, metav1.DeleteOptions{}))
	published(ctx, client, 3)
	controller.Update(devices("gpu_0"))
	<-told
}
