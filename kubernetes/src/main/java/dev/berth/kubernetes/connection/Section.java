package dev.berth.kubernetes.connection;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A part of a kubeconfig that knows its file and its place there, for messages. */
final class Section {
    private final Path file;
    private final String place;
    private final Map<?, ?> fields;

    Section(Path file, String place, Map<?, ?> fields) {
        this.file = file;
        this.place = place;
        this.fields = fields;
    }

    boolean has(String field) {
        return fields.get(field) != null;
    }

    Optional<String> text(String field) throws UnusableAccess {
        Object value = fields.get(field);
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof Map<?, ?> || value instanceof Collection<?>) {
            throw bad(field, value.toString(), "must be a string");
        }
        return Optional.of(value.toString());
    }

    String required(String field) throws UnusableAccess {
        Optional<String> text = text(field);
        if (text.isEmpty() || text.get().isBlank()) {
            throw new UnusableAccess("kubeconfig (%s) has no %s".formatted(file, field(field)));
        }
        return text.get();
    }

    boolean flag(String field) throws UnusableAccess {
        Object value = fields.get(field);
        if (value == null) {
            return false;
        }
        if (value instanceof Boolean flag) {
            return flag;
        }
        throw bad(field, value.toString(), "must be true or false");
    }

    Section section(String field) throws UnusableAccess {
        if (fields.get(field) instanceof Map<?, ?> inner) {
            return new Section(file, field(field), inner);
        }
        throw new UnusableAccess("kubeconfig (%s) has no %s".formatted(file, field(field)));
    }

    List<Section> sections(String field) {
        List<Section> sections = new ArrayList<>();
        List<?> elements = list(field);
        for (int i = 0; i < elements.size(); i++) {
            if (elements.get(i) instanceof Map<?, ?> element) {
                sections.add(new Section(file, "%s[%d]".formatted(field(field), i), element));
            }
        }
        return sections;
    }

    List<String> texts(String field) {
        return list(field).stream().map(String::valueOf).toList();
    }

    private List<?> list(String field) {
        return fields.get(field) instanceof List<?> list ? list : List.of();
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
            throw bad(field, String.valueOf(fields.get(field)), "is not supported: " + advice);
        }
    }

    UnusableAccess bad(String field, String value, String words) {
        return new UnusableAccess("kubeconfig (%s): %s (%s) %s".formatted(file, field(field), value, words));
    }

    String field(String field) {
        return place.isEmpty() ? field : place + "." + field;
    }

    /** How messages call it. */
    String label(String field) {
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
