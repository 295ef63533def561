package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	configscheme "k8s.io/kubernetes/pkg/scheduler/apis/config/scheme"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/validation"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// A trace is a sequence of changes in a cluster.
type trace struct {
	// The KubeSchedulerConfiguration; the default if it is absent.
	Configuration json.RawMessage `json:"configuration,omitempty"`
	Steps         []step          `json:"steps"`
}

// A step is one of these: an object that is added or updated, an object that is deleted,
// or a pod to schedule.
type step struct {
	Upsert   json.RawMessage `json:"upsert,omitempty"`
	Delete   json.RawMessage `json:"delete,omitempty"`
	Schedule json.RawMessage `json:"schedule,omitempty"`
}

// A result has the outcomes of the scheduled pods, in their order.
type result struct {
	Outcomes []outcome `json:"outcomes"`
	Problem  string    `json:"problem,omitempty"`
}

// An outcome is the decision of kube-scheduler on one pod.
type outcome struct {
	// Nodes that pass every filter, with their total score.
	Feasible map[string]int64 `json:"feasible,omitempty"`
	// The same scores by plugin, to explain differences.
	Plugins map[string]map[string]int64 `json:"plugins,omitempty"`
	// The node of the pod from now on: the first by name among the best.
	Bound string `json:"bound,omitempty"`
	// Why the pod is unschedulable, as in its condition.
	Refusal string `json:"refusal,omitempty"`
	// The victims of the unschedulable pod, by the nodes that may be nominated.
	Victims map[string][]string `json:"victims,omitempty"`
	// An error: the pod would be retried.
	Failure string `json:"failure,omitempty"`
}

// The profile of a pod without a scheduler name.
const profileName = "default-scheduler"

func init() { programs["scheduler-referee"] = runReferee }

// runReferee reads traces from standard input, one JSON object a line, and writes a result
// for each. It runs kube-scheduler's own code with its default profile or those of the
// trace, with all nodes scored and without an API server: informers pass on each step at once.
func runReferee() int {
	// No server listens at this address, but the scheduler needs a client.
	client, err := kubernetes.NewForConfig(&rest.Config{Host: "http://127.0.0.1:1"})
	if err != nil {
		fmt.Fprintf(os.Stderr, "scheduler-referee: %v\n", err)
		return 1
	}
	klog.SetLogger(klog.Logger{})
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 1 {
			if err := out.Encode(run(client, line)); err != nil {
				fmt.Fprintf(os.Stderr, "scheduler-referee: %v\n", err)
				return 1
			}
		}
		if err == io.EOF {
			return 0
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "scheduler-referee: %v\n", err)
			return 1
		}
	}
}

