package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.nomination.SetNominatedNode;
import dev.berth.core.preemption.PreemptionWrite;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** What the API server does with the writes of preemption: victims terminate until the test deletes them. */
final class PodWriter {
    /** The pods of an API server. */
    interface Pods {
        Optional<Pod> find(Effect.PodRef ref);

        void show(Pod pod);
    }

    /** In order, such as {@code nominate high to n1}, {@code mark low}, {@code delete low}. */
    final List<String> writes = new ArrayList<>();

    /** Pods that were protected when they were deleted for a Reservation. */
    final List<String> protectedVictimsOfReservations = new ArrayList<>();

    /** Every deletion of a victim that was performed. */
    final List<PodUid> deletedVictims = new ArrayList<>();

    boolean deniesEvictions;

    private final Pods pods;

    PodWriter(Pods pods) {
        this.pods = pods;
    }

    WriteResult perform(Effect.Write write, Instant now) {
        if (write instanceof SetNominatedNode nominate) {
            String node = nominate.node();
            return change(
                    nominate.pod(),
                    "nominate %s %s".formatted(nominate.pod().name(), node.isEmpty() ? "nowhere" : "to " + node),
                    pod -> pod.nominatedNodeName(node.isEmpty() ? Optional.empty() : Optional.of(node)));
        }
        if (deniesEvictions) {
            return new WriteResult(WriteResult.ResultKind.DENIED, "forbidden");
        }
        if (write instanceof PreemptionWrite.Mark mark) {
            return change(
                    mark.victim(),
                    "mark " + mark.victim().name(),
                    pod -> pod.preempted(true).preemptedAt(Optional.of(mark.at())));
        }
        if (write instanceof PreemptionWrite.Delete delete) {
            pods.find(delete.victim())
                    .filter(pod -> !delete.preemptor().isPod()
                            && pod.labels().has("scheduling.koordinator.sh/disable-preemptible", "true"))
                    .ifPresent(pod -> protectedVictimsOfReservations.add(pod.name()));
            pods.find(delete.victim()).ifPresent(pod -> deletedVictims.add(pod.uid()));
            return change(
                    delete.victim(),
                    "delete " + delete.victim().name(),
                    pod -> pod.terminating(true).deletionRequestedAt(Optional.of(now)));
        }
        throw new IllegalStateException("unknown write (%s)".formatted(write));
    }

    private WriteResult change(Effect.PodRef ref, String words, UnaryOperator<Pod.Builder> how) {
        Optional<Pod> pod = pods.find(ref);
        if (pod.isEmpty()) {
            return new WriteResult(WriteResult.ResultKind.NOT_FOUND, "no such pod");
        }
        writes.add(words);
        pods.show(how.apply(pod.get().toBuilder()).build());
        return WriteResult.WRITTEN;
    }
}
