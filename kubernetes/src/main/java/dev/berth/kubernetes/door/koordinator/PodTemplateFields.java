package dev.berth.kubernetes.door.koordinator;

import dev.berth.core.door.koordinator.UnknownFields;
import dev.berth.kubernetes.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Knows the fields of Kubernetes pod templates, and finds unknown ones. The API server keeps unknown fields in a
 * Reservation's template, so only Berth can report a typo.
 *
 * <p>The depth and the number of results are limited: the cost of a hostile template is linear in its fields.
 */
final class PodTemplateFields {
    private static final String FILE = "pod-template.fields";
    private static final String TEMPLATE = "PodTemplateSpec";
    private static final String NO_FIELDS = "";
    /** By type: the types of its fields by name; {@link #NO_FIELDS} for a field without fields of its own. */
    private static final Map<String, Map<String, String>> TYPES = parse(readResource());

    private final List<String> firstUnknown = new ArrayList<>();
    private int unknownCount;

    private PodTemplateFields() {}

    /** @param spec the spec of a reservation */
    static UnknownFields findUnknown(JsonObject spec) {
        PodTemplateFields found = new PodTemplateFields();
        Optional.ofNullable(spec.toMap().get("template"))
                .ifPresent(template -> found.visit(template, "spec.template", TEMPLATE));
        return found.unknownCount == 0 ? UnknownFields.NONE : new UnknownFields(found.firstUnknown, found.unknownCount);
    }

    private void visit(Object value, String path, String type) {
        if (value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                if (list.get(i) instanceof Map<?, ?> element) {
                    visitFields(element, "%s[%d]".formatted(path, i), type);
                }
            }
        } else if (value instanceof Map<?, ?> object) {
            visitFields(object, path, type);
        }
    }

    private void visitFields(Map<?, ?> object, String path, String type) {
        Map<String, String> fieldTypes = TYPES.getOrDefault(type, Map.of());
        object.forEach((name, value) -> {
            String field = String.valueOf(name);
            String fieldType = fieldTypes.get(field);
            if (fieldType == null) {
                addUnknown(path, field);
            } else if (!fieldType.equals(NO_FIELDS)) {
                visit(value, path + "." + field, fieldType);
            }
        });
    }

    private void addUnknown(String path, String field) {
        unknownCount++;
        if (firstUnknown.size() < UnknownFields.MAX_NAMED) {
            firstUnknown.add(UnknownFields.path(path, field));
        }
    }

    /** For tests: the content of the file. */
    static Map<String, Map<String, String>> types() {
        return TYPES;
    }

    private static String readResource() {
        try (InputStream in = PodTemplateFields.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException("resource (%s) is missing from the program".formatted(FILE));
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("resource (%s) cannot be read".formatted(FILE), unreadable);
        }
    }

    private static Map<String, Map<String, String>> parse(String text) {
        Map<String, Map<String, String>> types = new HashMap<>();
        for (String line : text.lines().filter(it -> !it.startsWith("#")).toList()) {
            List<String> words = List.of(line.split(" ", -1));
            Map<String, String> fields = new HashMap<>();
            for (String word : words.subList(1, words.size())) {
                int colon = word.indexOf(':');
                fields.put(
                        colon < 0 ? word : word.substring(0, colon), colon < 0 ? NO_FIELDS : word.substring(colon + 1));
            }
            types.put(words.get(0), Map.copyOf(fields));
        }
        return Map.copyOf(types);
    }
}
