package dev.berth.testkit.planted;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Phase;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Outcome;
import dev.berth.core.door.reservation.Reservation;
import dev.berth.core.hold.Claim;
import dev.berth.core.ledger.Assumption;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.table.NodeTable;
import java.lang.reflect.Method;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The defects, and what stands in for the replaced methods. */
public final class PlantedDefects {
    private static final AtomicInteger CALLS = new AtomicInteger();
    private static final AtomicReference<@Nullable Throwable> BROKEN = new AtomicReference<>();

    private static final String CORE = "dev.berth.core.";
    private static final String KUBERNETES = "dev.berth.kubernetes.";

    public static final List<Defect> ALL = List.of(
            new Defect(
                    "1a",
                    "A nomination keeps the pod's size beside the hold that the pod owns, and does not draw on it.",
                    CORE + "door.preemption.Rooms",
                    "Optional draw(Nomination, Pod, Desk)",
                    call -> Optional.empty()),
            new Defect(
                    "1b",
                    "A victim's room is credited to the hold that it claims, and not to the nomination that it backs.",
                    CORE + "ledger.Credits",
                    "List inOrder(Hold, Map, PackedMap)",
                    PlantedDefects::withoutClaimants),
            new Defect(
                    "2",
                    "A return hold is kept beside the shared hold that its pod used, and does not draw on it.",
                    CORE + "door.comeback.Drawn",
                    "Optional of(Pod, Node, Desk)",
                    call -> Optional.empty()),
            new Defect(
                    "3a",
                    "A deleted pod that finished keeps its return place until its finalizers let it go.",
                    CORE + "door.comeback.Departures",
                    "void seen(Optional, Pod, Desk)",
                    call -> call.right(call.argument(0), stillRunning(call.argument(1)), call.argument(2))),
            new Defect(
                    "3b",
                    "A pod that finished takes room until its finalizers let it go.",
                    CORE + "ledger.Booking",
                    "boolean counts()",
                    call -> true),
            new Defect(
                    "4",
                    "A node is known by its name: one that was replaced while Berth was down keeps its reservations.",
                    CORE + "door.reservation.Places",
                    "Optional node(Reservation, LedgerView)",
                    PlantedDefects::nodeOfThisName),
            new Defect(
                    "6a",
                    "The record on a bound pod is believed without other evidence.",
                    CORE + "ledger.Evidence",
                    "Evidence of(Pod, Optional, Optional)",
                    call -> call.right(call.argument(0), call.argument(1), assumedAsRecorded(call.argument(0)))),
            new Defect(
                    "6b",
                    "The record of devices on a bound pod is believed without other evidence.",
                    CORE + "door.device.DeviceRecords",
                    "DeviceUse believed(Pod)",
                    call -> call.invoke("said", call.<Pod>argument(0))),
            new Defect(
                    "6c",
                    "A pod without a record frees its devices after a restart, whatever the devices' objects say.",
                    CORE + "door.device.Usage",
                    "Map listed(Pod)",
                    call -> Map.of()),
            new Defect(
                    "7a",
                    "Places of reservations whose scheduler is not served are forgotten.",
                    CORE + "door.reservation.Places",
                    "Optional hold(Entry, LedgerView, Instant)",
                    PlantedDefects::ofServedOnly),
            new Defect(
                    "7b",
                    "Each Berth leads by a Lease of its own.",
                    KUBERNETES + "election.ElectionSettings",
                    "ElectionSettings of(String, String, String, Duration)",
                    call -> call.right(
                            call.argument(0),
                            "%s-%s".formatted(call.<String>argument(1), call.<String>argument(2)),
                            call.argument(2),
                            call.argument(3))),
            new Defect(
                    "7c",
                    "The leader serves the members that were there at its start, and not those that join later.",
                    KUBERNETES + "election.Members",
                    "void tell(Moment)",
                    call -> call.<List<?>>field("told").isEmpty() ? call.right() : null),
            new Defect(
                    "7d",
                    "A leader lets a dead Berth lead.",
                    KUBERNETES + "election.Members",
                    "boolean alive(Sight)",
                    call -> true),
            new Defect(
                    "7e",
                    "Each process counts the Lease of a dead member from when that process first sees it.",
                    KUBERNETES + "election.Members",
                    "boolean over(Lease)",
                    call -> false),
            new Defect(
                    "9",
                    "One object that cannot be read breaks the watch of its kind.",
                    KUBERNETES + "watch.KindSource",
                    "Seen unreadable(Identity, String)",
                    call -> call.raise(new IllegalStateException(call.<String>argument(1)))),
            new Defect(
                    "10a",
                    "A replay of deletions that stops early passes for complete.",
                    KUBERNETES + "watch.Reflector$Replaying",
                    "void stopped(String)",
                    call -> call.invoke("go", call.<String>field("upTo"))),
            new Defect(
                    "10b",
                    "Deletions that cannot be replayed are not found by the checkpoint.",
                    CORE + "door.comeback.CheckpointedPods",
                    "void missed(CheckpointedPod, Desk)",
                    call -> null),
            new Defect(
                    "11",
                    "Deadlines are compared with the machine's clock, whatever the API server's shows.",
                    KUBERNETES + "time.ServerTime",
                    "Optional at(long)",
                    call -> Optional.empty()),
            new Defect(
                    "12a",
                    "A write that was in conflict waits for a newer version for ever.",
                    CORE + "reconcile.Item",
                    "void answered(Outcome, Instant)",
                    call -> withoutRetry(call, Outcome.Kind.CONFLICT)),
            new Defect(
                    "12b",
                    "A write that was denied is never tried again.",
                    CORE + "reconcile.Item",
                    "void answered(Outcome, Instant)",
                    call -> withoutRetry(call, Outcome.Kind.DENIED)),
            new Defect(
                    "18",
                    "A refusal kept for the next pod of the template names no hold that moved to an earlier node.",
                    CORE + "placement.RefusalTally",
                    "Optional replace(int, Optional)",
                    PlantedDefects::keepingFormerAnswers),
            new Defect(
                    "21",
                    "A reservation that is used up or expired gives its room away before its status says so.",
                    CORE + "door.reservation.Places",
                    "Optional hold(Entry, LedgerView, Instant)",
                    PlantedDefects::untilItIsOver),
            new Defect(
                    "22",
                    "A place of the Reserve API that is over gives its room away before its Hold says so.",
                    CORE + "door.reserve.Group",
                    "Optional kept(PodUid)",
                    call -> call.invoke("live", call.<PodUid>argument(0))),
            new Defect(
                    "23",
                    "A return place that is over comes back after a restart on room that was given away.",
                    CORE + "door.comeback.RoomGivenAway",
                    "boolean test(HoldId, Instant, Desk)",
                    call -> false),
            new Defect(
                    "24",
                    "A Gödel Reservation that a tenant writes keeps any size, whatever other holds keep.",
                    CORE + "decision.DoorDesk",
                    "boolean holdIfRoom(Hold, HoldId)",
                    PlantedDefects::holdWithoutRoom),
            new Defect(
                    "25",
                    "After a restart a pod has only those devices of its claim whose objects name the pod.",
                    CORE + "door.device.Usage",
                    "List completed(List, List)",
                    call -> call.argument(0)),
            new Defect(
                    "27",
                    "Holds draw on each other in any order, in a circle too.",
                    CORE + "hold.Hold",
                    "boolean comesBefore(Hold)",
                    call -> true));

