package dev.berth.sandbox.kubelet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.eventloop.LoopEnvironment;
import dev.berth.sandbox.client.informer.Index;
import dev.berth.sandbox.client.informer.InformerCache;
import dev.berth.sandbox.client.informer.NamespacedName;
import dev.berth.sandbox.client.informer.SharedInformerFactory;
import dev.berth.sandbox.client.reconcile.Controller;
import dev.berth.sandbox.client.reconcile.KeyReconciler;
import dev.berth.sandbox.kubelet.podadmission.Rejection;
import dev.berth.sandbox.kubelet.podlifecycle.PodLifecycle;
import dev.berth.sandbox.kubelet.podlifecycle.PodRuntimeState;
import dev.berth.sandbox.kubelet.podlifecycle.PodStatusGenerator;
import dev.berth.sandbox.kubelet.podlifecycle.SimulationAnnotations;
import dev.berth.sandbox.kubelet.podlifecycle.StatusPatchCheck;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.Pods;
import dev.berth.sandbox.unstructured.StatusConditions;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs the pods of all simulated nodes: admits, starts, stops and finishes them. */
final class PodWorkers implements KeyReconciler<NamespacedName> {
    private final LoopEnvironment environment;
    private final KubeletSettings settings;
    private final InformerCache nodes;
    private final InformerCache pods;
    private final Index podsByNode;
    private final NodeStatusManager nodeManager;
    private final PodStatusManager statusManager;
    private final PodEventRecorder events;
    private final Controller<NamespacedName> controller;
    private final Map<NamespacedName, PodRuntimeState> podStates = new HashMap<>();

    PodWorkers(
            LoopEnvironment environment,
            KubeletSettings settings,
            SharedInformerFactory sharedInformerFactory,
            NodeStatusManager nodeManager,
            AsyncWriter asyncWriter) {
        this.environment = environment;
        this.settings = settings;
        this.nodes = sharedInformerFactory.cacheFor(RestMapping.NODES);
        this.pods = sharedInformerFactory.cacheFor(RestMapping.PODS);
        this.podsByNode =
                sharedInformerFactory.sharedIndex(RestMapping.PODS, "node", pod -> List.of(Pods.nodeName(pod)));
        this.nodeManager = nodeManager;
        this.controller = new Controller<>(this, environment.clock());
        this.statusManager = new PodStatusManager(environment, pods, asyncWriter, controller);
        this.events = new PodEventRecorder(environment, asyncWriter, settings.podEvents());
        pods.addListener((before, after) -> after.or(() -> before)
                .filter(pod -> !Pods.nodeName(pod).isEmpty())
                .map(NamespacedName::of)
                .ifPresent(controller::enqueue));
        nodes.addListener((before, after) -> {
            if (before.isEmpty()
                    || after.isEmpty()
                    || !podRelevantState(before.get()).equals(podRelevantState(after.get()))) {
                String name = after.or(() -> before).map(ObjectMetaReader::name).orElse("");
                podsByNode.find(name).forEach(pod -> controller.enqueue(NamespacedName.of(pod)));
            }
        });
    }

    /** The fields of a node that its pods depend on. */
    private static String podRelevantState(ObjectNode node) {
        return SimulatedNode.healthOf(node) + " " + StatusConditions.isTrue(node, "Ready");
    }

    Controller<NamespacedName> controller() {
        return controller;
    }

    @Override
    public String name() {
        return "kubelet-pods";
    }

    @Override
    public Optional<Instant> reconcile(NamespacedName key) {
        Optional<ObjectNode> found = pods.get(key);
        forgetReplacedPod(key, found);
        if (found.isEmpty() || statusManager.isWriting(ObjectMetaReader.uid(found.get()))) {
            return Optional.empty();
        }
        ObjectNode pod = found.get();
        Optional<ObjectNode> node = nodes.get("", Pods.nodeName(pod));
        Optional<SimulatedNode> kubelet = nodeManager.findActive(Pods.nodeName(pod));
        if (node.isEmpty() || kubelet.isEmpty()) {
            return Optional.empty();
        }
        PodRuntimeState run = podStates.get(key);
        if (run == null) {
            return admit(pod, node.get(), kubelet.get());
        }
        return advance(pod, run, node.get());
    }

    /** Forgets a pod that is deleted or replaced by another pod of its name. */
    private void forgetReplacedPod(NamespacedName key, Optional<ObjectNode> pod) {
        PodRuntimeState run = podStates.get(key);
        if (run != null
                && pod.filter(found -> ObjectMetaReader.uid(found).equals(run.uid()))
                        .isEmpty()) {
            podStates.remove(key);
            events.forget(run.uid());
            releaseResources(run);
            nodeManager.find(run.node()).ifPresent(node -> node.releaseIp(run.address()));
        }
    }

