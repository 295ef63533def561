package dev.berth.kubernetes.door.koordinator;

import dev.berth.core.door.koordinator.FieldWarnings;
import dev.berth.core.door.koordinator.FieldWarnings.FieldWarning;
import dev.berth.kubernetes.json.JsonObject;
import dev.berth.kubernetes.projection.ObjectMeta;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Finds parts of a reservation that are valid and that its author probably meant otherwise. */
final class ReservationFieldWarnings {
    private ReservationFieldWarnings() {}

    static FieldWarnings find(ObjectMeta meta, JsonObject spec) {
        Stream<FieldWarning> unknownKeys = Stream.of(
                        ResizeAllocatableReader.ANNOTATION, ReservationAllocationReader.RESTRICTED_OPTIONS)
                .map(annotation -> annotation.findIgnoredKeys(meta.annotations()))
                .flatMap(Optional::stream)
                .map(FieldWarning::ofUnknownKeys);
        List<FieldWarning> others = Stream.of(
                        unknownKeys, preAllocationDisabled(spec).stream(), RequestsAboveLimits.find(spec).stream())
                .flatMap(Function.identity())
                .toList();
        return new FieldWarnings(PodTemplateFields.findUnknown(spec), others);
    }

    private static Optional<FieldWarning> preAllocationDisabled(JsonObject spec) {
        return spec.has("preAllocationPolicy") && !spec.flag(false, "preAllocation")
                ? Optional.of(
                        new FieldWarning(
                                "PreAllocationDisabled",
                                "spec.preAllocationPolicy has no effect, because spec.preAllocation is not true. Set spec.preAllocation, or remove the policy"))
                : Optional.empty();
    }
}
