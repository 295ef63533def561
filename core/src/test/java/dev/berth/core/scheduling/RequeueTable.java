package dev.berth.core.scheduling;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.volumebinding.PersistentVolumeBuilder.aVolume;
import static dev.berth.core.volumebinding.PersistentVolumeClaimBuilder.aClaim;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Namespace;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.cluster.PodAffinity;
import dev.berth.core.cluster.PodAffinityTerm;
import dev.berth.core.cluster.PodVolumes.Disk;
import dev.berth.core.cluster.PodVolumes.DiskKind;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.TopologySpreadConstraint;
import dev.berth.core.cluster.Workload;
import dev.berth.core.fact.Fact;
import dev.berth.core.placement.filter.Veto.Code;
import dev.berth.core.testing.NodeBuilder;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.volumebinding.CsiDriver;
import dev.berth.core.volumebinding.CsiNode;
import dev.berth.core.volumebinding.CsiStorageCapacity;
import dev.berth.core.volumebinding.StorageClass;
import dev.berth.core.volumebinding.VolumeAttachment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * For each reason of a refusal: how it arises, which event resolves it, and which common events requeue the pod
 * besides. All other events must not requeue it.
 */
final class RequeueTable {
    private static final String DRIVER = "disks.example.com";
    private static final LabelSelector ZONE_A = LabelSelector.of(Labels.of(Node.ZONE_LABEL, "a"));

    private RequeueTable() {}

    /** Common events that usually help no pod. */
    enum CommonEvent {
        /** A node is seen again, and nothing but the images on its disk is another. */
        HEARTBEAT,
        CLOSED_NODE_ADDED,
        FREE_NODE_ADDED,
        OTHER_POD_ARRIVES,
        OTHER_POD_LEAVES,
        OTHER_POD_RELABELLED,
        WORKLOAD_ADDED,
        NAMESPACE_LABELLED,
        OTHER_HOLD_ADDED,
        OTHER_CLAIM_ADDED,
        CLAIM_OF_ANOTHER_FREED;

        void applyTo(UnschedulablePodScene room) {
            switch (this) {
                case HEARTBEAT -> room.upsert(aNode("closed").unschedulable().withImage("web:1", 1));
                case CLOSED_NODE_ADDED ->
                    room.upsert(aNode("mending")
                            .inZone("y")
                            .unschedulable()
                            .tainted("t", "", Taint.TaintEffect.NO_EXECUTE));
                case FREE_NODE_ADDED ->
                    room.upsert(aNode("free").with("64 cpu").inZone("z").labelled("disk", "ssd"));
                case OTHER_POD_ARRIVES -> room.upsert(aPod("other").on("closed"));
                case OTHER_POD_LEAVES -> room.deletePod("idle");
                case OTHER_POD_RELABELLED ->
                    room.upsert(aPod("idle").labelled("colour", "blue").on("closed"));
                case WORKLOAD_ADDED ->
                    room.apply(new Fact.WorkloadUpserted(
                            new Workload(Workload.Kind.SERVICE, "default", "s", LabelSelector.EVERYTHING)));
                case NAMESPACE_LABELLED ->
                    room.apply(new Fact.NamespaceUpserted(new Namespace("shop", Labels.of("team", "x"))));
                case OTHER_HOLD_ADDED ->
                    room.upsert(aHold("elsewhere").on("closed").keeping("1 cpu"));
                case OTHER_CLAIM_ADDED -> room.upsert(aClaim("another").ofClass("now"));
                case CLAIM_OF_ANOTHER_FREED ->
                    room.upsert(aPod("user").mounting("another").on("closed")).deletePod("user");
            }
        }
    }

    /** One reason. */
    record Row(
            Code code,
            PodBuilder pod,
            Consumer<UnschedulablePodScene> setUp,
            Consumer<UnschedulablePodScene> cure,
            Set<CommonEvent> alsoRequeuedBy) {
        @Override
        public String toString() {
            return code.toString();
        }
    }

