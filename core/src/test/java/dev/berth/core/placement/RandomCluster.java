package dev.berth.core.placement;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Image;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Namespace;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodAffinity;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.cluster.UnsupportedFeature;
import dev.berth.core.cluster.Workload;
import dev.berth.core.hold.AllocatePolicy;
import dev.berth.core.hold.ComponentId;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.hold.Owner;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** Nodes, pods, holds and workloads drawn from few values, so that they meet, tie and get in each other's way. */
final class RandomCluster {
    private static final long MIB = 1 << 20;
    private static final ResourceName GPU = new ResourceName("example.com/gpu");
    private static final List<UnsupportedFeature> UNSUPPORTED = List.of(
            UnsupportedFeature.RESOURCE_CLAIMS,
            UnsupportedFeature.WORKLOAD_REF,
            UnsupportedFeature.SCHEDULING_GROUP,
            new UnsupportedFeature("a feature (label example.com/feature: a)", "Remove the label"));
    private static final List<String> IMAGES = List.of("web:1", "db:2", "tool:latest", "big:7");
    private static final List<Taint> TAINTS = List.of(
            new Taint("dedicated", "db", Taint.TaintEffect.NO_SCHEDULE),
            new Taint("maintenance", "", Taint.TaintEffect.NO_EXECUTE),
            new Taint("noisy", "yes", Taint.TaintEffect.PREFER_NO_SCHEDULE),
            new Taint("old", "", Taint.TaintEffect.PREFER_NO_SCHEDULE));
    private static final ComponentId[] COMPONENTS = Stream.<ComponentId>concat(
                    Stream.of(Origin.DoorId.values()), Stream.of(Origin.PluginId.PREEMPTION))
            .toArray(ComponentId[]::new);
    static final List<String> NAMESPACES = List.of("default", "other");
    /** The name of a pod that some holds admit, with any labels. */
    static final String EXPECTED = "expected";

    static final List<String> APPS = List.of("web", "db", "batch");

    private final Random random;

    private final RandomAffinities affinities;

    private final RandomReservationConstraints reservations;

    /** The random generator of one step, independent of the steps before. */
    static RandomCluster of(long seed, int step) {
        return new RandomCluster(new Random(seed * 1_000_003 + step));
    }

    /** Plays the steps in their order; what went wrong first, if anything. */
    static Optional<String> play(List<Integer> steps, IntFunction<Optional<String>> history) {
        for (int step : steps) {
            Optional<String> wrong = history.apply(step);
            if (wrong.isPresent()) {
                return wrong.map(text -> "step %d: %s".formatted(step, text));
            }
        }
        return Optional.empty();
    }

    RandomCluster(Random random) {
        this.random = random;
        this.affinities = new RandomAffinities(random);
        this.reservations = new RandomReservationConstraints(random);
    }

