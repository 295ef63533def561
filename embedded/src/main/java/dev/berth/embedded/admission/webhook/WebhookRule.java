package dev.berth.embedded.admission.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.embedded.admission.AdmissionRequest;
import dev.berth.embedded.rest.kind.ServedKind;
import dev.berth.embedded.tree.Trees;
import java.util.List;

/** Which writes a webhook wants to see. A star means all. */
record WebhookRule(
        List<String> operations, List<String> groups, List<String> versions, List<String> resources, String scope) {

    private static final String ALL = "*";

    static WebhookRule from(JsonNode rule) {
        String scope = Trees.text(rule, "scope");
        return new WebhookRule(
                Trees.texts(rule, "operations"),
                Trees.texts(rule, "apiGroups"),
                Trees.texts(rule, "apiVersions"),
                Trees.texts(rule, "resources"),
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
                kind.namespaced() && !request.place().namespace().isEmpty();
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
