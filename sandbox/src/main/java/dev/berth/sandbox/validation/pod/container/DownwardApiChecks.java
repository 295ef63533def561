package dev.berth.sandbox.validation.pod.container;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.SuffixedQuantity;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.meta.NameChecks;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What containers may learn of their own pod. */
final class DownwardApiChecks {
    /** The fields that environment variables may take. */
    static final List<String> ENVIRONMENT = List.of(
            "metadata.name",
            "metadata.namespace",
            "metadata.uid",
            "spec.nodeName",
            "spec.serviceAccountName",
            "status.hostIP",
            "status.hostIPs",
            "status.podIP",
            "status.podIPs");

    /** The fields that files may take. */
    static final List<String> FILES =
            List.of("metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid");

    private static final Set<String> KNOWN = Set.of(
            "metadata.annotations",
            "metadata.labels",
            "metadata.name",
            "metadata.namespace",
            "metadata.uid",
            "spec.nodeName",
            "spec.restartPolicy",
            "spec.serviceAccountName",
            "spec.schedulerName",
            "status.phase",
            "status.hostIP",
            "status.hostIPs",
            "status.podIP",
            "status.podIPs");

    private static final List<String> RESOURCES = List.of(
            "limits.cpu",
            "limits.ephemeral-storage",
            "limits.memory",
            "requests.cpu",
            "requests.ephemeral-storage",
            "requests.memory");

    private static final List<String> BYTE_DIVISORS =
            List.of("1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei");
    private static final Pattern SUBSCRIPT = Pattern.compile("(.*)\\['(.*)'\\]");

    private DownwardApiChecks() {}

    static void field(ObjectNode ref, List<String> allowed, FieldPath path, FieldErrorList errors) {
        String field = text(ref, "fieldPath");
        if (field.isEmpty()) {
            errors.required(path.child("fieldPath"));
            return;
        }
        Matcher subscript = SUBSCRIPT.matcher(field);
        if (subscript.matches()) {
            subscripted(subscript.group(1), subscript.group(2), path, errors);
        } else if (!KNOWN.contains(field)) {
            errors.invalid(
                    path.child("fieldPath"), field, "error converting fieldPath: field label not supported: " + field);
        } else if (!allowed.contains(field)) {
            errors.notSupported(path.child("fieldPath"), field, allowed);
        }
    }

    private static void subscripted(String field, String key, FieldPath path, FieldErrorList errors) {
        switch (field) {
            case "metadata.annotations" -> {
                String lower = key.toLowerCase(Locale.ROOT);
                errors.invalid(path, lower, NameChecks.qualifiedName(lower));
            }
            case "metadata.labels" -> errors.invalid(path, key, NameChecks.qualifiedName(key));
            default ->
                errors.invalid(
                        path.child("fieldPath"),
                        field + "['" + key + "']",
                        "error converting fieldPath: field label does not support subscript: " + field);
        }
    }

    /** A resource of a container; files have to say of which. */
    static void resource(ObjectNode ref, boolean file, FieldPath path, FieldErrorList errors) {
        String resource = text(ref, "resource");
        boolean pages = resource.startsWith("limits.hugepages-") || resource.startsWith("requests.hugepages-");
        if (file && text(ref, "containerName").isEmpty()) {
            errors.required(path.child("containerName"));
        } else if (resource.isEmpty()) {
            errors.required(path.child("resource"));
        } else if (!RESOURCES.contains(resource) && !pages) {
            errors.notSupported(path.child("resource"), resource, RESOURCES);
        }
        SuffixedQuantity.of(at(ref, "divisor"))
                .filter(divisor -> divisor.signum() != 0)
                .ifPresent(divisor -> divisor(resource, divisor, path.child("divisor"), errors));
    }

    private static void divisor(String resource, SuffixedQuantity divisor, FieldPath path, FieldErrorList errors) {
        String kind = resource.substring(resource.indexOf('.') + 1);
        if (kind.equals("cpu")) {
            if (!List.of("1m", "1").contains(divisor.toString())) {
                errors.invalid(path, resource, "only divisor's values 1m and 1 are supported with the cpu resource");
            }
            return;
        }
        String words = kind.startsWith("hugepages-")
                ? "hugepages"
                : kind.equals("ephemeral-storage") ? "local ephemeral storage" : "memory";
        if (!BYTE_DIVISORS.contains(divisor.toString())) {
            errors.invalid(
                    path,
                    resource,
                    "only divisor's values " + String.join(", ", BYTE_DIVISORS) + " are supported with the " + words
                            + " resource");
        }
    }
}