    static List<Row> nodes() {
        NodeAffinity ssd = new NodeAffinity(Labels.of("disk", "ssd"), Optional.empty(), List.of());
        NodeSelectorTerm named = new NodeSelectorTerm(
                List.of(),
                List.of(new Requirement(NodeSelectorTerm.NAME_FIELD, Requirement.Operator.IN, List.of("late"))));
        NodeAffinity late = new NodeAffinity(Labels.NONE, Optional.of(List.of(named)), List.of());
        return List.of(
                row(
                        Code.UNSCHEDULABLE,
                        p(),
                        w -> w.upsert(n().unschedulable()),
                        w -> w.upsert(n()),
                        CommonEvent.FREE_NODE_ADDED),
                row(
                        Code.TAINTS,
                        p(),
                        w -> w.upsert(n().tainted("t", "", Taint.TaintEffect.NO_SCHEDULE)),
                        w -> w.upsert(n()),
                        CommonEvent.FREE_NODE_ADDED),
                row(
                        Code.NODE_AFFINITY,
                        p().withSpec(spec -> spec.nodeAffinity(ssd)),
                        w -> w.upsert(n()),
                        w -> w.upsert(n().labelled("disk", "ssd")),
                        CommonEvent.FREE_NODE_ADDED),
                row(
                        Code.ADDED_AFFINITY,
                        p().with(pod -> pod.schedulerName(UnschedulablePodScene.PICKY)),
                        w -> w.upsert(n()),
                        w -> w.upsert(n().labelled("disk", "ssd")),
                        CommonEvent.FREE_NODE_ADDED),
                row(
                        Code.NOT_IN_REQUIRED_NODE_NAMES,
                        p().withSpec(spec -> spec.nodeAffinity(late)),
                        w -> w.upsert(n()),
                        w -> w.upsert(aNode("late").with("4 cpu"))),
                row(
                        Code.DECLARED_FEATURES,
                        p().withSpec(spec -> spec.requiredFeatures(List.of("New"))),
                        w -> w.upsert(n()),
                        w -> w.upsert(able(n().build(), "New"))));
    }

    static List<Row> room() {
        return List.of(
                row(
                        Code.RESOURCE,
                        p().asking("2 cpu"),
                        w -> w.upsert(n()).upsert(aPod("there").asking("3 cpu").on("n")),
                        w -> w.deletePod("there"),
                        CommonEvent.FREE_NODE_ADDED),
                row(
                        Code.POD_SLOTS,
                        p(),
                        w -> w.upsert(n().with("1 pods")).upsert(aPod("there").on("n")),
                        w -> w.deletePod("there"),
                        CommonEvent.FREE_NODE_ADDED),
                row(
                        Code.PORTS,
                        p().withHostPort(80),
                        w -> w.upsert(n()).upsert(aPod("there").withHostPort(80).on("n")),
                        w -> w.deletePod("there"),
                        CommonEvent.FREE_NODE_ADDED),
                row(
                        Code.RESOURCE_HELD,
                        p().asking("2 cpu"),
                        w -> w.upsert(n()).upsert(aHold("h").on("n").keeping("3 cpu")),
                        w -> w.deleteHold("h"),
                        CommonEvent.FREE_NODE_ADDED),
                row(
                        Code.PORTS_HELD,
                        p().withHostPort(80),
                        w -> w.upsert(n()).upsert(aHold("h").on("n").keepingHostPort(80)),
                        w -> w.deleteHold("h"),
                        CommonEvent.FREE_NODE_ADDED),
                row(
                        Code.HOLD_EXHAUSTED,
                        p().asking("2 cpu"),
                        w -> w.upsert(n().with("2 cpu"))
                                .upsert(aHold("h")
                                        .on("n")
                                        .keeping("1 cpu")
                                        .restrictedTo("cpu")
                                        .forPod("default/p")),
                        w -> w.upsert(aHold("h")
                                .on("n")
                                .keeping("2 cpu")
                                .restrictedTo("cpu")
                                .forPod("default/p")),
                        CommonEvent.FREE_NODE_ADDED));
    }

