package dev.berth.core.reference;

import dev.berth.core.cluster.LabelSelector;
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
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes up what happens on one node with many holds that backers and draws link to each other. There are several groups of
 * linked holds at a time, which join and come apart as holds, backers, claims and draws change.
 */
final class LinkedHoldsStepGenerator {
    private static final String NODE = "n0";
    private static final NodeUid NODE_UID = new NodeUid("u0");
    private static final int PODS = 10;
    private static final int SOURCES = 3;
    /** Of each kind, before and after the sources in the order of ids. */
    private static final int LINKED = 6;

    private static final long HUGE = Long.MAX_VALUE / 2 + 1;

    private final Random random;
    private final RandomValues randomValues;
    private final ReferenceLedger known;

    LinkedHoldsStepGenerator(long seed, ReferenceLedger known) {
        this.random = new Random(seed);
        this.randomValues = new RandomValues(random);
        this.known = known;
    }

    Step next() {
        if (known.nodes().isEmpty()) {
            return new Step.PutNode(node());
        }
        int dice = random.nextInt(100);
        if (dice < 2) {
            return dice == 0 ? new Step.RemoveNode(NODE_UID) : new Step.PutNode(node());
        }
        if (dice < 32) {
            return pod();
        }
        if (dice < 42) {
            return source();
        }
        if (dice < 94) {
            return linked();
        }
        return dice < 97 ? new Step.TakeSnapshot() : new Step.Rebuild(random.nextLong());
    }

    private Node node() {
        Resources allocatable = Resources.of(Map.of(
                ResourceName.CPU,
                randomValues.chance(70) ? 100_000L : 4_000L,
                ResourceName.MEMORY,
                100 * 1024L,
                ResourceName.PODS,
                110L));
        return new Node(NODE_UID, NODE, Labels.NONE, Labels.NONE, allocatable, false, List.of(), List.of());
    }

    private Step pod() {
        PodUid uid = podUid();
        Optional<Pod> there = known.pod(uid);
        if (there.isPresent() && randomValues.chance(30)) {
            return new Step.RemovePod(uid);
        }
        Pod.Builder pod = there.map(Pod::toBuilder)
                .orElseGet(() -> Pod.builder(uid, "default", uid.value()).labels(labels()));
        if (there.isEmpty() || randomValues.chance(30)) {
            pod.spec(PodSpec.builder().requests(amounts(false)).build());
        }
        if (there.isEmpty() || randomValues.chance(50)) {
            pod.annotations(randomValues.chance(60) ? Labels.of(Claim.ANNOTATION, anyId().value()) : Labels.NONE);
        }
        if (there.isPresent() && randomValues.chance(15)) {
            pod.phase(PodPhase.SUCCEEDED);
        }
        return new Step.PutPod(pod.nodeName(Optional.of(NODE)).build());
    }

    private Step source() {
        HoldId id = sourceId();
        Optional<Hold> there = known.hold(id);
        if (there.isPresent() && randomValues.chance(20)) {
            return new Step.RemoveHold(id);
        }
        if (there.isPresent() && randomValues.chance(50)) {
            return new Step.PutHold(there.get().toBuilder()
                    .listedUsers(pods())
                    .allocateOnce(there.get().allocateOnce())
                    .build());
        }
        Hold.Builder hold = builder(id)
                .size(amounts(true).with(ResourceName.PODS, randomValues.number(8)))
                .owners(List.of(app()))
                .allocateOnce(randomValues.chance(25))
                .listedUsers(randomValues.chance(30) ? pods() : Set.of())
                .backers(randomValues.chance(15) ? pods() : Set.of());
        hold.policy(randomValues.policy());
        return new Step.PutHold(hold.build());
    }

