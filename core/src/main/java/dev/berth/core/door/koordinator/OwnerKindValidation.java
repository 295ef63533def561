package dev.berth.core.door.koordinator;

import dev.berth.core.hold.Owner;
import dev.berth.core.text.ForeignText;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Finds owners that match no pod, most of them because of their kind. Only the kinds of Kubernetes itself are known: a
 * kind of another group may control pods.
 */
final class OwnerKindValidation {
    private static final String OR_LABELS = "or use labelSelector with the labels of the pods";

    /** The kinds that control pods, with the apiVersion that their pods or their ReplicaSets name. */
    private static final Map<String, String> API_VERSION_BY_CONTROLLER_KIND = Map.of(
            "Deployment", "apps/v1",
            "ReplicaSet", "apps/v1",
            "StatefulSet", "apps/v1",
            "DaemonSet", "apps/v1",
            "Job", "batch/v1",
            "ReplicationController", "v1",
            "Pod", "v1",
            "Node", "v1");

    /** The kinds that own pods only indirectly, with the kinds that control those pods. */
    private static final Map<String, String> CONTROLLER_BY_INDIRECT_KIND = Map.of("CronJob", "Job");

    /** The groups whose kinds are all known. */
    private static final List<String> CONTROLLER_GROUPS = List.of("apps/", "batch/");

    private OwnerKindValidation() {}

