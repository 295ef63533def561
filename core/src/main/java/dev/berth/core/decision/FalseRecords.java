package dev.berth.core.decision;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Records;
import dev.berth.core.ledger.Ledger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reports records on pods that are not believed, each once, by an event on the pod. A record on an unbound pod is false,
 * because only a binding writes one. The record on a bound pod is false where there is such a hold and the pod has no
 * claim on it. A record of a hold that is not known is not reported: holds end, and their records stay.
 */
final class FalseRecords {
    private static final Effect.Announce.Kind KIND = Effect.Announce.Kind.warning("FalseRecord", "Scheduling");

    private final Ledger ledger;
    /** The bound pods whose record names the hold and that had no claim on it when they were last looked at. */
    private final Map<HoldId, Set<PodUid>> unbelieved = new HashMap<>();
    /** The hold under which each of them is there: the author of a pod can edit its record again and again. */
    private final Map<PodUid, HoldId> named = new HashMap<>();
    /** The pods to be looked at when everything has been listed. */
    private final Set<PodUid> suspects = new TreeSet<>();

    private final Map<PodUid, String> reported = new HashMap<>();

    FalseRecords(Ledger ledger) {
        this.ledger = ledger;
    }

    void podSeen(Pod pod) {
        if (!Records.ours(pod.annotations()).isEmpty()) {
            suspects.add(pod.uid());
        } else if (named.containsKey(pod.uid())) {
            forget(pod.uid());
        }
    }

    void podGone(Pod pod) {
        suspects.remove(pod.uid());
        reported.remove(pod.uid());
        forget(pod.uid());
    }

    /** What the hold's owners and its object say may have changed. */
    void holdSeen(HoldId hold) {
        suspects.addAll(unbelieved.getOrDefault(hold, Set.of()));
    }

    /** Everything was listed: what is not believed now is false. */
    void settle(List<Effect> effects) {
        for (PodUid uid : suspects) {
            @Nullable Pod pod = ledger.pod(uid).orElse(null);
            if (pod != null && !pod.phase().terminal()) {
                check(pod).ifPresent(note -> report(pod, note, effects));
            }
        }
        suspects.clear();
    }

    private Optional<String> check(Pod pod) {
        if (pod.nodeName().isEmpty()) {
            return Records.ours(pod.annotations()).entrySet().stream()
                    .findFirst()
                    .map(entry -> "annotation %s (%s) has no effect: only the binding of a pod writes it. Remove it."
                            .formatted(entry.getKey(), entry.getValue()));
        }
        forget(pod.uid());
        Optional<HoldId> record = Claim.recordedOn(pod);
        if (record.isEmpty() || ledger.claimBy(pod.uid()).map(Claim::hold).equals(record)) {
            return Optional.empty();
        }
        HoldId hold = record.get();
        unbelieved.computeIfAbsent(hold, same -> new TreeSet<>()).add(pod.uid());
        named.put(pod.uid(), hold);
        return ledger.hold(hold)
                .map(Hold::origin)
                .map(origin -> "annotation %s (%s) has no effect: the pod has no claim on %s. Remove it."
                        .formatted(Claim.ANNOTATION, hold, origin.words()));
    }

    private void forget(PodUid pod) {
        @Nullable HoldId hold = named.remove(pod);
        if (hold != null) {
            unbelieved.computeIfPresent(hold, (same, pods) -> {
                pods.remove(pod);
                return pods.isEmpty() ? null : pods;
            });
        }
    }

    /** How many records it remembers. */
    int size() {
        return unbelieved.size() + named.size() + suspects.size() + reported.size();
    }

    private void report(Pod pod, String words, List<Effect> effects) {
        String note = MessageLimit.EVENT.cut(words);
        if (!note.equals(reported.put(pod.uid(), note))) {
            Subject subject = new Subject(
                    "v1", "Pod", pod.namespace(), pod.name(), pod.uid().value(), Subject.BERTH);
            effects.add(new Effect.Announce(subject, KIND, note));
        }
    }
}
