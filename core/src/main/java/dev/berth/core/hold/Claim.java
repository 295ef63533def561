package dev.berth.core.hold;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The use of a hold by an owner pod. The record of a claim is an annotation of the pod, written together with the bind.
 * Until then the claim is only assumed. Tenants can write annotations, so a record is evidence and proves nothing by
 * itself.
 */
public record Claim(HoldId hold, PodUid pod, boolean confirmed) implements Comparable<Claim> {
    /** The annotation of a bound pod that names the hold that it uses. */
    public static final String ANNOTATION = "berth.dev/hold";

    /**
     * The annotation of a bound pod that names the holds through which it got its hold: nominations or return holds
     * that drew on it. They end with the bind.
     */
    public static final String DRAWING_HOLDS = "berth.dev/drawing-holds";

    private static final String SEPARATOR = ",";

    private static final Comparator<Claim> ORDER = Comparator.comparing(Claim::hold)
            .thenComparing(claim -> !claim.confirmed)
            .thenComparing(Claim::pod);

    /** The hold that the pod's annotation names. A malformed id is ignored. */
    public static Optional<HoldId> holdRecordedOn(Pod pod) {
        return holdRecordedIn(pod.annotations());
    }

    /**
     * The hold that the pod's annotation names, or else the Reservation that the annotation of Koordinator's scheduler
     * names: that scheduler binds pods without the annotation of Berth.
     */
    public static Optional<HoldId> holdRecordedByAnyScheduler(Pod pod) {
        return holdRecordedOn(pod).or(() -> ReservationRecord.holdOn(pod));
    }

    /** The hold that the annotations name. */
    public static Optional<HoldId> holdRecordedIn(Labels annotations) {
        return annotations.get(ANNOTATION).flatMap(HoldId::parse);
    }

    /** The holds that the annotations name: the used one, then those that drew on it. */
    public static Stream<HoldId> holdsRecordedIn(Labels annotations) {
        return Stream.concat(holdRecordedIn(annotations).stream(), drawingHoldsIn(annotations));
    }

    /** The holds through which the pod got its hold: each draws on the next, and the last draws on the used one. */
    public static Stream<HoldId> drawingHoldsIn(Labels annotations) {
        return annotations.get(DRAWING_HOLDS).stream()
                .flatMap(value -> Stream.of(value.split(SEPARATOR)))
                .flatMap(id -> HoldId.parse(id).stream());
    }

    /** The annotations that a bind writes for a claim, with the holds through which the pod got the hold. */
    public static Map<String, String> bindAnnotations(HoldId hold, List<HoldId> drawing) {
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
