package dev.berth.sandbox.validation.field;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The Status (code 422, reason Invalid) for an object that fails validation. */
public final class InvalidStatus {
    private InvalidStatus() {}

    /** The Status for an object with at least one error. */
    public static ObjectNode of(String group, String kind, String name, List<FieldError> errors) {
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        status.put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        status.put("status", "Failure");
        status.put("message", message(group, kind, name, errors));
        status.put("reason", "Invalid");
        ObjectNode details = status.putObject("details");
        if (!name.isEmpty()) {
            details.put("name", name);
        }
        if (!group.isEmpty()) {
            details.put("group", group);
        }
        if (!kind.isEmpty()) {
            details.put("kind", kind);
        }
        ArrayNode causes = details.putArray("causes");
        for (FieldError error : errors) {
            causes.addObject()
                    .put("reason", error.type().cause())
                    .put("message", error.causeMessage())
                    .put("field", error.field());
        }
        return status.put("code", 422);
    }

    private static String message(String group, String kind, String name, List<FieldError> errors) {
        Set<String> sentences = new LinkedHashSet<>();
        errors.forEach(error -> sentences.add(error.toString()));
        String joined = String.join(", ", sentences);
        String qualified = group.isEmpty() ? kind : kind + "." + group;
        return qualified + " " + GoFormat.quote(name) + " is invalid: "
                + (sentences.size() > 1 ? "[" + joined + "]" : joined);
    }
}
