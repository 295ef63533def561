package dev.berth.bench.placement;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodAffinity;
import dev.berth.core.cluster.PodAffinityTerm;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.TopologySpreadConstraint;
import dev.berth.core.cluster.Workload;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.hold.Owner;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placement.Placed;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * A cluster in a steady state: as many pods are deleted as added. Nodes with 32 cpu and 128 GiB in three zones, ten
 * pods on each, and holds that match none of the new pods.
 */
final class SteadyStateCluster {
    private static final long MIB = 1 << 20;
    static final String NAMESPACE = "bench";
    static final String APP_LABEL = "app";
    /** Every second template has the value 1, the others 0. */
    static final String HALF_LABEL = "half";
    /** All templates have the same value. */
    static final String GROUP_LABEL = "group";

    static final String GROUP = "bench";

    private final PlacementScenario placementScenario;
    private final Ledger ledger = new Ledger();
    private final List<PodSpec> specs = new ArrayList<>();
    private final List<Labels> labels = new ArrayList<>();
    private final List<ControllerRef> controllers = new ArrayList<>();
    private final List<PodUid> present = new ArrayList<>();
    private final Random random = new Random(42);
    private int podCount;

    /** With holds for pods that are never created. */
    SteadyStateCluster(PlacementScenario placementScenario) {
        this(placementScenario, PlacementScenario.PODS_PER_NODE, holdsOfAbsentPods(placementScenario));
    }

    SteadyStateCluster(PlacementScenario placementScenario, int podsPerNode, List<Hold> holds) {
        this.placementScenario = placementScenario;
        for (int i = 0; i < placementScenario.nodes(); i++) {
            ledger.put(node(i));
        }
        holds.forEach(ledger::put);
        for (int i = 0; i < placementScenario.shapes(); i++) {
            addTemplate(i);
        }
        for (int i = 0; i < placementScenario.nodes() * podsPerNode; i++) {
            Pod pod = nextPod();
            ledger.put(pod.boundTo("node-%05d".formatted((int) ((i * 7919L) % placementScenario.nodes()))));
            present.add(pod.uid());
        }
    }

    Ledger ledger() {
        return ledger;
    }

    /** A pod of the next template in turn. */
    Pod nextPod() {
        int number = podCount++;
        int template = number % placementScenario.shapes();
        Pod.Builder pod = Pod.builder(uid(number), NAMESPACE, "app-%d-%07d".formatted(template, number))
                .spec(specs.get(template))
                .labels(labels.get(template));
        return placementScenario.ownership() == PlacementScenario.Ownership.DEPLOYMENT
                ? pod.controller(Optional.of(controllers.get(template))).build()
                : pod.build();
    }

    void assume(Pod pod, Placed placed) {
        ledger.assume(pod.uid(), placed.nodeUid(), placed.hold());
        present.add(pod.uid());
    }

    /** Adds a pod, until its turn to be deleted comes. */
    void addPresent(PodUid uid) {
        present.add(uid);
    }

    /** Deletes some pod. */
    void deleteRandomPod() {
        ledger.removePod(removeRandomPresent());
    }

    /** Some pod whose turn to be deleted has come. */
    PodUid removeRandomPresent() {
        int at = random.nextInt(present.size());
        PodUid uid = present.get(at);
        present.set(at, present.get(present.size() - 1));
        present.remove(present.size() - 1);
        return uid;
    }

    private static PodUid uid(int number) {
        return new PodUid(
                "5c3ab1e2-%04x-4d00-8f00-%012x".formatted(number >>> 16, number * 0x9e3779b97L & 0xffffffffffffL));
    }

    private static NodeUid nodeUid(int number) {
        return new NodeUid("node-uid-" + number);
    }

