package dev.berth.embedded.kubelet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.control.Controller;
import dev.berth.embedded.client.control.Mirrors;
import dev.berth.embedded.client.control.Reconciler;
import dev.berth.embedded.client.mirror.Cache;
import dev.berth.embedded.client.mirror.Environment;
import dev.berth.embedded.client.mirror.Index;
import dev.berth.embedded.client.mirror.ObjectKey;
import dev.berth.embedded.client.object.Conditions;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.Pods;
import dev.berth.embedded.kubelet.fit.Rejection;
import dev.berth.embedded.kubelet.life.Instructions;
import dev.berth.embedded.kubelet.life.PodRun;
import dev.berth.embedded.kubelet.life.PodStatus;
import dev.berth.embedded.kubelet.life.PodTime;
import dev.berth.embedded.kubelet.life.StatusDifference;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The part of all kubelets that runs pods: admits them, lets their time pass, and ends them. */
final class PodAgent implements Reconciler<ObjectKey> {
    private final Environment environment;
    private final KubeletSettings settings;
    private final Cache nodes;
    private final Cache pods;
    private final Index podsByNode;
    private final NodeAgent agents;
    private final PodWrites writes;
    private final PodTales tales;
    private final Controller<ObjectKey> controller;
    private final Map<ObjectKey, PodRun> runs = new HashMap<>();

    PodAgent(Environment environment, KubeletSettings settings, Mirrors mirrors, NodeAgent agents, Outbox outbox) {
        this.environment = environment;
        this.settings = settings;
        this.nodes = mirrors.of(Resource.NODES);
        this.pods = mirrors.of(Resource.PODS);
        this.podsByNode = mirrors.index(Resource.PODS, "node", pod -> List.of(Pods.node(pod)));
        this.agents = agents;
        this.controller = new Controller<>(this, environment.clock());
        this.writes = new PodWrites(environment, pods, outbox, controller);
        this.tales = new PodTales(environment, outbox, settings.podEvents());
        pods.listen((before, after) -> after.or(() -> before)
                .filter(pod -> !Pods.node(pod).isEmpty())
                .map(ObjectKey::of)
                .ifPresent(controller::enqueue));
        nodes.listen((before, after) -> {
            if (before.isEmpty() || after.isEmpty() || !bearing(before.get()).equals(bearing(after.get()))) {
                String name = after.or(() -> before).map(Meta::name).orElse("");
                podsByNode.of(name).forEach(pod -> controller.enqueue(ObjectKey.of(pod)));
            }
        });
    }

    /** What of a node decides how its pods fare. */
    private static String bearing(ObjectNode node) {
        return SimulatedNode.mode(node) + " " + Conditions.isTrue(node, "Ready");
    }

    Controller<ObjectKey> controller() {
        return controller;
    }

    @Override
    public String name() {
        return "kubelet-pods";
    }

    @Override
    public Optional<Instant> reconcile(ObjectKey key) {
        Optional<ObjectNode> found = pods.get(key);
        forgetOther(key, found);
        if (found.isEmpty() || writes.busy(Meta.uid(found.get()))) {
            return Optional.empty();
        }
        ObjectNode pod = found.get();
        Optional<ObjectNode> node = nodes.get("", Pods.node(pod));
        Optional<SimulatedNode> kubelet = agents.acting(Pods.node(pod));
        if (node.isEmpty() || kubelet.isEmpty()) {
            return Optional.empty();
        }
        PodRun run = runs.get(key);
        if (run == null) {
            return arrive(pod, node.get(), kubelet.get());
        }
        return live(pod, run, node.get());
    }

    /** Ends the memory of a pod that is gone or has been followed by another of its name. */
    private void forgetOther(ObjectKey key, Optional<ObjectNode> pod) {
        PodRun run = runs.get(key);
        if (run != null
                && pod.filter(found -> Meta.uid(found).equals(run.uid())).isEmpty()) {
            runs.remove(key);
            tales.forget(run.uid());
            leave(run);
            agents.known(run.node()).ifPresent(node -> node.giveBack(run.address()));
        }
    }

