package dev.berth.core.reporting;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.collection.SetMultimap;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.effect.MessageLimit;
import dev.berth.core.hold.BindAnnotations;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.ReservationRecord;
import dev.berth.core.ledger.Ledger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reports records on pods that have no effect, each once, by an event on the pod. A record on an unbound pod is
 * invalid, because only a bind writes one. The record on a bound pod is invalid if the hold exists and the pod has no
 * claim on it. A record of an unknown hold is not reported: holds end, and their records stay. The same applies to the
 * record of Koordinator's scheduler on a bound pod that has no record of Berth. On an unbound pod it is no error: that
 * scheduler writes it before the bind.
 */
public final class InvalidAnnotationReporter {
    private static final Effect.RecordEvent.EventTemplate KIND =
            Effect.RecordEvent.EventTemplate.warning("InvalidAnnotation", "Scheduling");

    private final Ledger ledger;
    /** The bound pods whose record names the hold and that had no claim on it at the last check. */
    private final SetMultimap<HoldId, PodUid> podsByNamedHold = SetMultimap.sorted();
    /** By pod, the hold under which it is indexed: a user can edit the record again and again. */
    private final Map<PodUid, HoldId> namedHoldByPod = new HashMap<>();
    /** The pods to check once all objects are listed. */
    private final Set<PodUid> podsToCheck = new TreeSet<>();

    private final Map<PodUid, String> reported = new HashMap<>();

    public InvalidAnnotationReporter(Ledger ledger) {
        this.ledger = ledger;
    }

    public void onPodUpsert(Pod pod) {
        if (!BindAnnotations.berthAnnotationsIn(pod.annotations()).isEmpty()
                || ReservationRecord.holdOn(pod).isPresent()) {
            podsToCheck.add(pod.uid());
        } else if (namedHoldByPod.containsKey(pod.uid())) {
            remove(pod.uid());
        }
    }

    public void onPodDelete(Pod pod) {
        podsToCheck.remove(pod.uid());
        reported.remove(pod.uid());
        remove(pod.uid());
    }

    /** The owners or the listed users of the hold may have changed. */
    public void onHoldUpsert(HoldId hold) {
        podsToCheck.addAll(podsByNamedHold.get(hold));
    }

    /** All objects are listed: a record without effect is invalid now. */
    public void reportTo(List<Effect> effects) {
        for (PodUid uid : podsToCheck) {
            @Nullable Pod pod = ledger.pod(uid).orElse(null);
            if (pod != null && !pod.phase().isTerminal()) {
                check(pod).ifPresent(note -> report(pod, note, effects));
            }
        }
        podsToCheck.clear();
    }

    private Optional<String> check(Pod pod) {
        if (pod.nodeName().isEmpty()) {
            return BindAnnotations.berthAnnotationsIn(pod.annotations()).entrySet().stream()
                    .findFirst()
                    .map(entry -> "annotation %s (%s) has no effect: only the binding of a pod writes it. Remove it."
                            .formatted(entry.getKey(), entry.getValue()));
        }
        remove(pod.uid());
        Optional<HoldId> record = Claim.holdRecordedByAnyScheduler(pod);
        if (record.isEmpty() || ledger.claimBy(pod.uid()).map(Claim::hold).equals(record)) {
            return Optional.empty();
        }
        HoldId hold = record.get();
        podsByNamedHold.add(hold, pod.uid());
        namedHoldByPod.put(pod.uid(), hold);
        return ledger.hold(hold)
                .filter(named -> isOfBerth(pod) || !named.backers().contains(pod.uid()))
                .map(Hold::origin)
                .map(origin -> isOfBerth(pod)
                        ? "annotation %s (%s) has no effect: the pod has no claim on %s. Remove it."
                                .formatted(Claim.ANNOTATION, hold, origin.displayName())
                        : ("annotation %s has no effect: the pod has no claim on %s, because its owners do not match the pod"
                                        + " or another pod used it up. The pod counts as a pod without a Reservation.")
                                .formatted(ReservationRecord.ANNOTATION, origin.displayName()));
    }

    private static boolean isOfBerth(Pod pod) {
        return Claim.holdRecordedOn(pod).isPresent();
    }

    private void remove(PodUid pod) {
        @Nullable HoldId hold = namedHoldByPod.remove(pod);
        if (hold != null) {
            podsByNamedHold.remove(hold, pod);
        }
    }

    /** The number of remembered records. */
    int size() {
        return podsByNamedHold.keyCount() + namedHoldByPod.size() + podsToCheck.size() + reported.size();
    }

    private void report(Pod pod, String message, List<Effect> effects) {
        String note = MessageLimit.EVENT.truncate(message);
        if (!note.equals(reported.put(pod.uid(), note))) {
            effects.add(new Effect.RecordEvent(EventTarget.ofPod(pod), KIND, note));
        }
    }
}
