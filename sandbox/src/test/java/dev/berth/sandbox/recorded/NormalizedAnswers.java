package dev.berth.sandbox.recorded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.regex.Pattern;

/** The form answers are compared in: without what differs from run to run, and errors as their sentences. */
final class NormalizedAnswers {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern IDENTITY = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final Pattern MOMENT = Pattern.compile("(\"last[a-zA-Z]*TransitionTime\":)\"[^\"]+\"");

    private NormalizedAnswers() {}

    static ObjectNode stored(ObjectNode object) {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        ObjectNode copy = withoutIdentity(object);
        NestedFields.object(copy, "metadata")
                .ifPresent(metadata -> metadata.remove(
                        List.of("uid", "resourceVersion", "creationTimestamp", "managedFields", "selfLink")));
        copy.remove(List.of("apiVersion", "kind"));
        return answer.set("stored", copy);
    }

    /** The object with fixed texts for its identity, wherever it stands, and for the moments of its making. */
    private static ObjectNode withoutIdentity(ObjectNode object) {
        String uid = NestedFields.text(object, "metadata", "uid");
        try {
            String text = MOMENT.matcher(object.toString()).replaceAll("$1\"a time\"");
            return (ObjectNode) JSON.readTree(uid.isEmpty() ? text : text.replace(uid, "a-uid"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static ObjectNode refused(ObjectNode status) {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        if (status.path("code").asInt() != 422) {
            return answer.put("refused", status.path("message").asText());
        }
        ArrayNode causes = answer.putArray("invalid");
        for (JsonNode cause : status.path("details").path("causes")) {
            // Below the first line stands what differs, which each server shows in its own way.
            String message = cause.path("field").asText() + ": "
                    + cause.path("message").asText().lines().findFirst().orElse("");
            causes.add(IDENTITY.matcher(message).replaceAll("a-uid"));
        }
        return answer;
    }

    static ArrayNode columns(ObjectNode table) {
        ArrayNode columns = JsonNodeFactory.instance.arrayNode();
        for (JsonNode column : table.path("columnDefinitions")) {
            String format = column.path("format").asText();
            columns.add(column.path("name").asText() + " " + column.path("type").asText()
                    + (format.isEmpty() ? "" : " " + format)
                    + (column.path("priority").asInt() > 0 ? " wide" : ""));
        }
        return columns;
    }

    static ObjectNode printed(ObjectNode table) {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        ObjectNode printed = answer.putObject("printed");
        for (int i = 0; i < table.path("columnDefinitions").size(); i++) {
            JsonNode column = table.path("columnDefinitions").path(i);
            String name =
                    column.path("name").asText() + (column.path("priority").asInt() > 0 ? " (wide)" : "");
            printed.set(name, table.path("rows").path(0).path("cells").path(i));
        }
        return answer;
    }
}
