package dev.berth.core.twin;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Phase;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodShape;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.HoldPolicy;
import dev.berth.core.hold.Origin;
import dev.berth.core.hold.Owner;
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
final class Narrator {
    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private final Random random;
    private final Draft draft;
    private final SlowLedger known;
    private final List<Pod> earlier = new ArrayList<>();
    private int registrations;

    Narrator(long seed, SlowLedger known) {
        this.random = new Random(seed);
        this.draft = new Draft(random);
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
            return draft.chance(70)
                    ? new Step.PutWorkload(draft.workload())
                    : new Step.RemoveWorkload(draft.workload().key());
        }
        if (dice < 90) {
            return draft.chance(70)
                    ? new Step.PutNamespace(draft.namespaceWithLabels())
                    : new Step.RemoveNamespace(draft.namespace());
        }
        return dice < 95 ? new Step.Look() : new Step.Rebuild(random.nextLong());
    }

    private Step node() {
        List<Node> nodes = known.nodes();
        int dice = random.nextInt(10);
        if (nodes.isEmpty() || dice < 3) {
            registrations++;
            return new Step.PutNode(node("n" + draft.number(4), "u" + registrations));
        }
        Node some = draft.one(nodes);
        if (dice < 5) {
            return new Step.RemoveNode(some.uid());
        }
        return new Step.PutNode(dice < 9 ? node(some.name(), some.uid().value()) : some);
    }

    private Node node(String name, String uid) {
        return new Node(
                new NodeUid(uid), name, draft.labels(), Labels.NONE, draft.allocatable(), false, List.of(), List.of());
    }

    private Step pod() {
        if (known.pods().isEmpty() || draft.chance(25)) {
            return remembered(born());
        }
        Pod some = draft.one(known.pods());
        int dice = random.nextInt(20);
        if (dice < 4) {
            return new Step.RemovePod(some.uid());
        }
        if (dice < 6 && !earlier.isEmpty()) {
            return new Step.PutPod(draft.one(earlier));
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

    private Pod born() {
        String name = "p" + draft.number(8);
        Pod.Builder pod = Pod.builder(new PodUid(name + "." + draft.number(3)), draft.namespace(), name)
                .labels(draft.labels())
                .shape(shape());
        if (draft.chance(60)) {
            String controller = "rs" + draft.number(2);
            pod.controller(Optional.of(
                    new ControllerRef(draft.chance(90) ? "apps/v1" : "v1", "ReplicaSet", controller, controller)));
        }
        return draft.chance(40) ? bound(pod.build(), nodeName()) : pod.build();
    }

    private PodShape shape() {
        Resources requests = draft.amounts();
        List<HostPort> ports = draft.chance(15) ? List.of(port()) : List.of();
        return PodShape.builder()
                .requests(requests)
                .scoringRequests(requests.plus(Resources.of(ResourceName.CPU, 100)))
                .hostPorts(ports)
                .build();
    }

    private HostPort port() {
        return new HostPort("TCP", HostPort.ANY_ADDRESS, 80 + draft.number(3));
    }

    private Pod changed(Pod pod) {
        Pod.Builder changed = pod.toBuilder();
        return switch (random.nextInt(10)) {
            case 8, 9 -> rerecorded(pod);
            case 0, 1, 2 ->
                pod.nodeName().isPresent()
                        ? changed.phase(Phase.RUNNING).build()
                        : bound(pod, draft.chance(70) ? expectedNode(pod) : nodeName());
            case 3 -> changed.terminating(true).build();
            case 4 ->
                changed.phase(draft.chance(50) ? Phase.SUCCEEDED : Phase.FAILED).build();
            case 5 -> changed.shape(shape()).build();
            case 6 -> changed.labels(draft.labels()).build();
            default -> draft.chance(50) ? changed.phase(Phase.RUNNING).build() : bound(pod, nodeName());
        };
    }

    /** A tenant writes any hold into the record of a pod, or removes the record. */
    private Pod rerecorded(Pod pod) {
        Labels annotations = draft.chance(60) ? Labels.of(Claim.ANNOTATION, holdId().value()) : Labels.NONE;
        return pod.toBuilder().annotations(annotations).build();
    }

    private String expectedNode(Pod pod) {
        return known.assumption(pod.uid()).map(Assumption::nodeName).orElseGet(this::nodeName);
    }

    /** Mostly with the record of the claim that was assumed, as our own bindings have it; sometimes of any other. */
    private Pod bound(Pod pod, String node) {
        Optional<HoldId> hold =
                known.assumption(pod.uid()).map(Assumption::record).flatMap(Claim::recordedIn);
        if (draft.chance(25)) {
            hold = Optional.of(holdId());
        }
        Labels annotations = hold.map(id -> pod.annotations().with(Claim.ANNOTATION, id.value()))
                .orElse(pod.annotations());
        return pod.toBuilder()
                .nodeName(Optional.of(node))
                .annotations(annotations)
                .build();
    }

    private String nodeName() {
        return known.nodes().isEmpty() || draft.chance(20)
                ? "n" + draft.number(4)
                : draft.one(known.nodes()).name();
    }

    private Step assume() {
        List<Pod> unbound =
                known.pods().stream().filter(pod -> pod.nodeName().isEmpty()).toList();
        PodUid pod = unbound.isEmpty() || draft.chance(10)
                ? podUid()
                : draft.one(unbound).uid();
        if (draft.chance(60) && !known.holds().isEmpty()) {
            Hold hold = draft.one(known.holds());
            return new Step.Assume(pod, draft.chance(90) ? hold.node() : nodeUid(), Optional.of(hold.id()));
        }
        return new Step.Assume(pod, nodeUid(), Optional.empty());
    }

    private Step hold() {
        int dice = random.nextInt(20);
        if (dice < 3) {
            return new Step.RemoveHold(holdId());
        }
        if (dice < 4) {
            return new Step.Expire(START.plusSeconds(draft.number(100)));
        }
        if (dice < 6 && !known.holds().isEmpty()) {
            return new Step.PutHold(draft.one(known.holds()));
        }
        if (draft.chance(30) && !known.holds().isEmpty()) {
            return new Step.PutHold(edited(draft.one(known.holds())));
        }
        return new Step.PutHold(draft.chance(40) ? drawingHold() : freshHold());
    }

    /**
     * A nomination or a return hold: for one pod that the other hold mostly admits, and backed by pods of the same node,
     * some of which use that other hold.
     */
    private Hold drawingHold() {
        Hold drawing = freshHold();
        if (known.holds().isEmpty()) {
            return drawing;
        }
        Hold source = draft.one(known.holds());
        List<Pod> owners = known.pods().stream().filter(source::admits).toList();
        Pod owner = owners.isEmpty() || draft.chance(20) ? born() : draft.one(owners);
        List<PodUid> there = known.pods().stream()
                .filter(pod -> known.placeOf(pod).equals(known.nodeOf(source).map(Node::name)))
                .map(Pod::uid)
                .toList();
        Set<PodUid> backers = there.isEmpty() || draft.chance(30)
                ? drawing.backers()
                : new TreeSet<>(List.of(draft.one(there), draft.one(there)));
        if (source.id().equals(drawing.id())) {
            return drawing;
        }
        return Hold.builder(drawing.id(), draft.chance(90) ? source.node() : drawing.node(), drawing.origin())
                .size(draft.chance(60) ? owner.shape().requests().with(ResourceName.PODS, 1) : drawing.size())
                .ports(owner.shape().hostPorts())
                .owners(draft.chance(50) ? drawing.owners() : List.of(itself(owner)))
                .once(draft.chance(90))
                .backers(backers)
                .deadline(drawing.deadline())
                .draw(Optional.of(
                        draft.chance(50) ? new Draw(source.id(), owner) : Draw.forSuccessorOf(owner, source.id())))
                .build();
    }

    private static Owner itself(Pod pod) {
        Owner.PodMatch match = new Owner.PodMatch(Optional.of(pod.uid().value()), Optional.empty(), Optional.empty());
        return new Owner(Optional.of(match), Optional.empty(), Optional.empty());
    }

    /** Its author edits the owners, shares what was for once, or closes it; or its object lists other users. */
    private Hold edited(Hold hold) {
        Hold.Builder edited = hold.toBuilder();
        return switch (random.nextInt(4)) {
            case 0 -> edited.owners(List.of(draft.owner())).build();
            case 1 -> edited.once(!hold.once()).build();
            case 2 ->
                edited.closed(hold.closed() ? Optional.empty() : Optional.of("made up"))
                        .build();
            default -> edited.listed(listed(hold)).build();
        };
    }

    /** Mostly the pods that claim the hold, as its door writes them; sometimes any. */
    private Set<PodUid> listed(Hold hold) {
        Set<PodUid> users = new TreeSet<>();
        known.workOut().claims(hold).stream().map(Claim::pod).forEach(users::add);
        if (draft.chance(30)) {
            users.add(podUid());
        }
        return users;
    }

    private Hold freshHold() {
        boolean byObject = draft.chance(50);
        Resources size = draft.amounts();
        Hold.Builder hold = Hold.builder(
                        holdId(),
                        nodeUid(),
                        new Origin(byObject ? Origin.Door.RESERVATION : Origin.Door.PREEMPTION, "made up"))
                .size(draft.chance(80) ? size.with(ResourceName.PODS, draft.number(3)) : size)
                .ports(draft.chance(20) ? List.of(port()) : List.of())
                .owners(draft.chance(50) ? List.of(draft.owner()) : List.of(draft.owner(), draft.owner()))
                .once(draft.chance(40))
                .backers(draft.chance(40) ? new TreeSet<>(List.of(podUid(), podUid())) : Set.of());
        if (draft.chance(40)) {
            hold.policy(new HoldPolicy.Restricted(
                    draft.chance(50)
                            ? Set.of(ResourceName.CPU)
                            : Set.of(ResourceName.CPU, ResourceName.MEMORY, ResourceName.PODS)));
        }
        if (!byObject || draft.chance(30)) {
            hold.deadline(Optional.of(START.plus(Duration.ofSeconds(draft.number(100)))));
        }
        return hold.build();
    }

    private PodUid podUid() {
        return known.pods().isEmpty() || draft.chance(10)
                ? new PodUid("p" + draft.number(8) + "." + draft.number(3))
                : draft.one(known.pods()).uid();
    }

    private HoldId holdId() {
        return new HoldId("h" + draft.number(5));
    }

    private NodeUid nodeUid() {
        return known.nodes().isEmpty() || draft.chance(15)
                ? new NodeUid("u" + (1 + draft.number(registrations + 2)))
                : draft.one(known.nodes()).uid();
    }
}