    static Optional<ReservationProblems.ReservationProblem> findProblem(Optional<ReservationSpec> reservationSpec) {
        List<Owner> owners = reservationSpec.map(ReservationSpec::owners).orElse(List.of());
        for (int i = 0; i < owners.size(); i++) {
            Optional<ReservationProblems.ReservationProblem> problem =
                    findProblem(owners.get(i), "spec.owners[%d]".formatted(i));
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }

    private static Optional<ReservationProblems.ReservationProblem> findProblem(Owner owner, String where) {
        return owner.pod()
                .flatMap(match -> objectIsNoPod(match, where))
                .or(() -> owner.controller().flatMap(match -> controlsNoPods(match, where)))
                .or(() -> owner.controller().flatMap(match -> deploymentWithoutName(match, where)))
                .or(() -> owner.controller().flatMap(match -> findUnknownKind(match, where)))
                .or(() -> OwnerValueValidation.findProblem(owner, where));
    }

    private static Optional<ReservationProblems.ReservationProblem> objectIsNoPod(Owner.PodMatch match, String where) {
        return match.kind()
                .filter(kind -> !kind.equalsIgnoreCase("Pod"))
                .map(kind -> new ReservationProblems.ReservationProblem(
                        "OwnerNotAPod",
                        "%s.object.kind (%s) matches no pod: object names a Pod. %s, %s"
                                .formatted(where, ForeignText.quote(kind), advice(kind), OR_LABELS)));
    }

    private static String advice(String kind) {
        Optional<String> controller = Optional.ofNullable(CONTROLLER_BY_INDIRECT_KIND.get(kind))
                .or(() -> API_VERSION_BY_CONTROLLER_KIND.containsKey(kind) ? Optional.of(kind) : Optional.empty());
        return controller.map("Name the %s in controller"::formatted).orElse("Name the pod");
    }

    private static Optional<ReservationProblems.ReservationProblem> controlsNoPods(
            Owner.ControllerMatch match, String where) {
        return match.kind()
                .filter(kind -> match.apiVersion()
                        .filter(OwnerKindValidation::isCustomGroup)
                        .isEmpty())
                .flatMap(kind -> Optional.ofNullable(CONTROLLER_BY_INDIRECT_KIND.get(kind))
                        .map(between -> new ReservationProblems.ReservationProblem(
                                "OwnerControlsNoPods",
                                "%s.controller.kind (%s) matches no pod: the controller of such a pod is a %s. Name the %3$s, %4$s"
                                        .formatted(where, kind, between, OR_LABELS))));
    }

    private static Optional<ReservationProblems.ReservationProblem> deploymentWithoutName(
            Owner.ControllerMatch match, String where) {
        boolean anonymous = match.name().isEmpty() && match.uid().isEmpty();
        return match.kind()
                .filter(kind -> kind.equals("Deployment") && anonymous)
                .filter(kind -> match.apiVersion()
                        .filter(OwnerKindValidation::isCustomGroup)
                        .isEmpty())
                .map(kind -> new ReservationProblems.ReservationProblem(
                        "OwnerControlsNoPods",
                        "%s.controller.kind (%s) matches no pod without a name and a uid. Name the Deployment, %s"
                                .formatted(where, kind, OR_LABELS)));
    }

    /** A kind that Kubernetes does not have, or has in a different group. */
    private static Optional<ReservationProblems.ReservationProblem> findUnknownKind(
            Owner.ControllerMatch match, String where) {
        String kind = match.kind().orElse("");
        if (kind.isEmpty()
                || match.apiVersion().filter(OwnerKindValidation::isCustomGroup).isPresent()) {
            return Optional.empty();
        }
        Optional<String> right = Optional.ofNullable(API_VERSION_BY_CONTROLLER_KIND.get(kind));
        Optional<String> message = right.isPresent()
                ? match.apiVersion()
                        .filter(version -> !right.get().equals(version))
                        .map(version -> wrongApiVersionMessage(where, version, kind, right.get()))
                : match.apiVersion()
                        .filter(version -> findSimilarKind(kind).isPresent() || isControllerGroup(version))
                        .map(version -> unknownKindMessage(where, kind, version, findSimilarKind(kind)))
                        .or(() -> findSimilarKind(kind)
                                .map(knownKind ->
                                        unknownKindMessage(where, kind, "Kubernetes", Optional.of(knownKind))));
        return message.map(text -> new ReservationProblems.ReservationProblem("UnknownOwnerKind", text));
    }

    /** Custom resources have a dot in their group. So have the groups of Kubernetes whose kinds control no pods. */
    private static boolean isCustomGroup(String apiVersion) {
        return apiVersion.contains(".");
    }

    private static boolean isControllerGroup(String apiVersion) {
        return CONTROLLER_GROUPS.stream().anyMatch(apiVersion::startsWith);
    }

    private static String wrongApiVersionMessage(String where, String version, String kind, String right) {
        return "%s.controller.apiVersion (%s) matches no pod: the apiVersion of a %s is %s. Write %4$s"
                .formatted(where, ForeignText.quote(version), kind, right);
    }

    private static String unknownKindMessage(String where, String kind, String group, Optional<String> similar) {
        return "%s.controller.kind (%s) matches no pod: %s has no kind of this name that controls pods. %s"
                .formatted(
                        where,
                        ForeignText.quote(kind),
                        ForeignText.quote(group),
                        similar.map("Did you mean %s?"::formatted)
                                .orElse("Name the object that controls the pods, " + OR_LABELS));
    }

    /** The known kind that is most similar to this one. */
    private static Optional<String> findSimilarKind(String kind) {
        return API_VERSION_BY_CONTROLLER_KIND.keySet().stream()
                .filter(knownKind -> kind.length() > 2 && isMisspelt(knownKind, kind))
                .sorted()
                .findFirst();
    }

    /** Whether the kinds differ by case, or by one letter in the middle, at the start or at the end. */
    private static boolean isMisspelt(String right, String written) {
        String one = right.toLowerCase(Locale.ROOT);
        String other = written.toLowerCase(Locale.ROOT);
        int common = Math.min(one.length(), other.length());
        int start = 0;
        while (start < common && one.charAt(start) == other.charAt(start)) {
            start++;
        }
        int end = 0;
        while (end < common - start && one.charAt(one.length() - 1 - end) == other.charAt(other.length() - 1 - end)) {
            end++;
        }
        return Math.max(one.length(), other.length()) - start - end <= 1;
    }
}
