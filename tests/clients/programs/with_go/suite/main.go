// The suite with client-go's typed clients. The argument is the media type of bodies and answers; none is what it takes by
// itself.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	applyv1 "k8s.io/client-go/applyconfigurations/resource/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/pager"
)

var background = context.Background()

func must[T any](found T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return found
}

func claim(metadata metav1.ObjectMeta) *resourcev1.ResourceClaim {
	request := resourcev1.DeviceRequest{Name: "gpu", Exactly: &resourcev1.ExactDeviceRequest{DeviceClassName: "gpu.example.com"}}
	return &resourcev1.ResourceClaim{
		ObjectMeta: metadata,
		Spec:       resourcev1.ResourceClaimSpec{Devices: resourcev1.DeviceClaim{Requests: []resourcev1.DeviceRequest{request}}},
	}
}

func status(err error) metav1.Status {
	if said, ok := err.(apierrors.APIStatus); ok {
		return said.Status()
	}
	return metav1.Status{}
}

func reason(err error) string {
	said := status(err)
	return fmt.Sprint(said.Code, " ", said.Reason)
}

func writes(client kubernetes.Interface) {
	claims := client.ResourceV1().ResourceClaims("default")
	made := must(claims.Create(background, claim(metav1.ObjectMeta{Name: "a", Labels: map[string]string{"suite": "1"}}), metav1.CreateOptions{}))
	exactly := made.Spec.Devices.Requests[0].Exactly
	fmt.Println("created:", exactly.AllocationMode, exactly.Count)
	read := must(claims.Get(background, "a", metav1.GetOptions{}))
	fmt.Println("read:", title(read.UID == made.UID))
	drawn := must(claims.Create(background, claim(metav1.ObjectMeta{GenerateName: "drawn-"}), metav1.CreateOptions{}))
	fmt.Println("named:", drawn.Name[:6], len(drawn.Name))
	read.Annotations = map[string]string{"x": "y"}
	fmt.Println("replaced:", must(claims.Update(background, read, metav1.UpdateOptions{})).Annotations["x"])
	_, err := claims.Update(background, read, metav1.UpdateOptions{})
	fmt.Println("replaced after a change:", reason(err))
}

func title(yes bool) string {
	return map[bool]string{true: "True", false: "False"}[yes]
}

func patches(client kubernetes.Interface) {
	claims := client.ResourceV1().ResourceClaims("default")
	patched := func(kind types.PatchType, change string) string {
		return must(claims.Patch(background, "a", kind, []byte(change), metav1.PatchOptions{})).Labels["n"]
	}
	fmt.Println("merge patch:", patched(types.MergePatchType, `{"metadata": {"labels": {"n": "1"}}}`))
	fmt.Println("JSON patch:", patched(types.JSONPatchType, `[{"op": "replace", "path": "/metadata/labels/n", "value": "2"}]`))
	containers := []corev1.Container{{Name: "c", Image: "old"}, {Name: "d", Image: "old"}}
	pods := client.CoreV1().Pods("default")
	must(pods.Create(background, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p"}, Spec: corev1.PodSpec{Containers: containers}}, metav1.CreateOptions{}))
	change := []byte(`{"spec": {"containers": [{"name": "c", "image": "new"}]}}`)
	changed := must(pods.Patch(background, "p", types.StrategicMergePatchType, change, metav1.PatchOptions{}))
	var images []string
	for _, one := range changed.Spec.Containers {
		images = append(images, one.Name+"="+one.Image)
	}
	fmt.Println("strategic merge patch:", strings.Join(images, " "))
	applied := func(manager string, value string) (*resourcev1.DeviceClass, error) {
		class := applyv1.DeviceClass("gpu.example.com").WithLabels(map[string]string{"by": value})
		return client.ResourceV1().DeviceClasses().Apply(background, class, metav1.ApplyOptions{FieldManager: manager})
	}
	fmt.Println("applied:", must(applied("suite", "1")).Labels["by"])
	_, err := applied("other", "2")
	fmt.Println("applied by another:", reason(err))
}

func reads(client kubernetes.Interface) {
	served := must(client.Discovery().ServerResourcesForGroupVersion("resource.k8s.io/v1"))
	there := false
	for _, one := range served.APIResources {
		there = there || one.Name == "resourceclaims"
	}
	fmt.Println("discovered:", strings.TrimPrefix(served.GroupVersion, "resource.k8s.io/"), title(there))
	chosen := metav1.ListOptions{LabelSelector: "suite=1", FieldSelector: "metadata.name=a"}
	for _, one := range must(client.ResourceV1().ResourceClaims("default").List(background, chosen)).Items {
		fmt.Println("selected:", one.Name)
	}
	maps := client.CoreV1().ConfigMaps("default")
	for number := range 101 {
		metadata := metav1.ObjectMeta{Name: fmt.Sprint("page-", number), Labels: map[string]string{"pages": "1"}}
		must(maps.Create(background, &corev1.ConfigMap{ObjectMeta: metadata}, metav1.CreateOptions{}))
	}
	found := 0
	pages := pager.New(func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		return maps.List(ctx, options)
	})
	pages.PageSize = 40
	err := pages.EachListItem(background, metav1.ListOptions{LabelSelector: "pages=1"}, func(runtime.Object) error {
		found++
		return nil
	})
	must(found, err)
	fmt.Println("in pages:", found)
}

// An informer, which lists and watches in one (with initial events where the server knows them).
func watches(client kubernetes.Interface) {
	seen := make(chan string, 16)
	tell := func(happened string) func(any) {
		return func(one any) {
			if named := one.(*resourcev1.ResourceClaim); named.Name == "w" {
				seen <- happened + " w"
			}
		}
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	informer := factory.Resource().V1().ResourceClaims().Informer()
	changed := tell("MODIFIED")
	must(informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: tell("ADDED"), UpdateFunc: func(_, now any) { changed(now) }, DeleteFunc: tell("DELETED"),
	}))
	over := make(chan struct{})
	defer close(over)
	factory.Start(over)
	factory.WaitForCacheSync(over)
	claims := client.ResourceV1().ResourceClaims("default")
	must(claims.Create(background, claim(metav1.ObjectMeta{Name: "w"}), metav1.CreateOptions{}))
	events := []string{<-seen}
	must(claims.Patch(background, "w", types.MergePatchType, []byte(`{"metadata": {"labels": {"n": "1"}}}`), metav1.PatchOptions{}))
	events = append(events, <-seen)
	must(0, claims.Delete(background, "w", metav1.DeleteOptions{}))
	fmt.Println("watched:", strings.Join(append(events, <-seen), " "))
}