    private PlantedDefects() {}

    /** Called by what {@link Planting} writes. */
    public static @Nullable Object instead(
            String id, Class<?> owner, @Nullable Object self, @Nullable Object[] arguments) throws Throwable {
        CALLS.incrementAndGet();
        Defect defect = find(id);
        Call call = new Call(owner, defect.name(), self, arguments);
        try {
            return defect.fault().instead(call);
        } catch (Throwable thrown) {
            if (!call.raised(thrown)) {
                BROKEN.compareAndSet(null, thrown);
            }
            throw thrown;
        }
    }

    public static Defect find(String id) {
        return ALL.stream().filter(defect -> defect.id().equals(id)).findFirst().orElseThrow();
    }

    /** How often faulty bodies were called. */
    public static int calls() {
        return CALLS.get();
    }

    /** What a faulty body threw by itself. */
    public static @Nullable Throwable broken() {
        return BROKEN.get();
    }

    private static Optional<Node> nodeOfThisName(Call call) {
        Reservation reservation = call.argument(0);
        LedgerView ledger = call.argument(1);
        return ledger.node(reservation.status().nodeName()).map(NodeState::node);
    }

    private static Optional<Assumption> assumedAsRecorded(Pod pod) {
        return Claim.recordedOn(pod)
                .map(hold -> new Assumption(pod.uid(), pod.nodeName().orElse(""), Optional.of(hold)));
    }

    private static Pod stillRunning(Pod pod) {
        return pod.toBuilder().phase(Phase.RUNNING).build();
    }

    private static Object withoutClaimants(Call call) throws Throwable {
        List<PodUid> backers = new ArrayList<>();
        if (call.right() instanceof List<?> all) {
            for (Object uid : all) {
                if (!Boolean.TRUE.equals(call.invoke("claimsHold", uid))) {
                    backers.add((PodUid) uid);
                }
            }
        }
        return backers;
    }

    /** The former answer of a node that still exists does not go before all new ones come. */
    private static @Nullable Object keepingFormerAnswers(Call call) throws Throwable {
        NodeTable table = call.field("table");
        boolean goes = call.<Optional<?>>argument(1).isEmpty();
        return goes && table.state(call.<Integer>argument(0)).isPresent() ? Optional.empty() : call.right();
    }

    private static @Nullable Object ofServedOnly(Call call) throws Throwable {
        Object entry = call.argument(0);
        java.lang.reflect.Field served = entry.getClass().getDeclaredField("served");
        served.setAccessible(true);
        return served.getBoolean(entry) ? call.right() : Optional.empty();
    }

    private static @Nullable Object untilItIsOver(Call call) throws Throwable {
        Object entry = call.argument(0);
        Method over = entry.getClass().getDeclaredMethod("overBy", Instant.class);
        over.setAccessible(true);
        return Optional.empty().equals(over.invoke(entry, call.<Instant>argument(2))) ? call.right() : Optional.empty();
    }

    private static Object holdWithoutRoom(Call call) throws Throwable {
        Object hold = call.argument(0);
        call.invoke("hold", hold);
        return true;
    }

    private static @Nullable Object withoutRetry(Call call, Outcome.Kind kind) throws Throwable {
        call.right();
        Outcome outcome = call.argument(0);
        boolean waits = !call.<Instant>field("until").equals(Instant.MAX);
        if (waits && outcome.kind() == kind) {
            call.set("until", Instant.MAX);
        }
        return null;
    }
}
