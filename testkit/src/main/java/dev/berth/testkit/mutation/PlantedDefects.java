package dev.berth.testkit.mutation;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.koordinator.Reservation;
import dev.berth.core.effect.WriteResult;
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

/** The defects, and the faulty bodies of the replaced methods. */
public final class PlantedDefects {
    private static final AtomicInteger CALLS = new AtomicInteger();
    private static final AtomicReference<@Nullable Throwable> BROKEN = new AtomicReference<>();

    private static final String CORE = "dev.berth.core.";
    private static final String KUBERNETES = "dev.berth.kubernetes.";

    public static final List<Defect> ALL = List.of(
            new Defect(
                    "1a",
                    "A nomination holds the pod's requests in addition to the hold that the pod owns, and does not"
                            + " draw on that hold.",
                    CORE + "preemption.NominationHolds",
                    "Optional chooseDraw(Nomination, Pod, Handle)",
                    call -> Optional.empty()),
            new Defect(
                    "1b",
                    "The capacity of a victim is credited to the hold that the victim claims, and not to the"
                            + " nomination that it backs.",
                    CORE + "ledger.BackerCredits",
                    "List backersInCreditOrder(Hold, Map, PackedMap)",
                    PlantedDefects::withoutClaimants),
            new Defect(
                    "2",
                    "A return hold takes capacity in addition to the shared hold that its pod used, and does not draw"
                            + " on that hold.",
                    CORE + "door.godel.ReturnHoldDraws",
                    "Optional findDraw(Pod, Node, DoorHandle)",
                    call -> Optional.empty()),
            new Defect(
                    "3a",
                    "A finished pod that is deleted keeps its return hold until its finalizers are removed.",
                    CORE + "door.godel.DeletedPodController",
                    "void onPodUpsert(Optional, Pod, DoorHandle)",
                    call -> call.callOriginal(call.argument(0), stillRunning(call.argument(1)), call.argument(2))),
            new Defect(
                    "3b",
                    "A finished pod uses capacity until its finalizers are removed.",
                    CORE + "ledger.NodeAssignment",
                    "boolean isActive()",
                    call -> true),
            new Defect(
                    "4",
                    "A node is identified by its name. So a node that was replaced while Berth was down keeps its"
                            + " reservations.",
                    CORE + "door.koordinator.ReservationHoldFactory",
                    "Optional findNode(Reservation, LedgerView)",
                    PlantedDefects::nodeOfThisName),
            new Defect(
                    "6a",
                    "Berth trusts the record on a bound pod without other evidence.",
                    CORE + "ledger.ClaimEvidence",
                    "ClaimEvidence of(Pod, Optional, Optional)",
                    call -> call.callOriginal(call.argument(0), call.argument(1), assumedAsRecorded(call.argument(0)))),
            new Defect(
                    "6b",
                    "Berth trusts the record of devices on a bound pod without other evidence.",
                    CORE + "door.devices.DeviceRecords",
                    "DeviceUse trustedUse(Pod)",
                    call -> call.invoke("recordedUse", call.<Pod>argument(0))),
            new Defect(
                    "6c",
                    "A pod without a record releases its devices after a restart, even if the objects of the devices"
                            + " name the pod.",
                    CORE + "door.devices.DeviceUsage",
                    "Map findBoundDevices(Pod)",
                    call -> Map.of()),
            new Defect(
                    "7a",
                    "Reservations whose scheduler name is not served lose their holds.",
                    CORE + "door.koordinator.ReservationHoldFactory",
                    "Optional createHold(ReservationState, IgnoredResources, LedgerView, Instant)",
                    PlantedDefects::ofServedOnly),
            new Defect(
                    "7b",
                    "Each Berth uses a Lease of its own for leader election.",
                    KUBERNETES + "leaderelection.LeaderElectionSettings",
                    "LeaderElectionSettings of(String, String, String, Duration)",
                    call -> call.callOriginal(
                            call.argument(0),
                            "%s-%s".formatted(call.<String>argument(1), call.<String>argument(2)),
                            call.argument(2),
                            call.argument(3))),
            new Defect(
                    "7c",
                    "The leader serves the members that were registered at its start, and not the members that join"
                            + " later.",
                    KUBERNETES + "leaderelection.MemberRegistry",
                    "void notifyListener(ClockReading)",
                    call -> call.<List<?>>field("notifiedMembers").isEmpty() ? call.callOriginal() : null),
            new Defect(
                    "7d",
                    "A leader yields the Lease to a Berth that does not run.",
                    KUBERNETES + "leaderelection.MemberRegistry",
                    "boolean isAlive(ObservedLease)",
                    call -> true),
            new Defect(
                    "7e",
                    "Each process measures the Lease of a dead member from the time at which that process first reads"
                            + " it.",
                    KUBERNETES + "leaderelection.MemberRegistry",
                    "boolean isExpiredByServerClock(Lease)",
                    call -> false),
            new Defect(
                    "9",
                    "One object that cannot be read breaks the watch of its kind.",
                    KUBERNETES + "watch.ApiListerWatcher",
                    "ReadResult unreadable(ObjectReference, String)",
                    call -> call.throwAsProduct(new IllegalStateException(call.<String>argument(1)))),
            new Defect(
                    "10a",
                    "A replay of deletions that stops early counts as complete.",
                    KUBERNETES + "watch.Reflector$ReplayAttempt",
                    "void onStall(String)",
                    call -> call.invoke("advanceTo", call.<String>field("untilVersion"))),
            new Defect(
                    "10b",
                    "Deletions that cannot be replayed are not found by the checkpoint.",
                    CORE + "door.godel.CheckpointReconciler",
                    "void onMissedDeletion(CheckpointedPod, DoorHandle)",
                    call -> null),
            new Defect(
                    "11",
                    "Deadlines are compared with the clock of the machine, not with the clock of the API server.",
                    KUBERNETES + "time.ServerTimeEstimate",
                    "Optional at(long)",
                    call -> Optional.empty()),
            new Defect(
                    "12a",
                    "After a conflict a write waits forever for a newer version.",
                    CORE + "reconcile.WriteTracker",
                    "void onResult(WriteResult, Instant)",
                    call -> withoutRetry(call, WriteResult.ResultKind.CONFLICT)),
            new Defect(
                    "12b",
                    "A denied write is never retried.",
                    CORE + "reconcile.WriteTracker",
                    "void onResult(WriteResult, Instant)",
                    call -> withoutRetry(call, WriteResult.ResultKind.DENIED)),
            new Defect(
                    "18",
                    "The cached refusal of an equivalence class does not name a hold that moved to an earlier node.",
                    CORE + "placement.IncrementalDiagnosis",
                    "Optional replace(int, Optional)",
                    PlantedDefects::keepingFormerAnswers),
            new Defect(
                    "21",
                    "The capacity of a succeeded or expired Reservation is free before its status is written.",
                    CORE + "door.koordinator.ReservationHoldFactory",
                    "Optional createHold(ReservationState, IgnoredResources, LedgerView, Instant)",
                    PlantedDefects::untilItIsOver),
            new Defect(
                    "22",
                    "The capacity of an ended place of the Reserve API is free before its StoredHold is written.",
                    CORE + "door.globalreserve.ReservedGroup",
                    "Optional findHeldPlace(PodUid)",
                    call -> call.invoke("findActivePlace", call.<PodUid>argument(0))),
            new Defect(
                    "23",
                    "After a restart an ended return hold is held again, although a different pod has its capacity.",
                    CORE + "door.godel.ReallocatedCapacityCheck",
                    "boolean isReallocated(HoldId, Instant, DoorHandle)",
                    call -> false),
            new Defect(
                    "24",
                    "A Gödel Reservation that a tenant creates holds any size, even the capacity of other holds.",
                    CORE + "scheduling.ComponentHandle",
                    "boolean putHoldIfFits(Hold, HoldId)",
                    PlantedDefects::holdWithoutRoom),
            new Defect(
                    "25",
                    "After a restart a pod has only those devices of its claim whose objects name the pod.",
                    CORE + "door.devices.DeviceUsage",
                    "List completeFromRecord(List, List)",
                    call -> call.argument(0)),
            new Defect(
                    "27",
                    "Holds draw on each other in any order, even in a circle.",
                    CORE + "hold.Hold",
                    "boolean precedesInDrawOrder(Hold)",
                    call -> true));

