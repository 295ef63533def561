package dev.berth.embedded.kubelet.fit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether a node is one that a pod's node selector and required node affinity name. */
final class NodeTerms {
    private NodeTerms() {}

    static boolean match(ObjectNode pod, ObjectNode node) {
        Map<String, String> labels = Meta.labels(node);
        boolean selected = labels.entrySet()
                .containsAll(Json.strings(pod, "spec", "nodeSelector").entrySet());
        JsonNode required =
                Json.at(pod, "spec", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution");
        return selected && (!required.isObject() || anyTerm(required, node));
    }

    private static boolean anyTerm(JsonNode required, ObjectNode node) {
        return Json.objects(required, "nodeSelectorTerms").stream().anyMatch(term -> holds(term, node));
    }

    /** A term without any expression matches nothing. */
    private static boolean holds(ObjectNode term, ObjectNode node) {
        List<ObjectNode> expressions = Json.objects(term, "matchExpressions");
        List<ObjectNode> fields = Json.objects(term, "matchFields");
        Map<String, String> name = Map.of("metadata.name", Meta.name(node));
        return !(expressions.isEmpty() && fields.isEmpty())
                && expressions.stream().allMatch(each -> holds(each, Meta.labels(node)))
                && fields.stream().allMatch(each -> holds(each, name));
    }

    private static boolean holds(ObjectNode expression, Map<String, String> labels) {
        Optional<String> value = Optional.ofNullable(labels.get(Json.text(expression, "key")));
        List<String> values = new ArrayList<>();
        expression.path("values").forEach(each -> values.add(each.asText("")));
        return switch (Json.text(expression, "operator")) {
            case "In" -> value.filter(values::contains).isPresent();
            case "NotIn" -> value.filter(values::contains).isEmpty();
            case "Exists" -> value.isPresent();
            case "DoesNotExist" -> value.isEmpty();
            case "Gt" -> compare(value, values).filter(order -> order > 0).isPresent();
            case "Lt" -> compare(value, values).filter(order -> order < 0).isPresent();
            default -> false;
        };
    }

    private static Optional<Integer> compare(Optional<String> value, List<String> values) {
        try {
            return value.isEmpty() || values.size() != 1
                    ? Optional.empty()
                    : Optional.of(Long.compare(Long.parseLong(value.get()), Long.parseLong(values.get(0))));
        } catch (NumberFormatException noNumber) {
            return Optional.empty();
        }
    }
}
