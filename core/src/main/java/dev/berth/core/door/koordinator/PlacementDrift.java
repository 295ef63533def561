package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.PodSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Finds fields of a template that would lead to a different placement now. A placed reservation does not move.
 *
 * <p>Whether the node has the required name and matches the node selector and the required node affinity follows from
 * the present objects. The status does not contain the other fields. So only a process that read the template before
 * the edit knows that they changed.
 */
final class PlacementDrift {
    private static final String SPEC = "spec.template.spec.";

    private PlacementDrift() {}

    static Optional<ReservationProblems.ReservationProblem> findProblem(ReservationState reservationState, Node node) {
        List<String> problems = reservationState
                .observed
                .template()
                .map(template -> findDifferences(
                        template, reservationState.placedTemplate().orElse(template), node))
                .orElse(List.of());
        return problems.isEmpty()
                ? Optional.empty()
                : Optional.of(new ReservationProblems.ReservationProblem(
                        "TemplateEdited",
                        "the Reservation keeps its place on node %s, but %s. Delete it and create it again to move it"
                                .formatted(node.name(), joinWithAnd(problems))));
    }

    private static List<String> findDifferences(
            ReservationSpec.Template now, ReservationSpec.Template before, Node node) {
        List<String> problems = new ArrayList<>();
        now.nodeName()
                .filter(required -> !required.equals(node.name()))
                .ifPresent(required -> problems.add(SPEC + "nodeName is now " + required));
        NodeAffinity affinity = now.spec().nodeAffinity();
        if (!node.labels().containsAll(affinity.selector())) {
            problems.add(SPEC + "nodeSelector (%s) does not match that node".formatted(format(affinity.selector())));
        }
        if (!new NodeAffinity(Labels.NONE, affinity.required(), List.of()).matches(node)) {
            problems.add(SPEC + "affinity.nodeAffinity does not match that node");
        }
        List<String> changed = changedFields(now, before);
        if (!changed.isEmpty()) {
            problems.add(joinWithAnd(changed) + " changed since it was placed");
        }
        return problems;
    }

    /** Without the requirements on the node: an edit of those is no problem if the node meets them. */
    private static List<String> changedFields(
            ReservationSpec.Template nowTemplate, ReservationSpec.Template beforeTemplate) {
        PodSpec now = nowTemplate.spec();
        PodSpec before = beforeTemplate.spec();
        List<String> changed = new ArrayList<>();
        if (!now.nodeAffinity().preferred().equals(before.nodeAffinity().preferred())
                || !now.podAffinity().equals(before.podAffinity())) {
            changed.add(SPEC + "affinity");
        }
        if (!now.tolerations().equals(before.tolerations())) {
            changed.add(SPEC + "tolerations");
        }
        if (!now.topologySpreadConstraints().equals(before.topologySpreadConstraints())) {
            changed.add(SPEC + "topologySpreadConstraints");
        }
        if (!nowTemplate.volumes().equals(beforeTemplate.volumes())) {
            changed.add(SPEC + "volumes");
        }
        return changed;
    }

    private static String format(Labels labels) {
        return labels.toMap().entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .sorted()
                .collect(Collectors.joining(","));
    }

    private static String joinWithAnd(List<String> parts) {
        int last = parts.size() - 1;
        return last < 1 ? parts.get(0) : String.join(", ", parts.subList(0, last)) + " and " + parts.get(last);
    }
}
