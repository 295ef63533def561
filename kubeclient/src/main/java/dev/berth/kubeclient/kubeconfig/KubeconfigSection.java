package dev.berth.kubeclient.kubeconfig;

import dev.berth.kubeclient.pem.ClientConfigException;
import dev.berth.kubeclient.pem.FileOrInlineData;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A part of a kubeconfig with its file and its path, for messages. */
final class KubeconfigSection {
    private final Path file;
    private final String path;
    private final Map<?, ?> fields;

    KubeconfigSection(Path file, String path, Map<?, ?> fields) {
        this.file = file;
        this.path = path;
        this.fields = fields;
    }

    boolean has(String field) {
        return fields.get(field) != null;
    }

    Optional<Object> value(String field) {
        return Optional.ofNullable(fields.get(field));
    }

    Optional<String> text(String field) throws ClientConfigException {
        Object value = fields.get(field);
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof Map<?, ?> || value instanceof Collection<?>) {
            throw invalid(field, value.toString(), "must be a string");
        }
        return Optional.of(value.toString());
    }

    String required(String field) throws ClientConfigException {
        Optional<String> text = text(field);
        if (text.isEmpty() || text.get().isBlank()) {
            throw new ClientConfigException("kubeconfig (%s) has no %s".formatted(file, fieldPath(field)));
        }
        return text.get();
    }

    boolean flag(String field) throws ClientConfigException {
        Object value = fields.get(field);
        if (value == null) {
            return false;
        }
        if (value instanceof Boolean flag) {
            return flag;
        }
        throw invalid(field, value.toString(), "must be true or false");
    }

    KubeconfigSection section(String field) throws ClientConfigException {
        if (fields.get(field) instanceof Map<?, ?> inner) {
            return new KubeconfigSection(file, fieldPath(field), inner);
        }
        throw new ClientConfigException("kubeconfig (%s) has no %s".formatted(file, fieldPath(field)));
    }

    List<KubeconfigSection> sections(String field) {
        List<KubeconfigSection> sections = new ArrayList<>();
        List<?> elements = list(field);
        for (int i = 0; i < elements.size(); i++) {
            if (elements.get(i) instanceof Map<?, ?> element) {
                sections.add(new KubeconfigSection(file, "%s[%d]".formatted(fieldPath(field), i), element));
            }
        }
        return sections;
    }

    List<String> strings(String field) {
        return list(field).stream().map(String::valueOf).toList();
    }

    private List<?> list(String field) {
        return fields.get(field) instanceof List<?> list ? list : List.of();
    }

    /**
     * The element of the list that has the name.
     *
     * @param referencedBy the field that refers to it, for messages
     */
    KubeconfigSection findByName(String list, String name, String referencedBy) throws ClientConfigException {
        List<String> names = new ArrayList<>();
        for (KubeconfigSection element : sections(list)) {
            String candidate = element.text("name").orElse("");
            if (candidate.equals(name)) {
                return element;
            }
            names.add(candidate);
        }
        throw new ClientConfigException(
                "kubeconfig (%s): %s (%s) is not in %s, which has %s".formatted(file, referencedBy, name, list, names));
    }

    /** Given as a file, or in Base64 under the same name with {@code -data}, which takes precedence as in kubectl. */
    Optional<FileOrInlineData> fileOrInlineData(String field) throws ClientConfigException {
        Optional<String> data = text(field + "-data").filter(value -> !value.isEmpty());
        if (data.isPresent()) {
            return Optional.of(
                    FileOrInlineData.inline(describe(field + "-data"), decodeBase64(field + "-data", data.get())));
        }
        return text(field)
                .filter(value -> !value.isEmpty())
                .map(value -> FileOrInlineData.file(describe(field), resolvePath(value)));
    }

    /** Paths are relative to the kubeconfig. */
    Path resolvePath(String value) {
        return file.toAbsolutePath().resolveSibling(value);
    }

    void rejectUnsupported(String field, String advice) throws ClientConfigException {
        if (has(field)) {
            throw invalid(field, String.valueOf(fields.get(field)), "is not supported: " + advice);
        }
    }

    ClientConfigException invalid(String field, String value, String message) {
        return new ClientConfigException(
                "kubeconfig (%s): %s (%s) %s".formatted(file, fieldPath(field), value, message));
    }

    String fieldPath(String field) {
        return path.isEmpty() ? field : path + "." + field;
    }

    /** The name of the field in messages. */
    String describe(String field) {
        return "kubeconfig (%s): %s".formatted(file, fieldPath(field));
    }

    private byte[] decodeBase64(String field, String value) throws ClientConfigException {
        try {
            return Base64.getMimeDecoder().decode(value);
        } catch (IllegalArgumentException malformed) {
            throw invalid(field, value.length() + " characters", "is not Base64: " + malformed.getMessage());
        }
    }
}