    static List<Row> otherPods() {
        PodAffinityTerm db = PodAffinityTerm.of(Node.ZONE_LABEL, app("db"));
        PodAffinityTerm web = PodAffinityTerm.of(Node.ZONE_LABEL, app("web"));
        PodBuilder there = aPod("there").labelled("app", "web").on("n");
        return List.of(
                row(
                        Code.POD_AFFINITY,
                        p().withSpec(spec -> spec.podAffinity(new PodAffinity(List.of(db), List.of(), List.of()))),
                        w -> w.upsert(n().inZone("a")),
                        w -> w.upsert(aPod("db").labelled("app", "db").on("n")),
                        CommonEvent.NAMESPACE_LABELLED),
                row(
                        Code.POD_ANTI_AFFINITY,
                        p().withSpec(spec -> spec.podAffinity(new PodAffinity(List.of(), List.of(web), List.of()))),
                        w -> w.upsert(n().inZone("a")).upsert(there),
                        w -> w.deletePod("there"),
                        CommonEvent.NAMESPACE_LABELLED,
                        CommonEvent.FREE_NODE_ADDED),
                row(
                        Code.EXISTING_ANTI_AFFINITY,
                        p().labelled("app", "web"),
                        w -> w.upsert(n().inZone("a"))
                                .upsert(aPod("there")
                                        .withSpec(spec ->
                                                spec.podAffinity(new PodAffinity(List.of(), List.of(web), List.of())))
                                        .on("n")),
                        w -> w.deletePod("there"),
                        CommonEvent.NAMESPACE_LABELLED,
                        CommonEvent.FREE_NODE_ADDED),
                row(
                        Code.TOPOLOGY_SPREAD,
                        spread(),
                        w -> w.upsert(n().inZone("a")).upsert(there),
                        w -> w.deletePod("there"),
                        CommonEvent.NAMESPACE_LABELLED,
                        CommonEvent.FREE_NODE_ADDED,
                        CommonEvent.CLOSED_NODE_ADDED),
                row(
                        Code.TOPOLOGY_LABEL_MISSING,
                        spread(),
                        w -> w.upsert(n()),
                        w -> w.upsert(n().inZone("a")),
                        CommonEvent.NAMESPACE_LABELLED,
                        CommonEvent.FREE_NODE_ADDED,
                        CommonEvent.CLOSED_NODE_ADDED));
    }

