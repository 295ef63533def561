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

// A trial is what happens in a cluster, one thing after the other.
type trial struct {
	// How the scheduler is configured, as in its file; by default where this is absent.
	Configuration json.RawMessage `json:"configuration,omitempty"`
	Steps         []step          `json:"steps"`
}

// A step is one of these: an object that is seen, one that is seen no more, or a pod to
// be placed.
type step struct {
	Tell   json.RawMessage `json:"tell,omitempty"`
	Forget json.RawMessage `json:"forget,omitempty"`
	Probe  json.RawMessage `json:"probe,omitempty"`
}

// A verdict says what kube-scheduler does with the pods to be placed, in their order.
type verdict struct {
	Rulings []ruling `json:"rulings"`
	Problem string   `json:"problem,omitempty"`
}

// A ruling is what kube-scheduler says of one pod.
type ruling struct {
	// Nodes that pass every filter, with their total score.
	Feasible map[string]int64 `json:"feasible,omitempty"`
	// The same scores by plugin, for whoever looks for a difference.
	Plugins map[string]map[string]int64 `json:"plugins,omitempty"`
	// Where the pod is from now on: the first by name among the best.
	Bound string `json:"bound,omitempty"`
	// Why the pod is refused, as its condition says.
	Refusal string `json:"refusal,omitempty"`
	// Whom the refused pod may send away: the nodes any of which may be chosen, with the
	// pods that would have to go there.
	Victims map[string][]string `json:"victims,omitempty"`
	// An error that is no refusal: the pod would be tried again.
	Failure string `json:"failure,omitempty"`
}

// Whose profile it is where a pod does not say.
const profileName = "default-scheduler"

func init() { programs["scheduler-referee"] = runReferee }

