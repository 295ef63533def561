package dev.berth.embedded.rest.target;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.Query;
import dev.berth.embedded.validation.FieldError;
import dev.berth.embedded.validation.GoText;
import dev.berth.embedded.validation.Path;
import java.util.ArrayList;
import java.util.List;

/** The options of a create, update or patch, as the query gives them. */
public record WriteOptions(boolean dryRun, ObjectNode tree) {

    private static final List<String> FIELD_VALIDATION = List.of("Ignore", "Warn", "Strict");
    private static final int LONGEST_MANAGER = 128;

    /** Reads the options of a kind such as {@code CreateOptions}. */
    public static WriteOptions of(Query query, String kind) {
        List<FieldError> errors = new ArrayList<>();
        if (query.text("fieldManager").length() > LONGEST_MANAGER) {
            errors.add(FieldError.tooLong(Path.of("fieldManager"), LONGEST_MANAGER));
        }
        errors.addAll(faultsOfDryRun(query.all("dryRun")));
        String validation = query.text("fieldValidation");
        if (!validation.isEmpty() && !FIELD_VALIDATION.contains(validation)) {
            errors.add(FieldError.notSupported(Path.of("fieldValidation"), GoText.node(validation), FIELD_VALIDATION));
        }
        if (kind.equals("PatchOptions") && query.has("force")) {
            errors.add(FieldError.forbidden(Path.of("force"), "may not be specified for non-apply patch"));
        }
        if (!errors.isEmpty()) {
            throw new ApiFailure(ApiStatus.invalid("meta.k8s.io", kind, "", errors));
        }
        return new WriteOptions(query.has("dryRun"), tree(query, kind));
    }

    public static List<FieldError> faultsOfDryRun(List<String> values) {
        List<FieldError> errors = new ArrayList<>();
        for (String value : values) {
            if (!value.equals("All")) {
                errors.add(FieldError.notSupported(Path.of("dryRun"), GoText.node(value), List.of("All")));
            }
        }
        return errors;
    }

    private static ObjectNode tree(Query query, String kind) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        tree.put("kind", kind).put("apiVersion", "meta.k8s.io/v1");
        for (String name : List.of("fieldManager", "fieldValidation")) {
            if (!query.text(name).isEmpty()) {
                tree.put(name, query.text(name));
            }
        }
        if (query.has("dryRun")) {
            tree.putArray("dryRun").add("All");
        }
        return tree;
    }
}