    private Node node(int number) {
        String name = "node-%05d".formatted(number);
        Labels nodeLabels = Labels.of(Map.of(
                Node.HOSTNAME_LABEL,
                name,
                Node.ZONE_LABEL,
                "zone-" + number % PlacementScenario.ZONES,
                "kubernetes.io/os",
                "linux"));
        Resources allocatable = Resources.of(Map.of(
                ResourceName.CPU,
                32_000L,
                ResourceName.MEMORY,
                131_072 * MIB,
                ResourceName.EPHEMERAL_STORAGE,
                500_000 * MIB,
                ResourceName.PODS,
                110L));
        return new Node(nodeUid(number), name, nodeLabels, Labels.NONE, allocatable, false, List.of(), List.of());
    }

    private static List<Hold> holdsOfAbsentPods(PlacementScenario placementScenario) {
        int count = Math.min(PlacementScenario.HOLDS, placementScenario.nodes());
        List<Hold> holds = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Owner.PodMatch absentPod =
                    new Owner.PodMatch(Optional.empty(), Optional.of("elsewhere"), Optional.of("returning-" + i));
            holds.add(hold(i, i * placementScenario.nodes() / count, Owner.ofPod(absentPod), 1)
                    .build());
        }
        return holds;
    }

    /** A hold on the node for the owner, with one cpu and one GiB for each of the pods. */
    static Hold.Builder hold(int number, int node, Owner owner, int pods) {
        String name = "hold-%06d".formatted(number);
        return Hold.builder(
                        new HoldId(name), nodeUid(node), new Origin(Origin.DoorId.KOORDINATOR, "Reservation " + name))
                .size(Resources.of(Map.of(
                        ResourceName.CPU, 1000L * pods, ResourceName.MEMORY, 1024 * MIB * pods, ResourceName.PODS, 1L)))
                .owners(List.of(owner));
    }

    private static PodSpec constrainedShape(PodSpec.Builder spec, LabelSelector selector) {
        TopologySpreadConstraint spread = new TopologySpreadConstraint(
                Node.ZONE_LABEL,
                Optional.of(selector),
                true,
                5,
                1,
                TopologySpreadConstraint.NodeInclusionPolicy.DEFAULT,
                List.of());
        PodAffinityTerm sameHost = PodAffinityTerm.of(Node.HOSTNAME_LABEL, selector);
        return spec.topologySpreadConstraints(List.of(spread))
                .podAffinity(new PodAffinity(
                        List.of(), List.of(), List.of(new PodAffinity.WeightedPodAffinityTerm(-100, sameHost))))
                .build();
    }

    private void addTemplate(int number) {
        int side = (int) Math.ceil(Math.sqrt(placementScenario.shapes()));
        long cpu = 100 + 1000L * (number % side) / side;
        long memory = (128 + 1024L * (number / side) / side) * MIB;
        Resources requests = Resources.of(Map.of(ResourceName.CPU, cpu, ResourceName.MEMORY, memory));
        Labels template = Labels.of(Map.of(
                APP_LABEL,
                "app-" + number,
                HALF_LABEL,
                String.valueOf(number % 2),
                GROUP_LABEL,
                GROUP,
                "pod-template-hash",
                "7d%06x".formatted(number)));
        PodSpec.Builder spec = PodSpec.builder()
                .requests(requests)
                .scoringRequests(requests)
                .images(List.of("registry.example.com/app-%d:1".formatted(number)));
        specs.add(
                placementScenario.ownership() == PlacementScenario.Ownership.CONSTRAINED
                        ? constrainedShape(spec, LabelSelector.of(template))
                        : spec.build());
        labels.add(template);
        String name = "app-%d-7d%06x".formatted(number, number);
        controllers.add(new ControllerRef("apps/v1", "ReplicaSet", name, "rs-uid-" + number));
        if (placementScenario.ownership() == PlacementScenario.Ownership.DEPLOYMENT) {
            ledger.put(new Workload(Workload.Kind.REPLICA_SET, NAMESPACE, name, LabelSelector.of(template)));
        }
    }
}