// runReferee answers trials, one JSON object a line, until there are no more. It asks
// kube-scheduler's own code with its default profile or those of the trial, all nodes
// looked at, without an API server: informers hand on at once what a trial says.
func runReferee() int {
	// Nobody is there at this address; the scheduler wants to be given a client.
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
			if err := out.Encode(judge(client, line)); err != nil {
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

func judge(client kubernetes.Interface, line []byte) (given verdict) {
	defer func() {
		if broken := recover(); broken != nil {
			given = verdict{Problem: fmt.Sprintf("panic: %v", broken)}
		}
	}()
	var asked trial
	if err := json.Unmarshal(line, &asked); err != nil {
		return verdict{Problem: fmt.Sprintf("no trial: %v", err)}
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	court, err := convene(ctx, client, asked.Configuration)
	if err != nil {
		return verdict{Problem: err.Error()}
	}
	given = verdict{Rulings: []ruling{}}
	for number, next := range asked.Steps {
		said, err := court.take(ctx, next)
		if err != nil {
			return verdict{Problem: fmt.Sprintf("step %d: %v", number, err)}
		}
		given.Rulings = append(given.Rulings, said...)
	}
	return given
}

// A court is a scheduler with its memory.
type court struct {
	scheduler *scheduler.Scheduler
	framework framework.Framework
	snapshot  *cache.Snapshot
	informers *stillFactory
}

func convene(ctx context.Context, client kubernetes.Interface, configuration []byte) (*court, error) {
	informers := newStillFactory(client)
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
		func(string) events.EventRecorderLogger { return silent{} }, options...)
	if err != nil {
		return nil, err
	}
	informers.readAll()
	profile, ok := sched.Profiles[profileName]
	if !ok {
		return nil, fmt.Errorf("there is no profile %s", profileName)
	}
	snapshot, ok := profile.SnapshotSharedLister().(*cache.Snapshot)
	if !ok {
		return nil, fmt.Errorf("the scheduler's snapshot is a %T", profile.SnapshotSharedLister())
	}
	return &court{sched, profile, snapshot, informers}, nil
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

// turnTo has the profile decide that the pod names.
func (c *court) turnTo(pod *corev1.Pod) error {
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

// take does one step; only a pod to be placed has a ruling.
func (c *court) take(ctx context.Context, next step) ([]ruling, error) {
	object, err := decode(slices.Concat(next.Tell, next.Forget, next.Probe))
	if err != nil {
		return nil, err
	}
	pod, isPod := object.(*corev1.Pod)
	switch {
	case next.Probe != nil && isPod:
		said, err := c.rule(ctx, pod)
		return []ruling{said}, err
	case next.Probe != nil:
		return nil, fmt.Errorf("a probe is a %T and no pod", object)
	case next.Forget != nil || (isPod && isOver(pod)):
		// kube-scheduler watches pods with a selector that leaves out those that are over.
		return nil, c.informers.forget(object)
	default:
		return nil, c.informers.tell(object)
	}
}

func isOver(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

func decode(text []byte) (runtime.Object, error) {
	object, _, err := scheme.Codecs.UniversalDeserializer().Decode(text, nil, nil)
	return object, err
}

// rule asks the scheduler as its own loop would, then asks its framework for the scores
// that it keeps to itself, and sees that both agree. The pod is then put on the first of
// the best nodes.
func (c *court) rule(ctx context.Context, pod *corev1.Pod) (ruling, error) {
	if err := c.turnTo(pod); err != nil {
		return ruling{}, err
	}
	// As after a start: what a node said of its images would else be counted as it was
	// when something else about that node last changed.
	*c.snapshot = *cache.NewEmptySnapshot()
	if err := c.scheduler.Cache.UpdateSnapshot(klog.FromContext(ctx), c.snapshot); err != nil {
		return ruling{}, err
	}
	info, err := framework.NewPodInfo(pod)
	if err != nil {
		return ruling{}, err
	}
	queued := &framework.QueuedPodInfo{PodInfo: info}
	state := framework.NewCycleState()
	chosen, err := c.scheduler.SchedulePod(ctx, c.framework, state, queued)
	if err != nil {
		return c.refused(ctx, state, pod, err)
	}
	given, err := c.score(ctx, pod)
	if err != nil {
		return ruling{}, err
	}
	best := given.best()
	if chosen.FeasibleNodes != len(given.Feasible) || !slices.Contains(best, chosen.SuggestedHost) {
		return ruling{}, fmt.Errorf("kube-scheduler took %s of %d nodes for pod %s, its framework says %v of %v",
			chosen.SuggestedHost, chosen.FeasibleNodes, pod.Name, best, given.Feasible)
	}
	given.Bound = best[0]
	bound := pod.DeepCopy()
	bound.Spec.NodeName = given.Bound
	return given, c.informers.tell(bound)
}

func (c *court) refused(ctx context.Context, state fwk.CycleState, pod *corev1.Pod, why error) (ruling, error) {
	var unfit *framework.FitError
	if errors.As(why, &unfit) {
		victims, words, err := c.preempt(ctx, state, pod, unfit.Diagnosis.NodeToStatus)
		unfit.Diagnosis.PostFilterMsg = words
		return ruling{Refusal: unfit.Error(), Victims: victims}, err
	}
	if errors.Is(why, scheduler.ErrNoNodesAvailable) {
		return ruling{Refusal: why.Error()}, nil
	}
	return ruling{Failure: why.Error()}, nil
}

func (c *court) score(ctx context.Context, pod *corev1.Pod) (ruling, error) {
	state := framework.NewCycleState()
	feasible, err := c.feasible(ctx, state, pod)
	if err != nil {
		return ruling{}, err
	}
	if status := c.framework.RunPreScorePlugins(ctx, state, pod, feasible); !status.IsSuccess() {
		return ruling{}, status.AsError()
	}
	scores, status := c.framework.RunScorePlugins(ctx, state, pod, feasible)
	if !status.IsSuccess() {
		return ruling{}, status.AsError()
	}
	given := ruling{Feasible: map[string]int64{}, Plugins: map[string]map[string]int64{}}
	for _, node := range scores {
		given.Feasible[node.Name] = node.TotalScore
		given.Plugins[node.Name] = map[string]int64{}
		for _, plugin := range node.Scores {
			given.Plugins[node.Name][plugin.Name] = plugin.Score
		}
	}
	return given, nil
}

func (c *court) feasible(ctx context.Context, state fwk.CycleState, pod *corev1.Pod) ([]fwk.NodeInfo, error) {
	allowed, status, _ := c.framework.RunPreFilterPlugins(ctx, state, pod)
	if !status.IsSuccess() {
		return nil, status.AsError()
	}
	// A nominated node that takes the pod is the only one that counts.
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

// best gives the nodes of the highest score, sorted by name.
func (r *ruling) best() []string {
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

// silent records no events: a trial has nobody who would read them.
type silent struct{}

func (silent) Eventf(runtime.Object, runtime.Object, string, string, string, string, ...any) {}

func (s silent) WithLogger(klog.Logger) events.EventRecorderLogger { return s }
