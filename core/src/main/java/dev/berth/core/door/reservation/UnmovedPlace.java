package dev.berth.core.door.reservation;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.PodShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Finds what a template says now that would have led to another place: a place that there is does not move.
 *
 * <p>Whether the node is the named one, and matches the selector and the required node affinity, follows from the present
 * objects. Of the rest the status keeps nothing: that it changed is known only to the process that read it before.
 */
final class UnmovedPlace {
    private static final String SPEC = "spec.template.spec.";

    private UnmovedPlace() {}

    static Optional<Reports.Report> problem(Entry entry, Node node) {
        List<String> problems = entry.seen
                .template()
                .map(template -> problems(template, entry.placedFor().orElse(template), node))
                .orElse(List.of());
        return problems.isEmpty()
                ? Optional.empty()
                : Optional.of(new Reports.Report(
                        "MoveNotSupported",
                        "the Reservation keeps its place on node %s, but %s. Delete it and create it again to move it"
                                .formatted(node.name(), joined(problems))));
    }

    private static List<String> problems(Terms.Template now, Terms.Template before, Node node) {
        List<String> problems = new ArrayList<>();
        now.nodeName()
                .filter(wanted -> !wanted.equals(node.name()))
                .ifPresent(wanted -> problems.add(SPEC + "nodeName is now " + wanted));
        NodeAffinity affinity = now.shape().affinity();
        if (!node.labels().containsAll(affinity.selector())) {
            problems.add(SPEC + "nodeSelector (%s) does not match that node".formatted(words(affinity.selector())));
        }
        if (!new NodeAffinity(Labels.NONE, affinity.required(), List.of()).allows(node)) {
            problems.add(SPEC + "affinity.nodeAffinity does not match that node");
        }
        List<String> changed = changed(now.shape(), before.shape());
        if (!changed.isEmpty()) {
            problems.add(joined(changed) + " changed since it was placed");
        }
        return problems;
    }

    /** Without what the node must have: an edit of that is no problem where the node has it. */
    private static List<String> changed(PodShape now, PodShape before) {
        List<String> changed = new ArrayList<>();
        if (!now.affinity().preferred().equals(before.affinity().preferred())
                || !now.podAffinity().equals(before.podAffinity())) {
            changed.add(SPEC + "affinity");
        }
        if (!now.tolerations().equals(before.tolerations())) {
            changed.add(SPEC + "tolerations");
        }
        if (!now.spread().equals(before.spread())) {
            changed.add(SPEC + "topologySpreadConstraints");
        }
        return changed;
    }

    private static String words(Labels labels) {
        return labels.toMap().entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .sorted()
                .collect(Collectors.joining(","));
    }

    private static String joined(List<String> parts) {
        int last = parts.size() - 1;
        return last < 1 ? parts.get(0) : String.join(", ", parts.subList(0, last)) + " and " + parts.get(last);
    }
}
