package dev.berth.core.decision;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.volume.ClaimBuilder.aClaim;
import static dev.berth.core.volume.VolumeBuilder.aVolume;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.NodeTerm;
import dev.berth.core.cluster.PodVolumes.Disk;
import dev.berth.core.cluster.PodVolumes.DiskKind;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Workload;
import dev.berth.core.cluster.neighbour.Namespace;
import dev.berth.core.cluster.neighbour.PodAffinity;
import dev.berth.core.cluster.neighbour.PodTerm;
import dev.berth.core.cluster.neighbour.SpreadConstraint;
import dev.berth.core.placement.filter.Veto.Code;
import dev.berth.core.testing.NodeBuilder;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.volume.Attachment;
import dev.berth.core.volume.CsiDriver;
import dev.berth.core.volume.CsiNode;
import dev.berth.core.volume.StorageCapacity;
import dev.berth.core.volume.StorageClass;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * For each reason for which a pod is refused, how that comes about, what cures it, and which of the things that happen
 * all the time wake the pod besides. What is not said to wake it must let it sleep.
 */
final class RequeueTable {
    private static final String DRIVER = "disks.example.com";
    private static final LabelSelector ZONE_A = LabelSelector.of(Labels.of(Node.ZONE_LABEL, "a"));

    private RequeueTable() {}

    /** What happens all the time and mostly helps nobody. */
    enum Usual {
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

        void happensIn(WaitingRoom room) {
            switch (this) {
                case HEARTBEAT -> room.seen(aNode("closed").unschedulable().holding("web:1", 1));
                case CLOSED_NODE_ADDED ->
                    room.seen(aNode("mending").inZone("y").unschedulable().tainted("t", "", Taint.Effect.NO_EXECUTE));
                case FREE_NODE_ADDED ->
                    room.seen(aNode("free").with("64 cpu").inZone("z").labelled("disk", "ssd"));
                case OTHER_POD_ARRIVES -> room.seen(aPod("other").on("closed"));
                case OTHER_POD_LEAVES -> room.gone("idle");
                case OTHER_POD_RELABELLED ->
                    room.seen(aPod("idle").labelled("colour", "blue").on("closed"));
                case WORKLOAD_ADDED ->
                    room.learn(new Fact.WorkloadSeen(
                            new Workload(Workload.Kind.SERVICE, "default", "s", LabelSelector.EVERYTHING)));
                case NAMESPACE_LABELLED ->
                    room.learn(new Fact.NamespaceSeen(new Namespace("shop", Labels.of("team", "x"))));
                case OTHER_HOLD_ADDED ->
                    room.seen(aHold("elsewhere").on("closed").keeping("1 cpu"));
                case OTHER_CLAIM_ADDED -> room.seen(aClaim("another").of("now"));
                case CLAIM_OF_ANOTHER_FREED ->
                    room.seen(aPod("user").mounting("another").on("closed")).gone("user");
            }
        }
    }

    /** One reason. */
    record Row(
            Code code,
            PodBuilder pod,
            Consumer<WaitingRoom> world,
            Consumer<WaitingRoom> cure,
            Set<Usual> alsoWokenBy) {
        @Override
        public String toString() {
            return code.toString();
        }
    }

    static List<Row> nodes() {
        NodeAffinity ssd = new NodeAffinity(Labels.of("disk", "ssd"), Optional.empty(), List.of());
        NodeTerm named = new NodeTerm(
                List.of(), List.of(new Requirement(NodeTerm.NAME_FIELD, Requirement.Operator.IN, List.of("late"))));
        NodeAffinity late = new NodeAffinity(Labels.NONE, Optional.of(List.of(named)), List.of());
        return List.of(
                row(Code.UNSCHEDULABLE, p(), w -> w.seen(n().unschedulable()), w -> w.seen(n()), Usual.FREE_NODE_ADDED),
                row(
                        Code.TAINTS,
                        p(),
                        w -> w.seen(n().tainted("t", "", Taint.Effect.NO_SCHEDULE)),
                        w -> w.seen(n()),
                        Usual.FREE_NODE_ADDED),
                row(
                        Code.NODE_AFFINITY,
                        p().shaped(shape -> shape.affinity(ssd)),
                        w -> w.seen(n()),
                        w -> w.seen(n().labelled("disk", "ssd")),
                        Usual.FREE_NODE_ADDED),
                row(
                        Code.ADDED_AFFINITY,
                        p().with(pod -> pod.schedulerName(WaitingRoom.PICKY)),
                        w -> w.seen(n()),
                        w -> w.seen(n().labelled("disk", "ssd")),
                        Usual.FREE_NODE_ADDED),
                row(
                        Code.NOT_NAMED,
                        p().shaped(shape -> shape.affinity(late)),
                        w -> w.seen(n()),
                        w -> w.seen(aNode("late").with("4 cpu"))),
                row(
                        Code.FEATURES,
                        p().shaped(shape -> shape.features(List.of("New"))),
                        w -> w.seen(n()),
                        w -> w.seen(able(n().build(), "New"))));
    }