    private PlantedDefects() {}

    /** Called by the code of {@link DefectWeaver}. */
    public static @Nullable Object instead(
            String id, Class<?> owner, @Nullable Object self, @Nullable Object[] arguments) throws Throwable {
        CALLS.incrementAndGet();
        Defect defect = find(id);
        InterceptedCall call = new InterceptedCall(owner, defect.methodName(), self, arguments);
        try {
            return defect.faultyBody().apply(call);
        } catch (Throwable thrown) {
            if (!call.wasThrownByProduct(thrown)) {
                BROKEN.compareAndSet(null, thrown);
            }
            throw thrown;
        }
    }

    public static Defect find(String id) {
        return ALL.stream().filter(defect -> defect.id().equals(id)).findFirst().orElseThrow();
    }

    /** The number of calls of faulty bodies. */
    public static int calls() {
        return CALLS.get();
    }

    /** An exception that a faulty body threw by itself. */
    public static @Nullable Throwable broken() {
        return BROKEN.get();
    }

    private static Optional<Node> nodeOfThisName(InterceptedCall call) {
        Reservation reservation = call.argument(0);
        LedgerView ledger = call.argument(1);
        return ledger.node(reservation.status().nodeName()).map(NodeState::node);
    }

    private static Optional<Assumption> assumedAsRecorded(Pod pod) {
        return Claim.holdRecordedOn(pod)
                .map(hold -> new Assumption(pod.uid(), pod.nodeName().orElse(""), Optional.of(hold)));
    }

