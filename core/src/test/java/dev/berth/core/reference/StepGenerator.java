package dev.berth.core.reference;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.hold.Owner;
import dev.berth.core.hold.ReservationInfo;
import dev.berth.core.hold.ReservationRecord;
import dev.berth.core.ledger.Assumption;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/** Makes up what happens next, likely enough to lead somewhere: from what there is now, and sometimes from the blue. */
final class StepGenerator {
    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private final Random random;
    private final RandomValues randomValues;
    private final ReferenceLedger known;
    private final List<Pod> earlier = new ArrayList<>();
    private int registrations;

    StepGenerator(long seed, ReferenceLedger known) {
        this.random = new Random(seed);
        this.randomValues = new RandomValues(random);
        this.known = known;
    }

    Step next() {
        int dice = random.nextInt(100);
        if (dice < 10) {
            return node();
        }
        if (dice < 48) {
            return pod();
        }
        if (dice < 60) {
            return assume();
        }
        if (dice < 66) {
            return new Step.Forget(podUid());
        }
        if (dice < 84) {
            return hold();
        }
        if (dice < 88) {
            return randomValues.chance(70)
                    ? new Step.PutWorkload(randomValues.workload())
                    : new Step.RemoveWorkload(randomValues.workload().key());
        }
        if (dice < 90) {
            return randomValues.chance(70)
                    ? new Step.PutNamespace(randomValues.namespaceWithLabels())
                    : new Step.RemoveNamespace(randomValues.namespace());
        }
        return dice < 95 ? new Step.TakeSnapshot() : new Step.Rebuild(random.nextLong());
    }

    private Step node() {
        List<Node> nodes = known.nodes();
        int dice = random.nextInt(10);
        if (nodes.isEmpty() || dice < 3) {
            registrations++;
            return new Step.PutNode(node("n" + randomValues.number(4), "u" + registrations));
        }
        Node some = randomValues.oneOf(nodes);
        if (dice < 5) {
            return new Step.RemoveNode(some.uid());
        }
        return new Step.PutNode(dice < 9 ? node(some.name(), some.uid().value()) : some);
    }

    private Node node(String name, String uid) {
        return new Node(
                new NodeUid(uid),
                name,
                randomValues.labels(),
                Labels.NONE,
                randomValues.allocatable(),
                false,
                List.of(),
                List.of());
    }

    private Step pod() {
        if (known.pods().isEmpty() || randomValues.chance(25)) {
            return remembered(newPod());
        }
        Pod some = randomValues.oneOf(known.pods());
        int dice = random.nextInt(20);
        if (dice < 4) {
            return new Step.RemovePod(some.uid());
        }
        if (dice < 6 && !earlier.isEmpty()) {
            return new Step.PutPod(randomValues.oneOf(earlier));
        }
        return dice < 7 ? new Step.PutPod(some) : remembered(changed(some));
    }

    private Step remembered(Pod pod) {
        earlier.add(pod);
        if (earlier.size() > 12) {
            earlier.remove(0);
        }
        return new Step.PutPod(pod);
    }

    private Pod newPod() {
        String name = "p" + randomValues.number(8);
        Pod.Builder pod = Pod.builder(new PodUid(name + "." + randomValues.number(3)), randomValues.namespace(), name)
                .labels(randomValues.labels())
                .spec(shape());
        if (randomValues.chance(60)) {
            String controller = "rs" + randomValues.number(2);
            boolean controls = randomValues.chance(90);
            ControllerRef owner = new ControllerRef(controls ? "apps/v1" : "v1", "ReplicaSet", controller, controller);
            pod.controller(controls ? Optional.of(owner) : Optional.empty())
                    .otherOwners(controls ? List.of() : List.of(owner));
        }
        return randomValues.chance(40) ? bound(pod.build(), nodeName()) : pod.build();
    }

    private PodSpec shape() {
        Resources requests = randomValues.amounts();
        List<HostPort> ports = randomValues.chance(15) ? List.of(port()) : List.of();
        return PodSpec.builder()
                .requests(requests)
                .scoringRequests(requests.plus(Resources.of(ResourceName.CPU, 100)))
                .hostPorts(ports)
                .build();
    }

    private HostPort port() {
        return new HostPort("TCP", HostPort.ANY_ADDRESS, 80 + randomValues.number(3));
    }