func run(client kubernetes.Interface, line []byte) (output result) {
	defer func() {
		if broken := recover(); broken != nil {
			output = result{Problem: fmt.Sprintf("panic: %v", broken)}
		}
	}()
	var input trace
	if err := json.Unmarshal(line, &input); err != nil {
		return result{Problem: fmt.Sprintf("no trace: %v", err)}
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	oracle, err := newOracle(ctx, client, input.Configuration)
	if err != nil {
		return result{Problem: err.Error()}
	}
	output = result{Outcomes: []outcome{}}
	for number, next := range input.Steps {
		decisions, err := oracle.apply(ctx, next)
		if err != nil {
			return result{Problem: fmt.Sprintf("step %d: %v", number, err)}
		}
		output.Outcomes = append(output.Outcomes, decisions...)
	}
	return output
}

// An oracle is a scheduler with its cache.
type oracle struct {
	scheduler *scheduler.Scheduler
	framework framework.Framework
	snapshot  *cache.Snapshot
	informers *staticInformerFactory
}

func newOracle(ctx context.Context, client kubernetes.Interface, configuration []byte) (*oracle, error) {
	informers := newStaticInformerFactory(client)
	all := int32(100)
	options := []scheduler.Option{scheduler.WithPercentageOfNodesToScore(&all), scheduler.WithParallelism(2)}
	if len(configuration) > 0 {
		profiles, err := profilesOf(configuration)
		if err != nil {
			return nil, err
		}
		options = append(options, scheduler.WithProfiles(profiles...))
	}
	sched, err := scheduler.New(ctx, client, informers, nil,
		func(string) events.EventRecorderLogger { return noEvents{} }, options...)
	if err != nil {
		return nil, err
	}
	informers.registerAll()
	profile, ok := sched.Profiles[profileName]
	if !ok {
		return nil, fmt.Errorf("there is no profile %s", profileName)
	}
	snapshot, ok := profile.SnapshotSharedLister().(*cache.Snapshot)
	if !ok {
		return nil, fmt.Errorf("the scheduler's snapshot is a %T", profile.SnapshotSharedLister())
	}
	return &oracle{sched, profile, snapshot, informers}, nil
}

// profilesOf reads a KubeSchedulerConfiguration as kube-scheduler reads its file.
func profilesOf(configuration []byte) ([]config.KubeSchedulerProfile, error) {
	object, _, err := configscheme.Codecs.UniversalDecoder().Decode(configuration, nil, nil)
	if err != nil {
		return nil, err
	}
	read, ok := object.(*config.KubeSchedulerConfiguration)
	if !ok {
		return nil, fmt.Errorf("the configuration is a %T", object)
	}
	if err := validation.ValidateKubeSchedulerConfiguration(read); err != nil {
		return nil, err
	}
	return read.Profiles, nil
}

// selectProfile selects the profile that the pod names.
func (c *oracle) selectProfile(pod *corev1.Pod) error {
	name := pod.Spec.SchedulerName
	if name == "" {
		name = profileName
	}
	profile, ok := c.scheduler.Profiles[name]
	if !ok {
		return fmt.Errorf("pod %s names scheduler %s, which has no profile", pod.Name, name)
	}
	c.framework = profile
	return nil
}

// apply applies one step; only a scheduled pod has an outcome.
func (c *oracle) apply(ctx context.Context, next step) ([]outcome, error) {
	object, err := decode(slices.Concat(next.Upsert, next.Delete, next.Schedule))
	if err != nil {
		return nil, err
	}
	pod, isPod := object.(*corev1.Pod)
	switch {
	case next.Schedule != nil && isPod:
		decided, err := c.schedule(ctx, pod)
		return []outcome{decided}, err
	case next.Schedule != nil:
		return nil, fmt.Errorf("cannot schedule a %T: it is no pod", object)
	case next.Delete != nil || (isPod && isFinished(pod)):
		// kube-scheduler watches pods with a selector that excludes finished ones.
		return nil, c.informers.remove(object)
	default:
		return nil, c.informers.upsert(object)
	}
}

func isFinished(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

func decode(text []byte) (runtime.Object, error) {
	object, _, err := scheme.Codecs.UniversalDeserializer().Decode(text, nil, nil)
	return object, err
}

// schedule runs the scheduler as its own loop does, then its framework for the scores that
// the scheduler does not return, and checks that both agree. The pod is then bound to the
// first of the best nodes.
func (c *oracle) schedule(ctx context.Context, pod *corev1.Pod) (outcome, error) {
	if err := c.selectProfile(pod); err != nil {
		return outcome{}, err
	}
	// As after a start: otherwise the images of a node would count as they were when the
	// node last changed for a different reason.
	*c.snapshot = *cache.NewEmptySnapshot()
	if err := c.scheduler.Cache.UpdateSnapshot(klog.FromContext(ctx), c.snapshot); err != nil {
		return outcome{}, err
	}
	info, err := framework.NewPodInfo(pod)
	if err != nil {
		return outcome{}, err
	}
	queued := &framework.QueuedPodInfo{PodInfo: info}
	state := framework.NewCycleState()
	chosen, err := c.scheduler.SchedulePod(ctx, c.framework, state, queued)
	if err != nil {
		return c.refused(ctx, state, pod, err)
	}
	decision, err := c.score(ctx, pod)
	if err != nil {
		return outcome{}, err
	}
	best := decision.best()
	if chosen.FeasibleNodes != len(decision.Feasible) || !slices.Contains(best, chosen.SuggestedHost) {
		return outcome{}, fmt.Errorf("kube-scheduler chose %s of %d nodes for pod %s, its framework chose %v of %v",
			chosen.SuggestedHost, chosen.FeasibleNodes, pod.Name, best, decision.Feasible)
	}
	decision.Bound = best[0]
	bound := pod.DeepCopy()
	bound.Spec.NodeName = decision.Bound
	return decision, c.informers.upsert(bound)
}

func (c *oracle) refused(ctx context.Context, state fwk.CycleState, pod *corev1.Pod, why error) (outcome, error) {
	var unfit *framework.FitError
	if errors.As(why, &unfit) {
		victims, message, err := c.preempt(ctx, state, pod, unfit.Diagnosis.NodeToStatus)
		unfit.Diagnosis.PostFilterMsg = message
		return outcome{Refusal: unfit.Error(), Victims: victims}, err
	}
	if errors.Is(why, scheduler.ErrNoNodesAvailable) {
		return outcome{Refusal: why.Error()}, nil
	}
	return outcome{Failure: why.Error()}, nil
}

func (c *oracle) score(ctx context.Context, pod *corev1.Pod) (outcome, error) {
	state := framework.NewCycleState()
	feasible, err := c.feasible(ctx, state, pod)
	if err != nil {
		return outcome{}, err
	}
	if status := c.framework.RunPreScorePlugins(ctx, state, pod, feasible); !status.IsSuccess() {
		return outcome{}, status.AsError()
	}
	scores, status := c.framework.RunScorePlugins(ctx, state, pod, feasible)
	if !status.IsSuccess() {
		return outcome{}, status.AsError()
	}
	decision := outcome{Feasible: map[string]int64{}, Plugins: map[string]map[string]int64{}}
	for _, node := range scores {
		decision.Feasible[node.Name] = node.TotalScore
		decision.Plugins[node.Name] = map[string]int64{}
		for _, plugin := range node.Scores {
			decision.Plugins[node.Name][plugin.Name] = plugin.Score
		}
	}
	return decision, nil
}

func (c *oracle) feasible(ctx context.Context, state fwk.CycleState, pod *corev1.Pod) ([]fwk.NodeInfo, error) {
	allowed, status, _ := c.framework.RunPreFilterPlugins(ctx, state, pod)
	if !status.IsSuccess() {
		return nil, status.AsError()
	}
	// A nominated node that is feasible is the only one that counts.
	if nominated, err := c.snapshot.Get(pod.Status.NominatedNodeName); err == nil &&
		c.framework.RunFilterPluginsWithNominatedPods(ctx, state, pod, nominated).IsSuccess() {
		return []fwk.NodeInfo{nominated}, nil
	}
	nodes, err := c.snapshot.List()
	if err != nil {
		return nil, err
	}
	var passed []fwk.NodeInfo
	for _, node := range nodes {
		if !allowed.AllNodes() && !allowed.NodeNames.Has(node.Node().Name) {
			continue
		}
		if c.framework.RunFilterPluginsWithNominatedPods(ctx, state, pod, node).IsSuccess() {
			passed = append(passed, node)
		}
	}
	return passed, nil
}

// best returns the nodes with the highest score, sorted by name.
func (r *outcome) best() []string {
	var best []string
	for node, score := range r.Feasible {
		switch {
		case len(best) == 0 || score > r.Feasible[best[0]]:
			best = []string{node}
		case score == r.Feasible[best[0]]:
			best = append(best, node)
		}
	}
	slices.Sort(best)
	return best
}

// noEvents records no events: a trace has no reader for them.
type noEvents struct{}

func (noEvents) Eventf(runtime.Object, runtime.Object, string, string, string, string, ...any) {}

func (s noEvents) WithLogger(klog.Logger) events.EventRecorderLogger { return s }
