// Recorder writes down what Kubernetes makes of quantities and of pods'
// requests, so that the tests of core compare with it and need no Go.
//
//	go run . quantities > ../../resources/recorded/quantities.txt
//	go run . requests > ../../resources/recorded/pod-requests.txt
package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"sort"
	"strings"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	helper "k8s.io/component-helpers/resource"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	random := rand.New(rand.NewSource(36))
	switch {
	case len(os.Args) == 2 && os.Args[1] == "quantities":
		quantities(out, random)
	case len(os.Args) == 2 && os.Args[1] == "requests":
		requests(out, random)
	default:
		fmt.Fprintln(os.Stderr, "usage: recorder quantities|requests")
		os.Exit(2)
	}
}

// quantities writes "text value millis canonical", or "text refused".
func quantities(out *bufio.Writer, random *rand.Rand) {
	suffixes := []string{"", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei",
		"e3", "E3", "e-3", "e+2", "e0", "i", "K", "e", "mi", "e1.5"}
	for n := 0; n < 600; n++ {
		number := fmt.Sprint(random.Intn(2048))
		if random.Intn(3) == 0 {
			number += fmt.Sprintf(".%0*d", 1+random.Intn(5), random.Intn(10))
		}
		text := []string{"", "", "+"}[random.Intn(3)] + number + suffixes[random.Intn(len(suffixes))]
		quantity, err := resource.ParseQuantity(text)
		if err != nil {
			fmt.Fprintln(out, text, "refused")
			continue
		}
		canonical, suffix := quantity.CanonicalizeBytes(nil)
		if quantity.AsApproximateFloat64() < 9e15 {
			fmt.Fprintln(out, text, quantity.Value(), quantity.MilliValue(), string(canonical)+string(suffix))
		}
	}
}

var names = []v1.ResourceName{"cpu", "memory", "hugepages-2Mi", "example.com/gpu", "ephemeral-storage"}

func list(random *rand.Rand, likely int) v1.ResourceList {
	result := v1.ResourceList{}
	for _, name := range names {
		if random.Intn(10) >= likely {
			continue
		}
		text := fmt.Sprint(random.Intn(9))
		switch name {
		case "cpu":
			text = fmt.Sprintf("%dm", random.Intn(30)*50)
		case "memory":
			text = []string{"0", "64Mi", "128Mi", "1500m", "1Gi", "0.3", "500m"}[random.Intn(7)]
		}
		result[name] = resource.MustParse(text)
	}
	return result
}

func write(list v1.ResourceList) string {
	words := []string{}
	for name, quantity := range list {
		words = append(words, string(name)+"="+quantity.String())
	}
	sort.Strings(words)
	return strings.Join(words, ",")
}

// requests writes a pod in lines of "what list", then what Kubernetes makes of it.
func requests(out *bufio.Writer, random *rand.Rand) {
	for n := 0; n < 150; n++ {
		pod := &v1.Pod{}
		fmt.Fprintln(out, "pod")
		for i := 0; i <= random.Intn(3); i++ {
			container(out, random, pod, fmt.Sprint("c", i), "container")
		}
		for i := 0; i < random.Intn(4); i++ {
			container(out, random, pod, fmt.Sprint("i", i), []string{"init", "sidecar"}[random.Intn(2)])
		}
		if random.Intn(3) == 0 {
			pod.Spec.Resources = &v1.ResourceRequirements{Requests: list(random, 5)}
			fmt.Fprintln(out, "own", write(pod.Spec.Resources.Requests))
			if random.Intn(2) == 0 {
				pod.Status.Resources = &v1.ResourceRequirements{Requests: list(random, 5)}
				pod.Status.AllocatedResources = list(random, 5)
				fmt.Fprintln(out, "actuated", write(pod.Status.Resources.Requests))
				fmt.Fprintln(out, "allocated", write(pod.Status.AllocatedResources))
			}
		}
		if random.Intn(3) == 0 {
			pod.Spec.Overhead = list(random, 5)
			fmt.Fprintln(out, "overhead", write(pod.Spec.Overhead))
		}
		if random.Intn(4) == 0 {
			pod.Status.Conditions = []v1.PodCondition{{Type: v1.PodResizePending, Reason: v1.PodReasonInfeasible}}
			fmt.Fprintln(out, "infeasible")
		}
		answers(out, pod)
	}
}

func container(out *bufio.Writer, random *rand.Rand, pod *v1.Pod, name, kind string) {
	c := v1.Container{Name: name, Resources: v1.ResourceRequirements{Requests: list(random, 6)}}
	fmt.Fprintln(out, kind, write(c.Resources.Requests))
	status := v1.ContainerStatus{Name: name}
	if random.Intn(3) == 0 {
		status.Resources = &v1.ResourceRequirements{Requests: list(random, 6)}
		status.AllocatedResources = list(random, 6)
		fmt.Fprintln(out, "actuated", write(status.Resources.Requests))
		fmt.Fprintln(out, "allocated", write(status.AllocatedResources))
	}
	if kind == "container" {
		pod.Spec.Containers = append(pod.Spec.Containers, c)
		pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, status)
		return
	}
	if kind == "sidecar" {
		always := v1.ContainerRestartPolicyAlways
		c.RestartPolicy = &always
	}
	pod.Spec.InitContainers = append(pod.Spec.InitContainers, c)
	pod.Status.InitContainerStatuses = append(pod.Status.InitContainerStatuses, status)
}

// answers calls the helper as the scheduler's NodeInfo and its two scorers do.
func answers(out *bufio.Writer, pod *v1.Pod) {
	defaults := v1.ResourceList{"cpu": resource.MustParse("100m"), "memory": resource.MustParse("200Mi")}
	bound := helper.PodResourcesOptions{UseStatusResources: true, InPlacePodLevelResourcesVerticalScalingEnabled: true}
	requests := helper.PodRequests(pod, bound)
	missing := v1.ResourceList{}
	for name, quantity := range defaults {
		if _, exists := requests[name]; !exists || !helper.IsPodLevelRequestsSet(pod) {
			missing[name] = quantity
		}
	}
	bound.NonMissingContainerRequests = missing
	scoring := helper.PodRequests(pod, bound)
	placed := helper.PodRequests(pod, helper.PodResourcesOptions{
		SkipPodLevelResources: true, NonMissingContainerRequests: defaults})
	fmt.Fprintln(out, "requests", amounts(requests, names))
	fmt.Fprintln(out, "scoring", amounts(scoring, names[:2]))
	fmt.Fprintln(out, "placed", amounts(placed, names[:2]))
}

func amounts(list v1.ResourceList, names []v1.ResourceName) string {
	words := []string{}
	for _, name := range names {
		quantity := list[name]
		amount := quantity.Value()
		if name == v1.ResourceCPU {
			amount = quantity.MilliValue()
		}
		words = append(words, fmt.Sprintf("%s=%d", name, amount))
	}
	return strings.Join(words, ",")
}