    private Pod changed(Pod pod) {
        Pod.Builder changed = pod.toBuilder();
        return switch (random.nextInt(10)) {
            case 8, 9 -> withOtherRecord(pod);
            case 0, 1, 2 ->
                pod.nodeName().isPresent()
                        ? changed.phase(PodPhase.RUNNING).build()
                        : bound(pod, randomValues.chance(70) ? expectedNode(pod) : nodeName());
            case 3 -> changed.terminating(true).build();
            case 4 ->
                changed.phase(randomValues.chance(50) ? PodPhase.SUCCEEDED : PodPhase.FAILED)
                        .build();
            case 5 -> changed.spec(shape()).build();
            case 6 -> changed.labels(randomValues.labels()).build();
            default -> randomValues.chance(50) ? changed.phase(PodPhase.RUNNING).build() : bound(pod, nodeName());
        };
    }

    /** A tenant writes any hold into the record of a pod, or removes the record. */
    private Pod withOtherRecord(Pod pod) {
        Labels annotations = randomValues.chance(60) ? withRecord(Labels.NONE, holdId()) : Labels.NONE;
        return pod.toBuilder().annotations(annotations).build();
    }

    /** Now and then as Koordinator's scheduler records a hold, also next to a record of Berth. */
    private Labels withRecord(Labels annotations, HoldId hold) {
        return randomValues.chance(30)
                ? annotations.with(
                        ReservationRecord.ANNOTATION,
                        ReservationRecord.valueOf("r", hold.value().substring("koordinator/".length())))
                : annotations.with(Claim.ANNOTATION, hold.value());
    }

    private String expectedNode(Pod pod) {
        return known.assumption(pod.uid()).map(Assumption::nodeName).orElseGet(this::nodeName);
    }

    /** Mostly with the record of the claim that was assumed, as our own bindings have it; sometimes of any other. */
    private Pod bound(Pod pod, String node) {
        Optional<HoldId> hold =
                known.assumption(pod.uid()).map(Assumption::bindAnnotations).flatMap(Claim::holdRecordedIn);
        if (randomValues.chance(25)) {
            hold = Optional.of(holdId());
        }
        Labels annotations = hold.map(id -> withRecord(pod.annotations(), id)).orElse(pod.annotations());
        return pod.toBuilder()
                .nodeName(Optional.of(node))
                .annotations(annotations)
                .build();
    }

    private String nodeName() {
        return known.nodes().isEmpty() || randomValues.chance(20)
                ? "n" + randomValues.number(4)
                : randomValues.oneOf(known.nodes()).name();
    }

    private Step assume() {
        List<Pod> unbound =
                known.pods().stream().filter(pod -> pod.nodeName().isEmpty()).toList();
        PodUid pod = unbound.isEmpty() || randomValues.chance(10)
                ? podUid()
                : randomValues.oneOf(unbound).uid();
        if (randomValues.chance(60) && !known.holds().isEmpty()) {
            Hold hold = randomValues.oneOf(known.holds());
            return new Step.Assume(pod, randomValues.chance(90) ? hold.node() : nodeUid(), Optional.of(hold.id()));
        }
        return new Step.Assume(pod, nodeUid(), Optional.empty());
    }

    private Step hold() {
        int dice = random.nextInt(20);
        if (dice < 3) {
            return new Step.RemoveHold(holdId());
        }
        if (dice < 4) {
            return new Step.Expire(START.plusSeconds(randomValues.number(100)));
        }
        if (dice < 6 && !known.holds().isEmpty()) {
            return new Step.PutHold(randomValues.oneOf(known.holds()));
        }
        if (randomValues.chance(30) && !known.holds().isEmpty()) {
            return new Step.PutHold(edited(randomValues.oneOf(known.holds())));
        }
        return new Step.PutHold(randomValues.chance(40) ? drawingHold() : newHold());
    }

