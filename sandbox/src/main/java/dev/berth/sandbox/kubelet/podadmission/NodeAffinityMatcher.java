package dev.berth.sandbox.kubelet.podadmission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.Labels;
import dev.berth.sandbox.unstructured.LabelSelectorReader;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.util.List;
import java.util.Map;

/** Whether a node matches the node selector and the required node affinity of a pod. */
final class NodeAffinityMatcher {
    private NodeAffinityMatcher() {}

    static boolean matches(ObjectNode pod, ObjectNode node) {
        Map<String, String> labels = ObjectMetaReader.labels(node);
        boolean selected = labels.entrySet()
                .containsAll(NestedFields.map(pod, "spec", "nodeSelector").entrySet());
        JsonNode required = NestedFields.at(
                pod, "spec", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution");
        return selected && (!required.isObject() || matchesAnyTerm(required, node));
    }

    private static boolean matchesAnyTerm(JsonNode required, ObjectNode node) {
        return NestedFields.objects(required, "nodeSelectorTerms").stream().anyMatch(term -> matchesTerm(term, node));
    }

    /** A term without any expression matches nothing. */
    private static boolean matchesTerm(ObjectNode term, ObjectNode node) {
        List<ObjectNode> expressions = NestedFields.objects(term, "matchExpressions");
        List<ObjectNode> fields = NestedFields.objects(term, "matchFields");
        Labels labels = Labels.of(ObjectMetaReader.labels(node));
        Labels name = Labels.of("metadata.name", ObjectMetaReader.name(node));
        return !(expressions.isEmpty() && fields.isEmpty())
                && expressions.stream()
                        .allMatch(each ->
                                LabelSelectorReader.readNodeRequirement(each).matches(labels))
                && fields.stream()
                        .allMatch(each ->
                                LabelSelectorReader.readNodeRequirement(each).matches(name));
    }
}