    static List<Row> room() {
        return List.of(
                row(
                        Code.RESOURCE,
                        p().asking("2 cpu"),
                        w -> w.seen(n()).seen(aPod("there").asking("3 cpu").on("n")),
                        w -> w.gone("there"),
                        Usual.FREE_NODE_ADDED),
                row(
                        Code.POD_SLOTS,
                        p(),
                        w -> w.seen(n().with("1 pods")).seen(aPod("there").on("n")),
                        w -> w.gone("there"),
                        Usual.FREE_NODE_ADDED),
                row(
                        Code.PORTS,
                        p().withHostPort(80),
                        w -> w.seen(n()).seen(aPod("there").withHostPort(80).on("n")),
                        w -> w.gone("there"),
                        Usual.FREE_NODE_ADDED),
                row(
                        Code.RESOURCE_HELD,
                        p().asking("2 cpu"),
                        w -> w.seen(n()).seen(aHold("h").on("n").keeping("3 cpu")),
                        w -> w.holdGone("h"),
                        Usual.FREE_NODE_ADDED),
                row(
                        Code.PORTS_HELD,
                        p().withHostPort(80),
                        w -> w.seen(n()).seen(aHold("h").on("n").keepingHostPort(80)),
                        w -> w.holdGone("h"),
                        Usual.FREE_NODE_ADDED),
                row(
                        Code.OWN_HOLD_SPENT,
                        p().asking("2 cpu"),
                        w -> w.seen(n().with("2 cpu"))
                                .seen(aHold("h")
                                        .on("n")
                                        .keeping("1 cpu")
                                        .restrictedTo("cpu")
                                        .forPod("default/p")),
                        w -> w.seen(aHold("h")
                                .on("n")
                                .keeping("2 cpu")
                                .restrictedTo("cpu")
                                .forPod("default/p")),
                        Usual.FREE_NODE_ADDED));
    }

    static List<Row> company() {
        PodTerm db = PodTerm.of(Node.ZONE_LABEL, app("db"));
        PodTerm web = PodTerm.of(Node.ZONE_LABEL, app("web"));
        PodBuilder there = aPod("there").labelled("app", "web").on("n");
        return List.of(
                row(
                        Code.POD_AFFINITY,
                        p().shaped(shape -> shape.podAffinity(new PodAffinity(List.of(db), List.of(), List.of()))),
                        w -> w.seen(n().inZone("a")),
                        w -> w.seen(aPod("db").labelled("app", "db").on("n")),
                        Usual.NAMESPACE_LABELLED),
                row(
                        Code.POD_ANTI_AFFINITY,
                        p().shaped(shape -> shape.podAffinity(new PodAffinity(List.of(), List.of(web), List.of()))),
                        w -> w.seen(n().inZone("a")).seen(there),
                        w -> w.gone("there"),
                        Usual.NAMESPACE_LABELLED,
                        Usual.FREE_NODE_ADDED),
                row(
                        Code.EXISTING_ANTI_AFFINITY,
                        p().labelled("app", "web"),
                        w -> w.seen(n().inZone("a"))
                                .seen(aPod("there")
                                        .shaped(shape ->
                                                shape.podAffinity(new PodAffinity(List.of(), List.of(web), List.of())))
                                        .on("n")),
                        w -> w.gone("there"),
                        Usual.NAMESPACE_LABELLED,
                        Usual.FREE_NODE_ADDED),
                row(
                        Code.SPREAD,
                        spread(),
                        w -> w.seen(n().inZone("a")).seen(there),
                        w -> w.gone("there"),
                        Usual.NAMESPACE_LABELLED,
                        Usual.FREE_NODE_ADDED,
                        Usual.CLOSED_NODE_ADDED),
                row(
                        Code.SPREAD_LABEL,
                        spread(),
                        w -> w.seen(n()),
                        w -> w.seen(n().inZone("a")),
                        Usual.NAMESPACE_LABELLED,
                        Usual.FREE_NODE_ADDED,
                        Usual.CLOSED_NODE_ADDED));
    }

