package dev.berth.sandbox.kubelet.podadmission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
        Map<String, String> name = Map.of("metadata.name", ObjectMetaReader.name(node));
        return !(expressions.isEmpty() && fields.isEmpty())
                && expressions.stream().allMatch(each -> matchesExpression(each, ObjectMetaReader.labels(node)))
                && fields.stream().allMatch(each -> matchesExpression(each, name));
    }

    private static boolean matchesExpression(ObjectNode expression, Map<String, String> labels) {
        Optional<String> value = Optional.ofNullable(labels.get(NestedFields.text(expression, "key")));
        List<String> values = new ArrayList<>();
        expression.path("values").forEach(each -> values.add(each.asText("")));
        return switch (NestedFields.text(expression, "operator")) {
            case "In" -> value.filter(values::contains).isPresent();
            case "NotIn" -> value.filter(values::contains).isEmpty();
            case "Exists" -> value.isPresent();
            case "DoesNotExist" -> value.isEmpty();
            case "Gt" ->
                compareNumbers(value, values).filter(order -> order > 0).isPresent();
            case "Lt" ->
                compareNumbers(value, values).filter(order -> order < 0).isPresent();
            default -> false;
        };
    }

    private static Optional<Integer> compareNumbers(Optional<String> value, List<String> values) {
        try {
            return value.isEmpty() || values.size() != 1
                    ? Optional.empty()
                    : Optional.of(Long.compare(Long.parseLong(value.get()), Long.parseLong(values.get(0))));
        } catch (NumberFormatException noNumber) {
            return Optional.empty();
        }
    }
}
