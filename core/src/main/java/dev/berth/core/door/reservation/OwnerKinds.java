package dev.berth.core.door.reservation;

import dev.berth.core.hold.Owner;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds owners that match no pod because objects of their kind control no pods: other objects between them do. */
final class OwnerKinds {
    /** The kinds of Kubernetes' own that pods belong to but that do not control them, with those that do. */
    private static final Map<String, Between> INDIRECT =
            Map.of("Deployment", new Between("apps/", "ReplicaSet"), "CronJob", new Between("batch/", "Job"));

    private record Between(String group, String kind) {}

    private OwnerKinds() {}

    static Optional<Reports.Report> problem(Optional<Terms> terms) {
        List<Owner> owners = terms.map(Terms::owners).orElse(List.of());
        for (int i = 0; i < owners.size(); i++) {
            Optional<String> problem = problem(owners.get(i), i);
            if (problem.isPresent()) {
                return Optional.of(new Reports.Report("OwnerControlsNoPods", problem.get()));
            }
        }
        return Optional.empty();
    }

    private static Optional<String> problem(Owner owner, int index) {
        return owner.controller()
                .flatMap(match -> match.kind()
                        .flatMap(kind -> Optional.ofNullable(INDIRECT.get(kind))
                                .filter(between -> match.apiVersion()
                                        .filter(version -> !version.startsWith(between.group()))
                                        .isEmpty())
                                .map(between ->
                                        "spec.owners[%d].controller.kind (%s) matches no pod: the controller of such a pod is a %s. Name the %3$s, or use labelSelector with the labels of the pods"
                                                .formatted(index, kind, between.kind()))));
    }
}