    private static Pod stillRunning(Pod pod) {
        return pod.toBuilder().phase(PodPhase.RUNNING).build();
    }

    private static Object withoutClaimants(InterceptedCall call) throws Throwable {
        List<PodUid> backers = new ArrayList<>();
        if (call.callOriginal() instanceof List<?> all) {
            for (Object uid : all) {
                if (!Boolean.TRUE.equals(call.invoke("claimsHold", uid))) {
                    backers.add((PodUid) uid);
                }
            }
        }
        return backers;
    }

    /** The former result of a node that still exists is not removed before all new results are added. */
    private static @Nullable Object keepingFormerAnswers(InterceptedCall call) throws Throwable {
        NodeTable table = call.field("table");
        boolean goes = call.<Optional<?>>argument(1).isEmpty();
        return goes && table.stateAt(call.<Integer>argument(0)).isPresent() ? Optional.empty() : call.callOriginal();
    }

    private static @Nullable Object ofServedOnly(InterceptedCall call) throws Throwable {
        Object entry = call.argument(0);
        java.lang.reflect.Field served = entry.getClass().getDeclaredField("served");
        served.setAccessible(true);
        return served.getBoolean(entry) ? call.callOriginal() : Optional.empty();
    }

    private static @Nullable Object untilItIsOver(InterceptedCall call) throws Throwable {
        Object entry = call.argument(0);
        Method over = entry.getClass().getDeclaredMethod("endReason", Instant.class);
        over.setAccessible(true);
        return Optional.empty().equals(over.invoke(entry, call.<Instant>argument(3)))
                ? call.callOriginal()
                : Optional.empty();
    }

    private static Object holdWithoutRoom(InterceptedCall call) throws Throwable {
        Object hold = call.argument(0);
        call.invoke("putHold", hold);
        return true;
    }

    private static @Nullable Object withoutRetry(InterceptedCall call, WriteResult.ResultKind kind) throws Throwable {
        call.callOriginal();
        WriteResult writeResult = call.argument(0);
        boolean waits = !call.<Instant>field("waitUntil").equals(Instant.MAX);
        if (waits && writeResult.kind() == kind) {
            call.set("waitUntil", Instant.MAX);
        }
        return null;
    }
}
