package dev.berth.core.hold;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import java.util.Comparator;
import java.util.Optional;

/**
 * An owner pod using a hold. The record of a claim is an annotation of the pod, written together with its binding, so
 * that a claim follows from what the API server shows; until then it is only assumed.
 */
public record Claim(HoldId hold, PodUid pod, boolean confirmed) implements Comparable<Claim> {
    /** The annotation on a bound pod that says which hold it uses. Nobody but Berth may write it. */
    public static final String ANNOTATION = "berth.dev/hold";

    private static final Comparator<Claim> ORDER = Comparator.comparing(Claim::hold)
            .thenComparing(claim -> !claim.confirmed)
            .thenComparing(Claim::pod);

    /** The hold that the pod's annotation names. An annotation without a value says nothing. */
    public static Optional<HoldId> recordedOn(Pod pod) {
        return pod.annotations()
                .get(ANNOTATION)
                .filter(value -> !value.isBlank())
                .map(HoldId::new);
    }

    /** By hold, confirmed claims first, then by pod. */
    @Override
    public int compareTo(Claim other) {
        return ORDER.compare(this, other);
    }
}
