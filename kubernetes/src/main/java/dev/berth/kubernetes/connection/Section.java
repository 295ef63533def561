package dev.berth.kubernetes.connection;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** A part of a kubeconfig that knows its file and its place there, for messages. */
final class Section {
    private final Path file;
    private final String place;
    private final JsonNode node;

    Section(Path file, String place, JsonNode node) {
        this.file = file;
        this.place = place;
        this.node = node;
    }

    boolean has(String field) {
        return node.hasNonNull(field);
    }

    Optional<String> text(String field) throws UnusableAccess {
        JsonNode value = node.get(field);
        if (value == null || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isValueNode()) {
            throw bad(field, value.toString(), "must be a text");
        }
        return Optional.of(value.asText());
    }

    String required(String field) throws UnusableAccess {
        Optional<String> text = text(field);
        if (text.isEmpty() || text.get().isBlank()) {
            throw new UnusableAccess("kubeconfig (%s) has no %s".formatted(file, field(field)));
        }
        return text.get();
    }

    boolean flag(String field) throws UnusableAccess {
        JsonNode value = node.get(field);
        if (value == null || value.isNull()) {
            return false;
        }
        if (!value.isBoolean()) {
            throw bad(field, value.asText(), "must be true or false");
        }
        return value.asBoolean();
    }

    Section section(String field) throws UnusableAccess {
        JsonNode value = node.get(field);
        if (value == null || !value.isObject()) {
            throw new UnusableAccess("kubeconfig (%s) has no %s".formatted(file, field(field)));
        }
        return new Section(file, field(field), value);
    }

    List<Section> sections(String field) {
        List<Section> sections = new ArrayList<>();
        JsonNode values = node.path(field);
        for (int i = 0; i < values.size(); i++) {
            sections.add(new Section(file, "%s[%d]".formatted(field(field), i), values.get(i)));
        }
        return sections;
    }

    List<String> texts(String field) {
        List<String> texts = new ArrayList<>();
        node.path(field).forEach(value -> texts.add(value.asText()));
        return texts;
    }

    /** The element of the list that has the name; {@code wantedBy} says who asks for it. */
    Section named(String list, String name, String wantedBy) throws UnusableAccess {
        List<String> names = new ArrayList<>();
        for (Section element : sections(list)) {
            String candidate = element.text("name").orElse("");
            if (candidate.equals(name)) {
                return element;
            }
            names.add(candidate);
        }
        throw new UnusableAccess("kubeconfig (%s): %s (%s) is none of the %s there, which are %s"
                .formatted(file, wantedBy, name, list, names));
    }

    /** Given as a file, or in Base64 under the same name with {@code -data}, which wins as it does for kubectl. */
    Optional<Material> material(String field) throws UnusableAccess {
        Optional<String> data = text(field + "-data").filter(value -> !value.isEmpty());
        if (data.isPresent()) {
            return Optional.of(Material.inline(label(field + "-data"), decoded(field + "-data", data.get())));
        }
        return text(field).filter(value -> !value.isEmpty()).map(value -> Material.file(label(field), path(value)));
    }

    /** Paths are relative to the file they stand in. */
    Path path(String value) {
        return file.toAbsolutePath().resolveSibling(value);
    }

    void refuse(String field, String advice) throws UnusableAccess {
        if (has(field)) {
            throw bad(field, node.get(field).asText(), "is not supported: " + advice);
        }
    }

    UnusableAccess bad(String field, String value, String words) {
        return new UnusableAccess("kubeconfig (%s): %s (%s) %s".formatted(file, field(field), value, words));
    }

    String field(String field) {
        return place.isEmpty() ? field : place + "." + field;
    }

    private String label(String field) {
        return "kubeconfig (%s): %s".formatted(file, field(field));
    }

    private byte[] decoded(String field, String value) throws UnusableAccess {
        try {
            return Base64.getMimeDecoder().decode(value);
        } catch (IllegalArgumentException malformed) {
            throw bad(field, value.length() + " characters", "is not Base64: " + malformed.getMessage());
        }
    }
}