func statuses(client kubernetes.Interface) {
	claims := client.ResourceV1().ResourceClaims("default")
	one := must(claims.Get(background, "a", metav1.GetOptions{}))
	result := resourcev1.DeviceRequestAllocationResult{Request: "gpu", Driver: "gpu.example.com", Pool: "node-1", Device: "gpu-0"}
	devices := resourcev1.DeviceAllocationResult{Results: []resourcev1.DeviceRequestAllocationResult{result}}
	one.Status.Allocation = &resourcev1.AllocationResult{Devices: devices}
	allocated := must(claims.UpdateStatus(background, one, metav1.UpdateOptions{}))
	fmt.Println("status:", allocated.Status.Allocation.Devices.Results[0].Device)
}

func refusals(client kubernetes.Interface) {
	claims := client.ResourceV1().ResourceClaims("default")
	_, err := claims.Get(background, "missing", metav1.GetOptions{})
	fmt.Println("missing:", reason(err))
	_, err = claims.Create(background, claim(metav1.ObjectMeta{Name: "a"}), metav1.CreateOptions{})
	fmt.Println("there already:", reason(err))
	wrong := claim(metav1.ObjectMeta{Name: "wrong"})
	wrong.Spec.Devices.Requests[0].Name = "GPU"
	_, err = claims.Create(background, wrong, metav1.CreateOptions{})
	fmt.Println("refused:", reason(err), status(err).Details.Causes[0].Field)
}

func kinds(client kubernetes.Interface) {
	model, node := "G80", "node-1"
	attributes := map[resourcev1.QualifiedName]resourcev1.DeviceAttribute{"model": {StringValue: &model}}
	slice := &resourcev1.ResourceSlice{ObjectMeta: metav1.ObjectMeta{Name: "s"}, Spec: resourcev1.ResourceSliceSpec{
		Driver: "gpu.example.com", NodeName: &node,
		Pool:    resourcev1.ResourcePool{Name: node, Generation: 1, ResourceSliceCount: 1},
		Devices: []resourcev1.Device{{Name: "gpu-0", Attributes: attributes}},
	}}
	slices := client.ResourceV1().ResourceSlices()
	must(slices.Create(background, slice, metav1.CreateOptions{}))
	found := must(slices.List(background, metav1.ListOptions{FieldSelector: "spec.driver=gpu.example.com"})).Items
	fmt.Println("slice:", *found[0].Spec.Devices[0].Attributes["model"].StringValue)
	gang := &schedulingv1beta1.GangSchedulingPolicy{MinCount: 2}
	group := &schedulingv1beta1.PodGroup{ObjectMeta: metav1.ObjectMeta{Name: "g"}}
	group.Spec.SchedulingPolicy.Gang = gang
	made := must(client.SchedulingV1beta1().PodGroups("default").Create(background, group, metav1.CreateOptions{}))
	fmt.Println("group:", made.Spec.SchedulingPolicy.Gang.MinCount)
	high := &schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: "high"}, Value: 1000}
	fmt.Println("priority class:", *must(client.SchedulingV1().PriorityClasses().Create(background, high, metav1.CreateOptions{})).PreemptionPolicy)
}

func deletions(client kubernetes.Interface) {
	claims := client.ResourceV1().ResourceClaims("default")
	must(0, claims.Delete(background, "a", metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}}))
	fmt.Println("deleted only in a dry run:", must(claims.Get(background, "a", metav1.GetOptions{})).Name)
	must(0, claims.Delete(background, "a", metav1.DeleteOptions{}))
	must(0, claims.DeleteCollection(background, metav1.DeleteOptions{}, metav1.ListOptions{}))
	fmt.Println("left:", len(must(claims.List(background, metav1.ListOptions{})).Items))
}

func main() {
	config := must(clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG")))
	config.QPS, config.Burst, config.Timeout = 1000, 1000, 30*time.Second
	if len(os.Args) > 1 {
		config.ContentType, config.AcceptContentTypes = os.Args[1], os.Args[1]
	}
	client := must(kubernetes.NewForConfig(config))
	for _, step := range []func(kubernetes.Interface){writes, patches, reads, watches, statuses, refusals, kinds, deletions} {
		step(client)
	}
}
