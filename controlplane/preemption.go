package main

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/feature"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
)

// Of two equally good nodes kube-scheduler chooses one by the random order of a map. If it
// chooses the same node this often, the other node is worse.
const tieAttempts = 64

// preempt runs the plugin without evicting any pod. It returns the victims by node, or the
// message why there are none.
func (c *oracle) preempt(ctx context.Context, state fwk.CycleState, pod *corev1.Pod, statuses fwk.NodeToStatusReader) (map[string][]string, string, error) {
	if !c.preempts() {
		return nil, "", nil
	}
	// The arguments are the defaults; with so few nodes every one is a candidate.
	args := &config.DefaultPreemptionArgs{MinCandidateNodesPercentage: 10, MinCandidateNodesAbsolute: 100}
	plugin, err := defaultpreemption.New(ctx, args, c.framework, feature.NewSchedulerFeaturesFromGates(utilfeature.DefaultFeatureGate))
	if err != nil {
		return nil, "", err
	}
	candidates, err := c.candidates(ctx, plugin, state, pod, statuses)
	if err != nil {
		return nil, "", err
	}
	if len(candidates) == 0 {
		message, err := c.postFilterMessage(ctx, plugin, state, pod, statuses)
		return nil, message, err
	}
	victims := map[string][]string{}
	chosen := plugin.Evaluator.SelectCandidate(ctx, candidates)
	for _, candidate := range candidates {
		if candidate.Name() == chosen.Name() || ties(ctx, plugin, chosen, candidate) {
			victims[candidate.Name()] = names(candidate)
		}
	}
	return victims, "", nil
}

// preempts returns whether the profile enables preemption.
func (c *oracle) preempts() bool {
	for _, plugin := range c.framework.ListPlugins().PostFilter.Enabled {
		if plugin.Name == defaultpreemption.Name {
			return true
		}
	}
	return false
}

// postFilterMessage returns the plugin's message why no pod can be preempted. The plugin
// looks the pod up in the lister, which contains pending pods.
func (c *oracle) postFilterMessage(ctx context.Context, plugin *defaultpreemption.DefaultPreemption, state fwk.CycleState, pod *corev1.Pod, statuses fwk.NodeToStatusReader) (string, error) {
	store := c.informers.Core().V1().Pods().Informer().GetStore()
	if err := store.Add(pod); err != nil {
		return "", err
	}
	_, status := plugin.PostFilter(ctx, state, pod, statuses)
	return status.Message(), store.Delete(pod)
}

func (c *oracle) candidates(ctx context.Context, plugin *defaultpreemption.DefaultPreemption, state fwk.CycleState, pod *corev1.Pod, statuses fwk.NodeToStatusReader) ([]preemption.Candidate, error) {
	if eligible, _ := plugin.PodEligibleToPreemptOthers(ctx, pod, statuses.Get(pod.Status.NominatedNodeName)); !eligible {
		return nil, nil
	}
	nodes, err := statuses.NodesForStatusCode(c.snapshot, fwk.Unschedulable)
	if err != nil || len(nodes) == 0 {
		return nil, err
	}
	budgets, err := c.informers.Policy().V1().PodDisruptionBudgets().Lister().List(labels.Everything())
	if err != nil {
		return nil, err
	}
	candidates, _, err := plugin.Evaluator.DryRunPreemption(ctx, state, pod, nodes, budgets, 0, int32(len(nodes)))
	return candidates, err
}

func ties(ctx context.Context, plugin *defaultpreemption.DefaultPreemption, chosen, other preemption.Candidate) bool {
	for range tieAttempts {
		if plugin.Evaluator.SelectCandidate(ctx, []preemption.Candidate{chosen, other}).Name() == other.Name() {
			return true
		}
	}
	return false
}

// names omits terminating pods: deleting them again changes nothing.
func names(candidate preemption.Candidate) []string {
	victims := []string{}
	for _, pod := range candidate.Victims().Pods {
		if pod.DeletionTimestamp == nil {
			victims = append(victims, pod.Namespace+"/"+pod.Name)
		}
	}
	slices.Sort(victims)
	return victims
}
