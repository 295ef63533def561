package dev.berth.sandbox.endpoints.request;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.endpoints.QueryParameters;
import dev.berth.sandbox.validation.field.FieldError;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.field.GoFormat;
import java.util.ArrayList;
import java.util.List;

/** The options of a create, update or patch, from the query. */
public record WriteOptions(boolean dryRun, ObjectNode tree) {

    private static final List<String> FIELD_VALIDATION = List.of("Ignore", "Warn", "Strict");
    private static final int MAX_FIELD_MANAGER_LENGTH = 128;

    /** Reads the options of a kind such as {@code CreateOptions}. */
    public static WriteOptions of(QueryParameters queryParameters, String kind) {
        List<FieldError> errors = new ArrayList<>();
        if (queryParameters.first("fieldManager").length() > MAX_FIELD_MANAGER_LENGTH) {
            errors.add(FieldError.tooLong(FieldPath.of("fieldManager"), MAX_FIELD_MANAGER_LENGTH));
        }
        errors.addAll(validateDryRun(queryParameters.getAll("dryRun")));
        String validation = queryParameters.first("fieldValidation");
        if (!validation.isEmpty() && !FIELD_VALIDATION.contains(validation)) {
            errors.add(FieldError.notSupported(
                    FieldPath.of("fieldValidation"), GoFormat.node(validation), FIELD_VALIDATION));
        }
        if (kind.equals("PatchOptions") && queryParameters.has("force")) {
            errors.add(FieldError.forbidden(FieldPath.of("force"), "may not be specified for non-apply patch"));
        }
        if (!errors.isEmpty()) {
            throw new ApiStatusException(ApiStatus.invalid("meta.k8s.io", kind, "", errors));
        }
        return new WriteOptions(queryParameters.has("dryRun"), tree(queryParameters, kind));
    }

    public static List<FieldError> validateDryRun(List<String> values) {
        List<FieldError> errors = new ArrayList<>();
        for (String value : values) {
            if (!value.equals("All")) {
                errors.add(FieldError.notSupported(FieldPath.of("dryRun"), GoFormat.node(value), List.of("All")));
            }
        }
        return errors;
    }

    private static ObjectNode tree(QueryParameters queryParameters, String kind) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        tree.put("kind", kind).put("apiVersion", "meta.k8s.io/v1");
        for (String name : List.of("fieldManager", "fieldValidation")) {
            if (!queryParameters.first(name).isEmpty()) {
                tree.put(name, queryParameters.first(name));
            }
        }
        if (queryParameters.has("dryRun")) {
            tree.putArray("dryRun").add("All");
        }
        return tree;
    }
}