    static List<Row> storage() {
        Disk disk = new Disk(DiskKind.GCE_PD, "d", List.of(), false);
        Attachment attached = new Attachment("a", "a", DRIVER, "n", Optional.of("w"));
        return List.of(
                row(
                        Code.CLAIM_MISSING,
                        mounting(),
                        w -> w.seen(n()),
                        w -> w.seen(made()).seen(aClaim("data").of("made"))),
                row(
                        Code.CLAIM_UNUSABLE,
                        mounting(),
                        w -> w.seen(n()).seen(aClaim("data").of("now")),
                        w -> w.seen(aVolume("v")).seen(aClaim("data").of("now").boundTo("v"))),
                row(
                        Code.VOLUME_MISSING,
                        mounting(),
                        w -> w.seen(n()).seen(aClaim("data").boundTo("v")),
                        w -> w.seen(aVolume("v"))),
                row(
                        Code.DISK_IN_USE,
                        p().mounting(disk),
                        w -> w.seen(n()).seen(aPod("there").mounting(disk).on("n")),
                        w -> w.gone("there"),
                        Usual.FREE_NODE_ADDED),
                row(
                        Code.CLAIM_IN_USE,
                        mounting(),
                        w -> w.seen(n())
                                .seen(aVolume("v").inModes("ReadWriteOncePod"))
                                .seen(aClaim("data").inModes("ReadWriteOncePod").boundTo("v"))
                                .seen(aPod("there").mounting("data").on("n")),
                        w -> w.gone("there")),
                row(
                        Code.VOLUME_LIMIT,
                        mounting(),
                        w -> w.seen(n())
                                .seen(new CsiNode("n", "csi", Map.of(DRIVER, 1L), Set.of()))
                                .seen(aVolume("v").by(DRIVER))
                                .seen(aVolume("w").by(DRIVER))
                                .seen(attached)
                                .seen(aClaim("data").boundTo("v")),
                        w -> w.gone(attached),
                        Usual.FREE_NODE_ADDED),
                row(
                        Code.VOLUME_AFFINITY,
                        mounting(),
                        w -> w.seen(n().labelled("rack", "1"))
                                .seen(aVolume("v").where("rack", "2"))
                                .seen(aClaim("data").boundTo("v")),
                        w -> w.seen(n().labelled("rack", "2"))),
                row(
                        Code.NO_VOLUME,
                        mounting(),
                        w -> w.seen(n())
                                .seen(new StorageClass("local", "c", "kubernetes.io/no-provisioner", true, List.of()))
                                .seen(aClaim("data").of("local")),
                        w -> w.seen(aVolume("v").of("local").on("n"))),
                row(
                        Code.NO_STORAGE,
                        mounting(),
                        w -> w.seen(n().inZone("a"))
                                .seen(made())
                                .seen(new CsiDriver(DRIVER, "d", true))
                                .seen(new StorageCapacity("k", "made", Optional.of(ZONE_A), Optional.of(100L)))
                                .seen(aClaim("data").of("made")),
                        w -> w.seen(new StorageCapacity("k", "made", Optional.of(ZONE_A), Optional.of(2L << 30)))),
                row(
                        Code.VOLUME_ZONE,
                        mounting(),
                        w -> w.seen(n().inZone("a"))
                                .seen(aVolume("v").labelled(Node.ZONE_LABEL, "b"))
                                .seen(aClaim("data").boundTo("v")),
                        w -> w.seen(aVolume("v").labelled(Node.ZONE_LABEL, "a"))));
    }

    private static Row row(
            Code code, PodBuilder pod, Consumer<WaitingRoom> world, Consumer<WaitingRoom> cure, Usual... alsoWokenBy) {
        return new Row(code, pod, world, cure, Set.of(alsoWokenBy));
    }

    private static PodBuilder p() {
        return aPod("p");
    }

    /** With so many zones asked for that one pod in a zone is too many. */
    private static PodBuilder spread() {
        SpreadConstraint even = new SpreadConstraint(
                Node.ZONE_LABEL, Optional.of(app("web")), true, 1, 3, SpreadConstraint.Heed.USUAL, List.of());
        return p().labelled("app", "web").shaped(shape -> shape.spread(List.of(even)));
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