    private void leave(PodRun run) {
        agents.known(run.node()).ifPresent(node -> node.room().leave(run.uid()));
    }

    private Optional<Instant> arrive(ObjectNode pod, ObjectNode node, SimulatedNode kubelet) {
        if (Meta.terminating(pod)) {
            writes.remove(pod);
            return Optional.empty();
        }
        if (Pods.terminal(pod)) {
            return Optional.empty();
        }
        if (Json.at(pod, "status", "startTime").isTextual()) {
            return resume(pod, node, kubelet);
        }
        if (kubelet.takesStock()) {
            podsByNode.of(kubelet.name()).stream()
                    .filter(other -> !Pods.terminal(other))
                    .filter(other -> Json.at(other, "status", "startTime").isTextual())
                    .forEach(kubelet.room()::enter);
        }
        Optional<Rejection> rejection = kubelet.room().judge(pod, node);
        if (rejection.isPresent()) {
            tales.rejected(pod, rejection.get());
            writes.status(
                    pod,
                    PodStatus.failure(
                            rejection.get().reason(),
                            "Pod was rejected: " + rejection.get().message(),
                            now()));
            return Optional.empty();
        }
        boolean hostNetwork = Json.flag(pod, "spec", "hostNetwork");
        String address = hostNetwork ? address(node) : kubelet.addresses(node).take();
        return begin(pod, new PodRun(pod, kubelet.name(), address, now()), node, kubelet);
    }

    private Optional<Instant> resume(ObjectNode pod, ObjectNode node, SimulatedNode kubelet) {
        PodRun run = PodRun.resumed(pod, kubelet.name(), now());
        kubelet.addresses(node).take(run.address());
        return begin(pod, run, node, kubelet);
    }

    private Optional<Instant> begin(ObjectNode pod, PodRun run, ObjectNode node, SimulatedNode kubelet) {
        kubelet.room().enter(pod);
        runs.put(ObjectKey.of(pod), run);
        return live(pod, run, node);
    }

    private static String address(ObjectNode node) {
        return Json.objects(node, "status", "addresses").stream()
                .filter(each -> Json.text(each, "type").equals("InternalIP"))
                .map(each -> Json.text(each, "address"))
                .findFirst()
                .orElse("");
    }

    private Optional<Instant> live(ObjectNode pod, PodRun run, ObjectNode node) {
        Instructions instructions = instructions(pod);
        PodTime time = new PodTime(pod, run, instructions, settings.stopTime());
        PodRun.Stage before = run.stage();
        int restarts = run.restarts();
        Optional<Instant> due = time.pass(now());
        if (run.stage() == PodRun.Stage.RUNNING && (before != PodRun.Stage.RUNNING || run.restarts() > restarts)) {
            tales.started(pod);
        }
        if (Meta.terminating(pod)) {
            tales.stopping(pod, run);
        }
        if (run.stage() == PodRun.Stage.ENDED) {
            leave(run);
        }
        boolean over = Meta.terminating(pod) && run.stage() == PodRun.Stage.ENDED;
        if (over && before == PodRun.Stage.STARTING) {
            writes.remove(pod);
            return Optional.empty();
        }
        // On a node that is not ready no pod becomes ready; what the node controller said of it stands.
        boolean ready = time.ready(now()) && (Conditions.isTrue(node, "Ready") || Pods.ready(pod));
        ObjectNode status = new PodStatus(pod, run, ready, now()).patch(address(node));
        if (StatusDifference.between(pod.path("status"), status)) {
            writes.status(pod, status);
        } else if (over) {
            writes.remove(pod);
        }
        return due;
    }

    private Instructions instructions(ObjectNode pod) {
        try {
            return Instructions.of(pod, settings.startTime());
        } catch (IllegalArgumentException e) {
            tales.misunderstood(pod, String.valueOf(e.getMessage()));
            return Instructions.none(settings.startTime());
        }
    }

    private Instant now() {
        return environment.clock().instant();
    }
}
