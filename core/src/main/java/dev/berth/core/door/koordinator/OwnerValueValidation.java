package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.hold.Owner;
import dev.berth.core.text.ForeignText;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds owners that match no pod because the API server rejects the label or the UID that they require. */
final class OwnerValueValidation {
    private static final Pattern VALUE = Pattern.compile("([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?");
    private static final Pattern KEY =
            Pattern.compile("([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
    private static final Pattern UID = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    private OwnerValueValidation() {}

    static Optional<ReservationProblems.ReservationProblem> findProblem(Owner owner, String where) {
        return owner.labels()
                .flatMap(OwnerValueValidation::findProblem)
                .map(problem -> new ReservationProblems.ReservationProblem(
                        "InvalidOwnerLabel", "%s.labelSelector.%s. Correct it".formatted(where, problem)))
                .or(() -> owner.controller()
                        .flatMap(Owner.ControllerMatch::uid)
                        .flatMap(uid -> invalidUid(where + ".controller", uid, "controller")))
                .or(() -> owner.pod()
                        .flatMap(Owner.PodMatch::uid)
                        .flatMap(uid -> invalidUid(where + ".object", uid, "pod")));
    }

    private static Optional<ReservationProblems.ReservationProblem> invalidUid(String where, String uid, String what) {
        return UID.matcher(uid).matches()
                ? Optional.empty()
                : Optional.of(new ReservationProblems.ReservationProblem(
                        "InvalidOwnerUID",
                        "%s.uid (%s) matches no pod: it is not a UID of Kubernetes. Write metadata.uid of the %s, or \"\" for any"
                                .formatted(where, ForeignText.quote(uid), what)));
    }

    private static Optional<String> findProblem(LabelSelector selector) {
        Stream<String> equal =
                selector.matchLabels().toMap().entrySet().stream().flatMap(OwnerValueValidation::invalidLabel);
        Stream<String> required =
                selector.matchExpressions().stream().flatMap(OwnerValueValidation::invalidRequirement);
        return Stream.concat(equal, required).findFirst();
    }

    private static Stream<String> invalidLabel(Map.Entry<String, String> label) {
        if (!KEY.matcher(label.getKey()).matches()) {
            return Stream.of("matchLabels: key (%s) matches no pod: it is not a valid label key"
                    .formatted(ForeignText.quote(label.getKey())));
        }
        return VALUE.matcher(label.getValue()).matches()
                ? Stream.empty()
                : Stream.of("matchLabels: %s (%s) matches no pod: it is not a valid label value"
                        .formatted(label.getKey(), ForeignText.quote(label.getValue())));
    }

    /** A value that no pod can have changes nothing in a requirement that excludes labels or values. */
    private static Stream<String> invalidRequirement(Requirement requirement) {
        boolean readsKey = requirement.operator() == Requirement.Operator.IN
                || requirement.operator() == Requirement.Operator.EXISTS;
        if (readsKey && !KEY.matcher(requirement.key()).matches()) {
            return Stream.of("matchExpressions: key (%s) matches no pod: it is not a valid label key"
                    .formatted(ForeignText.quote(requirement.key())));
        }
        boolean unsatisfiable = requirement.operator() == Requirement.Operator.IN
                && requirement.values().stream()
                        .noneMatch(value -> VALUE.matcher(value).matches());
        return unsatisfiable
                ? Stream.of("matchExpressions: %s In (%s) matches no pod: none of them is a valid label value"
                        .formatted(requirement.key(), ForeignText.quote(String.join(", ", requirement.values()))))
                : Stream.empty();
    }
}