    /**
     * A nomination or a return hold: for one pod that the other hold mostly admits, and backed by pods of the same node,
     * some of which use that other hold.
     */
    private Hold drawingHold() {
        Hold drawing = newHold();
        if (known.holds().isEmpty()) {
            return drawing;
        }
        Hold source = randomValues.oneOf(known.holds());
        List<Pod> owners = known.pods().stream().filter(source::admits).toList();
        Pod owner = owners.isEmpty() || randomValues.chance(20) ? newPod() : randomValues.oneOf(owners);
        List<PodUid> there = known.pods().stream()
                .filter(pod -> known.nodeNameOf(pod).equals(known.nodeOf(source).map(Node::name)))
                .map(Pod::uid)
                .toList();
        Set<PodUid> backers = there.isEmpty() || randomValues.chance(30)
                ? drawing.backers()
                : new TreeSet<>(List.of(randomValues.oneOf(there), randomValues.oneOf(there)));
        if (source.id().equals(drawing.id())) {
            return drawing;
        }
        return Hold.builder(drawing.id(), randomValues.chance(90) ? source.node() : drawing.node(), drawing.origin())
                .size(randomValues.chance(60) ? owner.spec().requests().with(ResourceName.PODS, 1) : drawing.size())
                .ports(owner.spec().hostPorts())
                .owners(randomValues.chance(50) ? drawing.owners() : List.of(ownerFor(owner)))
                .allocateOnce(randomValues.chance(90))
                .backers(backers)
                .deadline(drawing.deadline())
                .draw(Optional.of(
                        randomValues.chance(50)
                                ? new Draw(source.id(), owner)
                                : Draw.forSuccessorOf(owner, source.id())))
                .build();
    }

    private static Owner ownerFor(Pod pod) {
        Owner.PodMatch match = new Owner.PodMatch(Optional.of(pod.uid().value()), Optional.empty(), Optional.empty());
        return Owner.ofPod(match);
    }

    /**
     * Its author edits the owners or the policy, shares what was for once, or closes it. Or its object lists other users, or
     * takes over other running pods.
     */
    private Hold edited(Hold hold) {
        Hold.Builder edited = hold.toBuilder();
        return switch (random.nextInt(7)) {
            case 5 ->
                edited.unschedulableReason(
                                hold.unschedulableReason().isPresent() ? Optional.empty() : Optional.of("made up"))
                        .reservation(Optional.of(
                                ReservationInfo.of(randomValues.chance(50) ? "r1" : "r2", Labels.NONE, START)))
                        .build();
            case 6 -> edited.neighbour(randomValues.neighbour()).build();
            case 0 -> edited.owners(List.of(randomValues.owner())).build();
            case 1 -> edited.allocateOnce(!hold.allocateOnce()).build();
            case 2 ->
                edited.closedReason(hold.isClosed() ? Optional.empty() : Optional.of("made up"))
                        .build();
            case 3 -> edited.policy(randomValues.policy()).build();
            case 4 -> edited.backers(listed(hold)).build();
            default -> edited.listedUsers(listed(hold)).build();
        };
    }

    /** Mostly the pods that claim the hold, as its door writes them; sometimes any. */
    private Set<PodUid> listed(Hold hold) {
        Set<PodUid> users = new TreeSet<>();
        known.compute().claims(hold).stream().map(Claim::pod).forEach(users::add);
        if (randomValues.chance(30)) {
            users.add(podUid());
        }
        return users;
    }

    private Hold newHold() {
        boolean byObject = randomValues.chance(50);
        Resources size = randomValues.amounts();
        Hold.Builder hold = Hold.builder(
                        holdId(),
                        nodeUid(),
                        new Origin(byObject ? Origin.DoorId.KOORDINATOR : Origin.PluginId.PREEMPTION, "made up"))
                .size(randomValues.chance(80) ? size.with(ResourceName.PODS, randomValues.number(3)) : size)
                .ports(randomValues.chance(20) ? List.of(port()) : List.of())
                .owners(
                        randomValues.chance(50)
                                ? List.of(randomValues.owner())
                                : List.of(randomValues.owner(), randomValues.owner()))
                .allocateOnce(randomValues.chance(40))
                .backers(randomValues.chance(40) ? new TreeSet<>(List.of(podUid(), podUid())) : Set.of());
        hold.policy(randomValues.policy());
        if (!byObject || randomValues.chance(30)) {
            hold.deadline(Optional.of(START.plus(Duration.ofSeconds(randomValues.number(100)))));
        }
        return hold.neighbour(randomValues.neighbour()).build();
    }

    private PodUid podUid() {
        return known.pods().isEmpty() || randomValues.chance(10)
                ? new PodUid("p" + randomValues.number(8) + "." + randomValues.number(3))
                : randomValues.oneOf(known.pods()).uid();
    }

    private HoldId holdId() {
        return ReservationRecord.holdId("h" + randomValues.number(5));
    }

    private NodeUid nodeUid() {
        return known.nodes().isEmpty() || randomValues.chance(15)
                ? new NodeUid("u" + (1 + randomValues.number(registrations + 2)))
                : randomValues.oneOf(known.nodes()).uid();
    }
}