    private Step linked() {
        HoldId id = linkedId();
        Optional<Hold> there = known.hold(id);
        if (there.isPresent() && randomValues.chance(25)) {
            return new Step.RemoveHold(id);
        }
        if (there.isPresent() && randomValues.chance(60)) {
            return new Step.PutHold(edited(there.get()));
        }
        return new Step.PutHold(linkedBuilder(id)
                .size(amounts(true).with(ResourceName.PODS, randomValues.number(2)))
                .owners(List.of(app()))
                .allocateOnce(randomValues.chance(80))
                .backers(randomValues.chance(60) ? pods() : Set.of())
                .draw(randomValues.chance(60) ? draw(id) : Optional.empty())
                .build());
    }

    /** One of the things that link it to others, or that it wants of them, changes. */
    private Hold edited(Hold hold) {
        Hold.Builder edited = hold.toBuilder();
        return switch (random.nextInt(5)) {
            case 0 ->
                edited.backers(randomValues.chance(70) ? pods() : Set.of()).build();
            case 1 ->
                edited.draw(randomValues.chance(70) ? draw(hold.id()) : Optional.empty())
                        .build();
            case 2 -> edited.size(amounts(true)).build();
            case 3 -> edited.allocateOnce(!hold.allocateOnce()).build();
            default -> edited.listedUsers(pods()).build();
        };
    }

    private Optional<Draw> draw(HoldId by) {
        HoldId on = randomValues.chance(80) ? sourceId() : mutualId(by);
        Pod owner = Pod.builder(new PodUid("owner"), "default", "owner")
                .labels(labels())
                .build();
        return on.equals(by) ? Optional.empty() : Optional.of(new Draw(on, owner));
    }

    /** A hold that draws on this one, or that would, if there is one: the authors of holds can name any hold. */
    private HoldId mutualId(HoldId by) {
        List<HoldId> drawers = known.holds().stream()
                .filter(hold ->
                        hold.draw().filter(draw -> draw.source().equals(by)).isPresent())
                .map(Hold::id)
                .toList();
        return drawers.isEmpty() ? linkedId() : randomValues.oneOf(drawers);
    }

    /** Every second one is a nomination. */
    private static Hold.Builder linkedBuilder(HoldId id) {
        return id.hashCode() % 2 == 0
                ? builder(id)
                : Hold.builder(id, NODE_UID, new Origin(Origin.PluginId.PREEMPTION, "made up"))
                        .deadline(Optional.of(Instant.MAX));
    }

    private static Hold.Builder builder(HoldId id) {
        return Hold.builder(id, NODE_UID, new Origin(Origin.DoorId.KOORDINATOR, "made up"))
                .neighbour(Optional.of(Pod.builder(new PodUid("neighbour"), "default", "neighbour")
                        .build()));
    }

    private Resources amounts(boolean ofHold) {
        Resources amounts = Resources.of(ResourceName.CPU, random.nextInt(5) * 500L);
        if (randomValues.chance(60)) {
            long memory = ofHold && randomValues.chance(5) ? HUGE : random.nextInt(5) * 1024L;
            amounts = amounts.with(ResourceName.MEMORY, memory);
        }
        return amounts;
    }

    private Labels labels() {
        return Labels.of("app", randomValues.chance(85) ? "web" : "other");
    }

    private Owner app() {
        LabelSelector selector = LabelSelector.of(Labels.of("app", randomValues.chance(85) ? "web" : "other"));
        return Owner.ofLabels(selector);
    }

    private Set<PodUid> pods() {
        return new TreeSet<>(randomValues.chance(60) ? List.of(podUid()) : List.of(podUid(), podUid()));
    }

    private PodUid podUid() {
        return new PodUid("p" + randomValues.number(PODS));
    }

    private HoldId anyId() {
        return randomValues.chance(60) ? sourceId() : linkedId();
    }

    private HoldId sourceId() {
        return new HoldId("m" + randomValues.number(SOURCES));
    }

    private HoldId linkedId() {
        return new HoldId((randomValues.chance(50) ? "a" : "z") + randomValues.number(LINKED));
    }
}
