package dev.berth.core.door.comeback;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.decision.Desk;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.Assumption;
import dev.berth.core.ledger.HoldState;
import java.util.Optional;

/**
 * The hold that a leaving pod uses. The pod's room goes back to that hold, which keeps it also if it is used up and its
 * object does not say so yet: a return hold may be part of it, if it is for the successor, but must not be kept beside it.
 */
final class Drawn {
    private Drawn() {}

    /** What the return hold of the pod draws on; empty when the pod uses no hold that takes its room back. */
    static Optional<Draw> of(Pod pod, Node node, Desk desk) {
        return Claim.recordedOn(withUsedHold(pod, desk))
                .flatMap(desk.ledger()::holdState)
                .filter(state -> state.hold().node().equals(node.uid()))
                .filter(state -> desk.ledger().pod(pod.uid()).isEmpty()
                        || claims(state, pod)
                        || pod.phase().terminal())
                .map(state -> Draw.forSuccessorOf(pod, state.hold().id()));
    }

    /** The pod with the record of the hold that it is believed to use: its author can edit or remove the record. */
    static Pod withUsedHold(Pod pod, Desk desk) {
        return desk.ledger()
                .claimBy(pod.uid())
                .map(Claim::hold)
                .or(() -> desk.ledger()
                        .confirmed(pod.uid())
                        .map(Assumption::record)
                        .flatMap(Claim::recordedIn))
                .map(used -> recording(pod, used))
                .orElse(pod);
    }

    /** A pod that finished while no Berth ran, with the record of the hold whose object still lists it. */
    static Pod withListingHold(Pod pod, Desk desk) {
        return pod.nodeName().flatMap(desk.ledger()::node).stream()
                .flatMap(node -> node.holds().stream())
                .filter(id -> desk.ledger()
                        .hold(id)
                        .filter(hold -> hold.listed().contains(pod.uid()))
                        .isPresent())
                .findFirst()
                .map(used -> recording(pod, used))
                .orElse(pod);
    }

    private static Pod recording(Pod pod, HoldId used) {
        return Claim.recordedOn(pod).equals(Optional.of(used)) ? pod : Claim.rewrite(pod, used);
    }

    private static boolean claims(HoldState state, Pod pod) {
        return state.claims().stream().anyMatch(claim -> claim.pod().equals(pod.uid()));
    }

    /** Why a pod that uses a hold together with other pods cannot be returned to; empty where it can. */
    static Optional<String> refusal(Pod pod, Desk desk) {
        return pod.nodeName()
                .flatMap(desk.ledger()::node)
                .flatMap(state -> of(pod, state.node(), desk))
                .filter(draw -> isRefused(draw, desk))
                .map(draw -> "the room goes back to %s, which does not admit the pod's successor"
                        .formatted(name(draw.on(), desk)));
    }

    /** Whether the hold that is drawn on is not for the successor. One that is closed may open again, or is about to end. */
    private static boolean isRefused(Draw draw, Desk desk) {
        return desk.ledger()
                .hold(draw.on())
                .filter(hold -> hold.isFor(draw.owner()))
                .isEmpty();
    }

    static String broken(String node, Optional<Draw> draw, Desk desk) {
        return "%s takes its room on node %s back"
                .formatted(draw.map(drawn -> name(drawn.on(), desk)).orElse("another hold"), node);
    }

    /** What people call the hold; its id where it is gone. */
    static String name(HoldId id, Desk desk) {
        return desk.ledger()
                .hold(id)
                .map(Hold::origin)
                .map(origin -> origin.words())
                .orElse(id.value());
    }
}
