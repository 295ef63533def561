package dev.berth.sandbox.admission.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.sandbox.admission.AdmissionRequest;
import dev.berth.sandbox.registry.ServedKind;
import dev.berth.sandbox.unstructured.NestedFields;
import java.util.List;

/** Matches writes by operation, group, version, resource and scope. A star matches everything. */
record WebhookRule(
        List<String> operations, List<String> groups, List<String> versions, List<String> resources, String scope) {

    private static final String ALL = "*";

    static WebhookRule from(JsonNode rule) {
        String scope = NestedFields.text(rule, "scope");
        return new WebhookRule(
                NestedFields.texts(rule, "operations"),
                NestedFields.texts(rule, "apiGroups"),
                NestedFields.texts(rule, "apiVersions"),
                NestedFields.texts(rule, "resources"),
                scope.isEmpty() ? ALL : scope);
    }

    boolean matches(AdmissionRequest request) {
        ServedKind kind = request.resource();
        return contains(operations, request.operation().name())
                && contains(groups, kind.gvk().group())
                && contains(versions, kind.gvk().version())
                && matchesScope(kind, request)
                && resources.stream().anyMatch(each -> matchesResource(each, kind, request.subresource()));
    }

    private boolean matchesScope(ServedKind kind, AdmissionRequest request) {
        return switch (scope) {
            case "Namespaced" ->
                kind.namespaced() && !request.targetName().namespace().isEmpty();
            case "Cluster" -> !kind.namespaced();
            default -> true;
        };
    }

    private static boolean matchesResource(String pattern, ServedKind kind, String subresource) {
        int slash = pattern.indexOf('/');
        String resource = slash < 0 ? pattern : pattern.substring(0, slash);
        String below = slash < 0 ? "" : pattern.substring(slash + 1);
        boolean sameResource =
                resource.equals(ALL) || resource.equals(kind.names().plural());
        return sameResource && (below.equals(ALL) || below.equals(subresource));
    }

    private static boolean contains(List<String> wanted, String value) {
        return wanted.contains(ALL) || wanted.contains(value);
    }
}
