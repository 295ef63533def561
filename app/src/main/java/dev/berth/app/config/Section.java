package dev.berth.app.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.core.resource.Quantity;
import dev.berth.kubernetes.time.GoDuration;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** A mapping in the configuration file, at its path. Complaints name the path, the value and what would be right. */
record Section(String path, JsonNode node) {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    Section {
        if (!node.isMissingNode() && !node.isNull() && !node.isObject()) {
            throw new IllegalArgumentException(
                    "%s (%s) must be a mapping of keys to values".formatted(path.isEmpty() ? "the file" : path, node));
        }
    }

    /** Complains about keys that nobody reads: a misspelt key must not pass for a default. */
    void onlyKnown() {
        Set<String> known = ConfigKeys.in(path);
        node.fieldNames().forEachRemaining(key -> {
            if (!known.contains(key)) {
                throw new IllegalArgumentException("key (%s) is not known. Known here: %s"
                        .formatted(at(key), String.join(", ", new TreeSet<>(known))));
            }
        });
    }

    Section section(String key) {
        return new Section(at(key), node.path(key));
    }

    /** For somebody else to read: maps, lists, texts, numbers and truth values. */
    Object plain() {
        return MAPPER.convertValue(node, Object.class);
    }

    Optional<Object> plain(String key) {
        return has(key) ? Optional.of(MAPPER.convertValue(node.get(key), Object.class)) : Optional.empty();
    }

    boolean has(String key) {
        return node.hasNonNull(key);
    }

    boolean isEmptyList(String key) {
        return node.path(key).isArray() && node.path(key).isEmpty();
    }

    String text(String key, String otherwise) {
        return read(key, otherwise, JsonNode::isTextual, "must be a string", JsonNode::textValue);
    }

    boolean flag(String key, boolean otherwise) {
        return read(key, otherwise, JsonNode::isBoolean, "must be true or false", JsonNode::booleanValue);
    }

    int number(String key, int otherwise) {
        return read(key, otherwise, JsonNode::isInt, "must be a whole number", JsonNode::intValue);
    }

    Duration duration(String key, Duration otherwise) {
        return read(key, otherwise, JsonNode::isTextual, "must be a duration such as 15s", value -> {
            try {
                return GoDuration.parse(value.textValue());
            } catch (IllegalArgumentException wrong) {
                throw new IllegalArgumentException(
                        "%s (%s) %s".formatted(at(key), value.textValue(), wrong.getMessage()));
            }
        });
    }

    /** An amount of memory in bytes. */
    long memory(String key, long otherwise) {
        String wanted = "must be an amount of memory such as 256Mi";
        return read(key, otherwise, JsonNode::isTextual, wanted, value -> {
            try {
                return Quantity.parse(value.textValue()).toUnits();
            } catch (IllegalArgumentException | ArithmeticException wrong) {
                throw new IllegalArgumentException("%s (%s) %s".formatted(at(key), value.textValue(), wanted), wrong);
            }
        });
    }

    Set<String> names(String key, Set<String> otherwise) {
        return read(key, otherwise, JsonNode::isArray, "must be a list of names", list -> {
            Set<String> names = new TreeSet<>();
            for (JsonNode item : list) {
                if (!item.isTextual() || item.textValue().isBlank()) {
                    throw new IllegalArgumentException("%s: (%s) must be a name".formatted(at(key), item));
                }
                names.add(item.textValue());
            }
            return names;
        });
    }

    private <T> T read(
            String key, T otherwise, Function<JsonNode, Boolean> fits, String wanted, Function<JsonNode, T> get) {
        JsonNode value = node.path(key);
        if (value.isMissingNode() || value.isNull()) {
            return otherwise;
        }
        if (!fits.apply(value)) {
            throw new IllegalArgumentException("%s (%s) %s".formatted(at(key), value, wanted));
        }
        return get.apply(value);
    }

    private String at(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }
}
