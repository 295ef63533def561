package dev.berth.core.door.koordinator;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Parts of a reservation that its author probably meant otherwise, although the reservation is valid and Berth serves it.
 *
 * @param unknownFields fields of the template that Kubernetes does not have, and that have no effect
 * @param others in the order of the message
 */
public record FieldWarnings(UnknownFields unknownFields, List<FieldWarning> others) {
    private static final String UNKNOWN_FIELDS = "UnknownFields";
    public static final FieldWarnings NONE = new FieldWarnings(UnknownFields.NONE, List.of());

    public FieldWarnings {
        others = List.copyOf(others);
    }

    /**
     * One warning.
     *
     * @param reason one word in CamelCase, as in a condition
     */
    public record FieldWarning(String reason, String message) {
        /** A key of an annotation that has no effect. */
        public static FieldWarning ofUnknownKeys(String message) {
            return new FieldWarning(UNKNOWN_FIELDS, message);
        }
    }

    /** One problem with the reason of the first warning and all messages. */
    Optional<ReservationProblems.ReservationProblem> problem() {
        List<FieldWarning> all = Stream.concat(
                        unknownFields.isEmpty()
                                ? Stream.empty()
                                : Stream.of(new FieldWarning(UNKNOWN_FIELDS, unknownFields.message())),
                        others.stream())
                .toList();
        return all.isEmpty()
                ? Optional.empty()
                : Optional.of(new ReservationProblems.ReservationProblem(
                        all.get(0).reason(),
                        all.stream().map(FieldWarning::message).collect(Collectors.joining(". "))));
    }
}