    Namespace namespace() {
        return new Namespace(any(NAMESPACES), any(Labels.NONE, Labels.of("team", "x"), Labels.of("team", "y")));
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    @SafeVarargs
    final <T> T any(T... values) {
        return values[random.nextInt(values.length)];
    }

    <T> T any(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    Node node(String name, String uid) {
        Map<String, String> labels = new TreeMap<>();
        if (chance(90)) {
            labels.put(Node.HOSTNAME_LABEL, name);
        }
        if (chance(80)) {
            labels.put(Node.ZONE_LABEL, any("a", "b", "c", ""));
        }
        labels.put("disk", any("ssd", "hdd"));
        if (chance(60)) {
            labels.put("age", any("1", "2", "3", "young"));
        }
        return new Node(
                new NodeUid(uid),
                name,
                Labels.of(labels),
                Labels.NONE,
                allocatable(),
                chance(8),
                TAINTS.stream().filter(taint -> chance(12)).toList(),
                images(),
                Optional.empty(),
                chance(50) ? List.of("FeatureA", "FeatureB") : List.of("FeatureB"));
    }

    private Resources allocatable() {
        Map<ResourceName, Long> amounts = new TreeMap<>();
        amounts.put(ResourceName.CPU, chance(4) ? 0L : any(2000L, 4000L, 4000L, 4000L, 8000L, 32000L));
        amounts.put(ResourceName.MEMORY, chance(4) ? 0L : any(4096L, 8192L, 8192L, 8192L, 32768L) * MIB);
        amounts.put(ResourceName.PODS, any(2L, 5L, 110L, 110L));
        if (chance(30)) {
            amounts.put(GPU, any(0L, 1L, 4L));
        }
        if (chance(30)) {
            amounts.put(ResourceName.EPHEMERAL_STORAGE, 1000 * MIB);
        }
        return Resources.of(amounts);
    }

    private List<Image> images() {
        List<Image> images = new ArrayList<>();
        for (String name : IMAGES) {
            if (chance(40)) {
                long bytes = name.equals("big:7") ? 3000 * MIB : any(200 * MIB, 200 * MIB, 900 * MIB);
                images.add(new Image(List.of(name, name + "@digest"), bytes));
            }
        }
        return images;
    }

    PodSpec shape(List<String> nodeNames) {
        PodSpec.Builder spec = PodSpec.builder();
        Resources requests = requests();
        spec.requests(requests)
                .scoringRequests(Resources.of(ResourceName.CPU, Math.max(100, requests.get(ResourceName.CPU)))
                        .with(ResourceName.MEMORY, Math.max(200 * MIB, requests.get(ResourceName.MEMORY))))
                .nodeAffinity(affinity(nodeNames))
                .tolerations(tolerations())
                .hostPorts(ports())
                .images(IMAGES.stream().filter(name -> chance(25)).toList());
        if (chance(5)) {
            spec.images(List.of(IMAGES.get(0))).mountedImages(List.of(any("db:2", "big:7")));
        }
        if (chance(10)) {
            spec.scoringWhenPlaced(Resources.of(ResourceName.CPU, any(100L, 200L, 900L))
                    .with(ResourceName.MEMORY, any(200L, 400L, 1024L) * MIB));
        }
        if (chance(35)) {
            spec.podAffinity(affinities.affinity());
        }
        if (chance(25)) {
            spec.topologySpreadConstraints(affinities.constraints());
        }
        if (chance(4)) {
            spec.requiredFeatures(List.of("FeatureA"));
        }
        spec.reservations(reservations.constraints());
        if (chance(2)) {
            spec.unsupportedFeatures(new HashSet<>(List.of(any(UNSUPPORTED), any(UNSUPPORTED))));
        }
        return spec.build();
    }

    /** Of a pod that may go anywhere but for labels and taints of nodes: what is found out about its holds is kept. */
    PodSpec plainShape() {
        Resources requests = Resources.of(ResourceName.CPU, any(100L, 250L)).with(ResourceName.MEMORY, 64 * MIB);
        List<NodeAffinity.PreferredSchedulingTerm> preferred = new ArrayList<>();
        while (chance(40)) {
            NodeSelectorTerm term = new NodeSelectorTerm(
                    List.of(new Requirement("age", Requirement.Operator.IN, List.of(any("1", "2", "3")))), List.of());
            preferred.add(new NodeAffinity.PreferredSchedulingTerm(any(1, 10, 50), term));
        }
        Labels selector = chance(50) ? Labels.of("disk", "ssd") : Labels.NONE;
        return PodSpec.builder()
                .requests(requests)
                .scoringRequests(requests)
                .nodeAffinity(new NodeAffinity(selector, Optional.empty(), preferred))
                .tolerations(tolerations())
                .images(IMAGES.stream().filter(name -> chance(25)).toList())
                .reservations(reservations.constraints())
                .build();
    }

    /** Of a pod that is too large for most nodes, or for all. */
    PodSpec largeShape() {
        Resources requests = Resources.of(ResourceName.CPU, any(6000L, 40_000L)).with(ResourceName.MEMORY, 64 * MIB);
        return PodSpec.builder()
                .requests(requests)
                .scoringRequests(requests)
                .tolerations(tolerations())
                .build();
    }

    /** The same hold with more or less room, closed or open again, or on another node. */
    Hold altered(Hold hold, NodeUid other) {
        long cpu = any(0L, 250L, 1000L, 6000L, 40_000L);
        return switch (any(0, 1, 2, 2, 2, 3, 3, 4, 4, 5)) {
            case 5 ->
                hold.toBuilder()
                        .unschedulableReason(chance(50) ? Optional.of("unschedulable") : Optional.empty())
                        .build();
            case 4 ->
                hold.isReservation()
                        ? hold.toBuilder().reservation(reservations.info()).build()
                        : hold;
            case 3 -> moved(hold, other);
            case 0 -> hold.toBuilder().closedReason(Optional.of("closed")).build();
            case 1 -> hold.toBuilder().closedReason(Optional.empty()).build();
            default ->
                hold.toBuilder().size(hold.size().with(ResourceName.CPU, cpu)).build();
        };
    }

    static Hold moved(Hold hold, NodeUid other) {
        return Hold.builder(hold.id(), other, hold.origin())
                .size(hold.size())
                .ports(hold.ports())
                .owners(hold.owners())
                .allocateOnce(hold.allocateOnce())
                .policy(hold.policy())
                .reservation(hold.reservation())
                .neighbour(hold.neighbour())
                .build();
    }

    /** The pod that a hold counts as; empty for a hold that counts as none. */
    private Optional<Pod> neighbour(Labels labels, PodAffinity affinity) {
        return chance(25)
                ? Optional.empty()
                : Optional.of(Pod.builder(new PodUid("neighbour"), any(NAMESPACES), "neighbour")
                        .labels(labels)
                        .spec(PodSpec.builder().podAffinity(affinity).build())
                        .build());
    }

    /** Room for one pod or some, for pods of the application. */
    Hold holdFor(String app, String id, NodeUid node) {
        Resources size = Resources.of(ResourceName.CPU, any(250L, 500L))
                .with(ResourceName.MEMORY, 128 * MIB)
                .with(ResourceName.PODS, 1);
        LabelSelector selector = LabelSelector.of(Labels.of("app", app));
        return Hold.builder(new HoldId(id), node, new Origin(Origin.DoorId.KOORDINATOR, "Reservation " + id))
                .size(size)
                .ports(chance(15) ? List.of(new HostPort("TCP", "", 80)) : List.of())
                .owners(List.of(Owner.ofLabels(selector)))
                .reservation(reservations.info())
                .allocateOnce(chance(60))
                .policy(
                        chance(70)
                                ? new AllocatePolicy.Aligned()
                                : new AllocatePolicy.Restricted(Set.of(ResourceName.CPU)))
                .neighbour(neighbour(Labels.of("app", any(app, app, "other")), PodAffinity.NONE))
                .build();
    }

    private Resources requests() {
        Map<ResourceName, Long> amounts = new TreeMap<>();
        if (chance(75)) {
            amounts.put(ResourceName.CPU, any(0L, 100L, 250L, 250L, 500L, 1000L, 3000L));
        }
        if (chance(75)) {
            amounts.put(ResourceName.MEMORY, any(0L, 64L, 512L, 512L, 1024L, 6000L) * MIB);
        }
        if (chance(10)) {
            amounts.put(GPU, any(0L, 1L, 2L));
        }
        if (chance(10)) {
            amounts.put(ResourceName.EPHEMERAL_STORAGE, any(100L, 900L) * MIB);
        }
        return Resources.of(amounts);
    }

    private NodeAffinity affinity(List<String> nodeNames) {
        if (chance(60)) {
            return NodeAffinity.NONE;
        }
        Labels selector = chance(25) ? Labels.of("disk", "ssd") : Labels.NONE;
        List<NodeSelectorTerm> required = new ArrayList<>();
        if (chance(25)) {
            required.add(term(nodeNames));
            if (chance(40)) {
                required.add(term(nodeNames));
            }
        }
        List<NodeAffinity.PreferredSchedulingTerm> preferred = new ArrayList<>();
        while (chance(40)) {
            preferred.add(new NodeAffinity.PreferredSchedulingTerm(any(1, 10, 50, 100), term(nodeNames)));
        }
        return new NodeAffinity(selector, required.isEmpty() ? Optional.empty() : Optional.of(required), preferred);
    }

    private NodeSelectorTerm term(List<String> nodeNames) {
        List<Requirement> labels = new ArrayList<>();
        List<Requirement> fields = new ArrayList<>();
        if (chance(60)) {
            labels.add(any(
                    new Requirement("disk", Requirement.Operator.IN, List.of("ssd")),
                    new Requirement("disk", Requirement.Operator.NOT_IN, List.of("ssd")),
                    new Requirement("age", Requirement.Operator.EXISTS, List.of()),
                    new Requirement("age", Requirement.Operator.DOES_NOT_EXIST, List.of()),
                    new Requirement("age", Requirement.Operator.GT, List.of("1")),
                    new Requirement("age", Requirement.Operator.LT, List.of("3")),
                    new Requirement(Node.ZONE_LABEL, Requirement.Operator.IN, List.of("a", "b"))));
        }
        while (chance(30)) {
            fields.add(new Requirement(
                    NodeSelectorTerm.NAME_FIELD,
                    any(Requirement.Operator.IN, Requirement.Operator.IN, Requirement.Operator.NOT_IN),
                    List.of(any(nodeNames), any(nodeNames), "nowhere")));
        }
        return new NodeSelectorTerm(labels, fields);
    }

    private List<Toleration> tolerations() {
        List<Toleration> tolerations = new ArrayList<>();
        if (chance(20)) {
            tolerations.add(any(
                    new Toleration("", Toleration.Operator.EXISTS, "", Optional.empty()),
                    new Toleration("", Toleration.Operator.EXISTS, "", Optional.of(Taint.TaintEffect.NO_SCHEDULE)),
                    new Toleration("dedicated", Toleration.Operator.EQUAL, "db", Optional.empty()),
                    new Toleration("noisy", Toleration.Operator.EXISTS, "", Optional.empty()),
                    new Toleration(
                            "node.kubernetes.io/unschedulable", Toleration.Operator.EXISTS, "", Optional.empty())));
        }
        return tolerations;
    }

    private List<HostPort> ports() {
        List<HostPort> ports = new ArrayList<>();
        while (chance(10)) {
            ports.add(new HostPort(any("TCP", "UDP"), any("", "10.0.0.1", "10.0.0.2"), any(80, 443)));
        }
        return ports;
    }

    Pod pod(String uid, PodSpec spec) {
        String app = any(APPS);
        Labels labels = chance(85) ? Labels.of("app", app) : Labels.NONE;
        Optional<ControllerRef> controller = chance(50)
                ? Optional.of(new ControllerRef("apps/v1", any("ReplicaSet", "StatefulSet", "Job"), app, app + "-uid"))
                : Optional.empty();
        return Pod.builder(new PodUid(uid), any(NAMESPACES), uid)
                .labels(chance(15) ? labels.with("track", "canary") : labels)
                .controller(controller)
                .spec(spec)
                .build();
    }

    Workload workload() {
        Workload.Kind kind = any(Workload.Kind.values());
        String app = any(APPS);
        LabelSelector byApp = LabelSelector.of(Labels.of("app", app));
        LabelSelector notCanary = new LabelSelector(
                Labels.of("app", app),
                List.of(new Requirement("track", Requirement.Operator.DOES_NOT_EXIST, List.of())));
        return new Workload(kind, any(NAMESPACES), app, kind == Workload.Kind.SERVICE ? byApp : any(byApp, notCanary));
    }

    Hold hold(String id, NodeUid node) {
        Map<ResourceName, Long> size = new TreeMap<>(requests().toMap());
        size.put(ResourceName.PODS, any(0L, 1L, 1L, 2L));
        ComponentId component = chance(50) ? Origin.DoorId.KOORDINATOR : any(COMPONENTS);
        return Hold.builder(new HoldId(id), node, new Origin(component, "Reservation " + any("r1", "r2", id)))
                .size(Resources.of(size))
                .ports(chance(15) ? ports() : List.of())
                .owners(owners())
                .taints(TAINTS.stream().filter(taint -> chance(4)).toList())
                .unschedulableReason(chance(5) ? Optional.of("unschedulable") : Optional.empty())
                .reservation(component == Origin.DoorId.KOORDINATOR ? reservations.info() : Optional.empty())
                .allocateOnce(chance(50))
                .policy(policy())
                .neighbour(neighbour(Labels.of("app", any(APPS)), affinities.affinity()))
                .build();
    }

    /** Now and then with a part that no owner may use. */
    private AllocatePolicy policy() {
        Resources innerReserved = chance(20) ? requests() : Resources.NONE;
        Set<ResourceName> restricted = any(
                Set.of(ResourceName.CPU),
                Set.of(ResourceName.CPU, ResourceName.MEMORY),
                Set.of(ResourceName.CPU, ResourceName.MEMORY, ResourceName.PODS));
        return chance(60)
                ? new AllocatePolicy.Aligned(innerReserved)
                : new AllocatePolicy.Restricted(restricted, innerReserved);
    }

    private List<Owner> owners() {
        if (chance(20)) {
            Owner.PodMatch named =
                    new Owner.PodMatch(Optional.empty(), Optional.of(any(NAMESPACES)), Optional.of(EXPECTED));
            return List.of(Owner.ofPod(named));
        }
        if (chance(30)) {
            return List.of();
        }
        LabelSelector selector = chance(25) ? withoutKey() : LabelSelector.of(Labels.of("app", any(APPS)));
        Optional<Owner.PodMatch> somewhere = chance(10)
                ? Optional.of(new Owner.PodMatch(Optional.empty(), Optional.of(any(NAMESPACES)), Optional.empty()))
                : Optional.empty();
        return List.of(new Owner(somewhere, Optional.empty(), Optional.of(selector)));
    }

    /** Rules that name no value which a pod could be looked up by. */
    private LabelSelector withoutKey() {
        return any(
                LabelSelector.EVERYTHING,
                requiring(new Requirement("track", Requirement.Operator.EXISTS, List.of())),
                requiring(new Requirement("track", Requirement.Operator.DOES_NOT_EXIST, List.of())),
                requiring(new Requirement("app", Requirement.Operator.NOT_IN, List.of(any(APPS)))));
    }

    private static LabelSelector requiring(Requirement requirement) {
        return new LabelSelector(Labels.NONE, List.of(requirement));
    }
}