    private void releaseResources(PodRuntimeState run) {
        nodeManager.find(run.node()).ifPresent(node -> node.allocation().remove(run.uid()));
    }

    private Optional<Instant> admit(ObjectNode pod, ObjectNode node, SimulatedNode kubelet) {
        if (ObjectMetaReader.isTerminating(pod)) {
            statusManager.remove(pod);
            return Optional.empty();
        }
        if (Pods.isTerminal(pod)) {
            return Optional.empty();
        }
        if (NestedFields.at(pod, "status", "startTime").isTextual()) {
            return resume(pod, node, kubelet);
        }
        if (kubelet.beginFirstSync()) {
            podsByNode.find(kubelet.name()).stream()
                    .filter(other -> !Pods.isTerminal(other))
                    .filter(other ->
                            NestedFields.at(other, "status", "startTime").isTextual())
                    .forEach(kubelet.allocation()::add);
        }
        Optional<Rejection> rejection = kubelet.allocation().checkAdmission(pod, node);
        if (rejection.isPresent()) {
            events.recordRejected(pod, rejection.get());
            statusManager.writeStatus(
                    pod,
                    PodStatusGenerator.rejectedStatus(
                            rejection.get().reason(),
                            "Pod was rejected: " + rejection.get().message(),
                            now()));
            return Optional.empty();
        }
        boolean hostNetwork = NestedFields.flag(pod, "spec", "hostNetwork");
        String address = hostNetwork ? address(node) : kubelet.podIps(node).allocate();
        return start(pod, new PodRuntimeState(pod, kubelet.name(), address, now()), node, kubelet);
    }

    private Optional<Instant> resume(ObjectNode pod, ObjectNode node, SimulatedNode kubelet) {
        PodRuntimeState run = PodRuntimeState.fromStatus(pod, kubelet.name(), now());
        kubelet.podIps(node).markAllocated(run.address());
        return start(pod, run, node, kubelet);
    }

    private Optional<Instant> start(ObjectNode pod, PodRuntimeState run, ObjectNode node, SimulatedNode kubelet) {
        kubelet.allocation().add(pod);
        podStates.put(NamespacedName.of(pod), run);
        return advance(pod, run, node);
    }

    private static String address(ObjectNode node) {
        return NestedFields.objects(node, "status", "addresses").stream()
                .filter(each -> NestedFields.text(each, "type").equals("InternalIP"))
                .map(each -> NestedFields.text(each, "address"))
                .findFirst()
                .orElse("");
    }

    private Optional<Instant> advance(ObjectNode pod, PodRuntimeState run, ObjectNode node) {
        SimulationAnnotations simulationAnnotations = readAnnotations(pod);
        PodLifecycle time = new PodLifecycle(pod, run, simulationAnnotations, settings.stopTime());
        PodRuntimeState.Stage before = run.stage();
        int restarts = run.restarts();
        Optional<Instant> due = time.advanceTo(now());
        if (run.stage() == PodRuntimeState.Stage.RUNNING
                && (before != PodRuntimeState.Stage.RUNNING || run.restarts() > restarts)) {
            events.recordStarted(pod);
        }
        if (ObjectMetaReader.isTerminating(pod)) {
            events.recordKilling(pod, run);
        }
        if (run.stage() == PodRuntimeState.Stage.TERMINATED) {
            releaseResources(run);
        }
        boolean over = ObjectMetaReader.isTerminating(pod) && run.stage() == PodRuntimeState.Stage.TERMINATED;
        if (over && before == PodRuntimeState.Stage.STARTING) {
            statusManager.remove(pod);
            return Optional.empty();
        }
        // On a node that is not ready, no pod becomes ready, and the condition of the node controller stays.
        boolean ready = time.isReady(now()) && (StatusConditions.isTrue(node, "Ready") || Pods.isReady(pod));
        ObjectNode status = new PodStatusGenerator(pod, run, ready, now()).toPatch(address(node));
        if (StatusPatchCheck.changesStatus(pod.path("status"), status)) {
            statusManager.writeStatus(pod, status);
        } else if (over) {
            statusManager.remove(pod);
        }
        return due;
    }

    private SimulationAnnotations readAnnotations(ObjectNode pod) {
        try {
            return SimulationAnnotations.of(pod, settings.startTime());
        } catch (IllegalArgumentException e) {
            events.recordInvalidAnnotation(pod, String.valueOf(e.getMessage()));
            return SimulationAnnotations.defaults(settings.startTime());
        }
    }

    private Instant now() {
        return environment.clock().instant();
    }
}
