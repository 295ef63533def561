package dev.berth.core.door.godel;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.Assumption;
import dev.berth.core.ledger.HoldState;
import java.util.Optional;

/**
 * The draws of return holds. The capacity of a pod that uses a hold returns to that hold when the pod is deleted. This
 * is so also if the hold is used up and its object does not show that yet. A return hold may draw on that hold if the
 * hold admits the successor, but must not take capacity outside of it.
 */
final class ReturnHoldDraws {
    private ReturnHoldDraws() {}

    /** The draw of the return hold; empty if the capacity of the pod returns to no hold. */
    static Optional<Draw> findDraw(Pod pod, Node node, DoorHandle handle) {
        return Claim.holdRecordedOn(withUsedHoldRecorded(pod, handle))
                .flatMap(handle.ledger()::holdState)
                .filter(state -> state.hold().node().equals(node.uid()))
                .filter(state -> handle.ledger().pod(pod.uid()).isEmpty()
                        || claims(state, pod)
                        || pod.phase().isTerminal())
                .map(state -> Draw.forSuccessorOf(pod, state.hold().id()));
    }

    /** The pod with a record of the hold that the ledger says it uses. A user can edit or remove the record. */
    static Pod withUsedHoldRecorded(Pod pod, DoorHandle handle) {
        return handle.ledger()
                .claimBy(pod.uid())
                .map(Claim::hold)
                .or(() -> handle.ledger()
                        .confirmedAssumption(pod.uid())
                        .map(Assumption::bindAnnotations)
                        .flatMap(Claim::holdRecordedIn))
                .map(holdId -> withHoldRecorded(pod, holdId))
                .orElse(pod);
    }

    /** A pod that finished while Berth was down, with a record of the hold whose object still lists it. */
    static Pod withListingHoldRecorded(Pod pod, DoorHandle handle) {
        return pod.nodeName().flatMap(handle.ledger()::node).stream()
                .flatMap(node -> node.holds().stream())
                .filter(id -> handle.ledger()
                        .hold(id)
                        .filter(hold -> hold.listedUsers().contains(pod.uid()))
                        .isPresent())
                .findFirst()
                .map(holdId -> withHoldRecorded(pod, holdId))
                .orElse(pod);
    }

    /** The pod as if its record named the hold: the claim that the ledger accepted may differ from the record. */
    static Pod withHoldRecorded(Pod pod, HoldId holdId) {
        return Claim.holdRecordedOn(pod).equals(Optional.of(holdId)) ? pod : withRecord(pod, holdId.value());
    }

    /** The pod as if its record named the hold, or as if it had no record. */
    static Pod withOnlyRecord(Pod pod, Optional<HoldId> holdId) {
        if (holdId.isPresent()) {
            return withHoldRecorded(pod, holdId.get());
        }
        return Claim.holdRecordedOn(pod).isPresent() ? withRecord(pod, "") : pod;
    }

    private static Pod withRecord(Pod pod, String holdId) {
        return pod.toBuilder()
                .annotations(pod.annotations().with(Claim.ANNOTATION, holdId))
                .build();
    }

    private static boolean claims(HoldState state, Pod pod) {
        return state.claims().stream().anyMatch(claim -> claim.pod().equals(pod.uid()));
    }

    /** Why a pod that uses a hold gets no Reservation; empty if it gets one. */
    static Optional<String> refusalReason(Pod pod, DoorHandle handle) {
        return pod.nodeName()
                .flatMap(handle.ledger()::node)
                .flatMap(state -> findDraw(pod, state.node(), handle))
                .filter(draw -> isSuccessorNotAdmitted(draw, handle))
                .map(draw -> "the capacity returns to %s, which does not admit the pod's successor"
                        .formatted(displayName(draw.source(), handle)));
    }

    /** A hold that is closed may open again, or is about to end. */
    private static boolean isSuccessorNotAdmitted(Draw draw, DoorHandle handle) {
        return handle.ledger()
                .hold(draw.source())
                .filter(hold -> hold.matchesOwner(draw.owner()))
                .isEmpty();
    }

    static String brokenDrawMessage(String node, Optional<Draw> draw, DoorHandle handle) {
        return "%s reclaimed its capacity on node %s"
                .formatted(
                        draw.map(drawn -> displayName(drawn.source(), handle)).orElse("another hold"), node);
    }

    /** The name of the hold for users; its id if it does not exist. */
    static String displayName(HoldId id, DoorHandle handle) {
        return handle.ledger()
                .hold(id)
                .map(Hold::origin)
                .map(origin -> origin.displayName())
                .orElse(id.value());
    }
}
