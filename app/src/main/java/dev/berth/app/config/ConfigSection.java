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

/** A mapping in the configuration file with its path. Errors name the path, the value and the expected form. */
record ConfigSection(String path, JsonNode node) {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    ConfigSection {
        if (!node.isMissingNode() && !node.isNull() && !node.isObject()) {
            throw new IllegalArgumentException(
                    "%s (%s) must be a mapping of keys to values".formatted(path.isEmpty() ? "the file" : path, node));
        }
    }

    /** Rejects unknown keys: a misspelt key must not become a default. */
    void rejectUnknownKeys() {
        Set<String> knownKeys = ConfigKeys.keysAt(path);
        node.fieldNames().forEachRemaining(key -> {
            if (!knownKeys.contains(key)) {
                throw new IllegalArgumentException("unknown key (%s). Known keys: %s"
                        .formatted(pathOf(key), String.join(", ", new TreeSet<>(knownKeys))));
            }
        });
    }

    ConfigSection section(String key) {
        return new ConfigSection(pathOf(key), node.path(key));
    }

    /** The raw value: maps, lists, texts, numbers and booleans. */
    Object toPlainObject() {
        return MAPPER.convertValue(node, Object.class);
    }

    Optional<Object> toPlainObject(String key) {
        return has(key) ? Optional.of(MAPPER.convertValue(node.get(key), Object.class)) : Optional.empty();
    }

    boolean has(String key) {
        return node.hasNonNull(key);
    }

    boolean isEmptyList(String key) {
        return node.path(key).isArray() && node.path(key).isEmpty();
    }

    String text(String key, String defaultValue) {
        return read(key, defaultValue, JsonNode::isTextual, "must be a string", JsonNode::textValue);
    }

    boolean bool(String key, boolean defaultValue) {
        return read(key, defaultValue, JsonNode::isBoolean, "must be true or false", JsonNode::booleanValue);
    }

    int number(String key, int defaultValue) {
        return read(key, defaultValue, JsonNode::isInt, "must be a whole number", JsonNode::intValue);
    }

    Duration duration(String key, Duration defaultValue) {
        return read(key, defaultValue, JsonNode::isTextual, "must be a duration such as 15s", value -> {
            try {
                return GoDuration.parse(value.textValue());
            } catch (IllegalArgumentException wrong) {
                throw new IllegalArgumentException(
                        "%s (%s) %s".formatted(pathOf(key), value.textValue(), wrong.getMessage()));
            }
        });
    }

    /** An amount of memory in bytes. */
    long memory(String key, long defaultValue) {
        String expectation = "must be an amount of memory such as 256Mi";
        return read(key, defaultValue, JsonNode::isTextual, expectation, value -> {
            try {
                return Quantity.parse(value.textValue()).toUnits();
            } catch (IllegalArgumentException | ArithmeticException wrong) {
                throw new IllegalArgumentException(
                        "%s (%s) %s".formatted(pathOf(key), value.textValue(), expectation), wrong);
            }
        });
    }

    Set<String> nameSet(String key, Set<String> defaultValue) {
        return read(key, defaultValue, JsonNode::isArray, "must be a list of names", list -> {
            Set<String> names = new TreeSet<>();
            for (JsonNode item : list) {
                if (!item.isTextual() || item.textValue().isBlank()) {
                    throw new IllegalArgumentException("%s: (%s) must be a name".formatted(pathOf(key), item));
                }
                names.add(item.textValue());
            }
            return names;
        });
    }

    private <T> T read(
            String key,
            T defaultValue,
            Function<JsonNode, Boolean> hasType,
            String expectation,
            Function<JsonNode, T> get) {
        JsonNode value = node.path(key);
        if (value.isMissingNode() || value.isNull()) {
            return defaultValue;
        }
        if (!hasType.apply(value)) {
            throw new IllegalArgumentException("%s (%s) %s".formatted(pathOf(key), value, expectation));
        }
        return get.apply(value);
    }

    private String pathOf(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }
}
