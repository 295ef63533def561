package dev.berth.core.hold;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An owner pod using a hold. The record of a claim is an annotation of the pod, written together with its binding, so
 * that a claim follows from what the API server shows; until then it is only assumed.
 */
public record Claim(HoldId hold, PodUid pod, boolean confirmed) implements Comparable<Claim> {
    /** The annotation on a bound pod that says which hold it uses. Nobody but Berth may write it. */
    public static final String ANNOTATION = "berth.dev/hold";

    /**
     * The annotation on a bound pod that names the holds through which it came to its hold, if there were any: a nomination
     * or a return hold that drew on it. They end with the bind.
     */
    public static final String DRAWING_HOLDS = "berth.dev/drawing-holds";

    private static final String SEPARATOR = ",";

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

    /** The holds that the pod's annotation says drew on the one it uses. */
    public static List<HoldId> drawingHoldsOn(Pod pod) {
        return pod.annotations()
                .get(DRAWING_HOLDS)
                .map(value -> Stream.of(value.split(SEPARATOR))
                        .filter(id -> !id.isBlank())
                        .map(HoldId::new)
                        .toList())
                .orElse(List.of());
    }

    /** What a bind writes of the claim of a hold, to which the pod came through others. */
    public static Map<String, String> record(HoldId hold, List<HoldId> drawing) {
        return drawing.isEmpty()
                ? Map.of(ANNOTATION, hold.value())
                : Map.of(
                        ANNOTATION,
                        hold.value(),
                        DRAWING_HOLDS,
                        drawing.stream().map(HoldId::value).collect(Collectors.joining(SEPARATOR)));
    }

    /** By hold, confirmed claims first, then by pod. */
    @Override
    public int compareTo(Claim other) {
        return ORDER.compare(this, other);
    }
}