    static List<Row> storage() {
        Disk disk = new Disk(DiskKind.GCE_PD, "d", List.of(), false);
        VolumeAttachment attached = new VolumeAttachment("a", "a", DRIVER, "n", Optional.of("w"));
        return List.of(
                row(
                        Code.PVC_MISSING,
                        mounting(),
                        w -> w.upsert(n()),
                        w -> w.upsert(made()).upsert(aClaim("data").ofClass("made"))),
                row(
                        Code.PVC_UNUSABLE,
                        mounting(),
                        w -> w.upsert(n()).upsert(aClaim("data").ofClass("now")),
                        w -> w.upsert(aVolume("v"))
                                .upsert(aClaim("data").ofClass("now").boundTo("v"))),
                row(
                        Code.VOLUME_MISSING,
                        mounting(),
                        w -> w.upsert(n()).upsert(aClaim("data").boundTo("v")),
                        w -> w.upsert(aVolume("v"))),
                row(
                        Code.DISK_IN_USE,
                        p().mounting(disk),
                        w -> w.upsert(n()).upsert(aPod("there").mounting(disk).on("n")),
                        w -> w.deletePod("there"),
                        CommonEvent.FREE_NODE_ADDED),
                row(
                        Code.PVC_IN_USE,
                        mounting(),
                        w -> w.upsert(n())
                                .upsert(aVolume("v").withAccessModes("ReadWriteOncePod"))
                                .upsert(aClaim("data")
                                        .withAccessModes("ReadWriteOncePod")
                                        .boundTo("v"))
                                .upsert(aPod("there").mounting("data").on("n")),
                        w -> w.deletePod("there")),
                row(
                        Code.VOLUME_LIMIT,
                        mounting(),
                        w -> w.upsert(n())
                                .upsert(new CsiNode("n", "csi", Map.of(DRIVER, 1L), Set.of()))
                                .upsert(aVolume("v").ofDriver(DRIVER))
                                .upsert(aVolume("w").ofDriver(DRIVER))
                                .upsert(attached)
                                .upsert(aClaim("data").boundTo("v")),
                        w -> w.delete(attached),
                        CommonEvent.FREE_NODE_ADDED),
                row(
                        Code.VOLUME_AFFINITY,
                        mounting(),
                        w -> w.upsert(n().labelled("rack", "1"))
                                .upsert(aVolume("v").where("rack", "2"))
                                .upsert(aClaim("data").boundTo("v")),
                        w -> w.upsert(n().labelled("rack", "2"))),
                row(
                        Code.NO_MATCHING_VOLUME,
                        mounting(),
                        w -> w.upsert(n())
                                .upsert(new StorageClass("local", "c", "kubernetes.io/no-provisioner", true, List.of()))
                                .upsert(aClaim("data").ofClass("local")),
                        w -> w.upsert(aVolume("v").ofClass("local").on("n"))),
                row(
                        Code.INSUFFICIENT_STORAGE,
                        mounting(),
                        w -> w.upsert(n().inZone("a"))
                                .upsert(made())
                                .upsert(new CsiDriver(DRIVER, "d", true))
                                .upsert(new CsiStorageCapacity("k", "made", Optional.of(ZONE_A), Optional.of(100L)))
                                .upsert(aClaim("data").ofClass("made")),
                        w -> w.upsert(new CsiStorageCapacity("k", "made", Optional.of(ZONE_A), Optional.of(2L << 30)))),
                row(
                        Code.VOLUME_ZONE,
                        mounting(),
                        w -> w.upsert(n().inZone("a"))
                                .upsert(aVolume("v").labelled(Node.ZONE_LABEL, "b"))
                                .upsert(aClaim("data").boundTo("v")),
                        w -> w.upsert(aVolume("v").labelled(Node.ZONE_LABEL, "a"))));
    }

    private static Row row(
            Code code,
            PodBuilder pod,
            Consumer<UnschedulablePodScene> world,
            Consumer<UnschedulablePodScene> cure,
            CommonEvent... alsoWokenBy) {
        return new Row(code, pod, world, cure, Set.of(alsoWokenBy));
    }

    private static PodBuilder p() {
        return aPod("p");
    }

    /** With so many required zones that one pod in a zone is too many. */
    private static PodBuilder spread() {
        TopologySpreadConstraint even = new TopologySpreadConstraint(
                Node.ZONE_LABEL,
                Optional.of(app("web")),
                true,
                1,
                3,
                TopologySpreadConstraint.NodeInclusionPolicy.DEFAULT,
                List.of());
        return p().labelled("app", "web").withSpec(spec -> spec.topologySpreadConstraints(List.of(even)));
    }

    private static PodBuilder mounting() {
        return p().mounting("data");
    }

    private static NodeBuilder n() {
        return aNode("n").with("4 cpu");
    }

    private static StorageClass made() {
        return new StorageClass("made", "c", DRIVER, true, List.of());
    }

    private static LabelSelector app(String name) {
        return LabelSelector.of(Labels.of("app", name));
    }

    private static Node able(Node node, String feature) {
        return new Node(
                node.uid(),
                node.name(),
                node.labels(),
                node.annotations(),
                node.allocatable(),
                node.unschedulable(),
                node.taints(),
                node.images(),
                Optional.empty(),
                List.of(feature));
    }
}
