package dev.berth.kubernetes.schedulerconfig;

import dev.berth.kubernetes.time.GoDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A value of the file with its path. Errors name the path, the value and the expected form. */
final class ConfigNode {
    private final String path;
    private final @Nullable Object value;

    private ConfigNode(String path, @Nullable Object value) {
        this.path = path;
        this.value = value;
    }

    /** A parsed file or a part of it: maps, lists, texts, numbers and booleans. */
    static ConfigNode of(String path, @Nullable Object value) {
        return new ConfigNode(path, value);
    }

    String path() {
        return path;
    }

    /** Whether a value is present. */
    boolean isPresent() {
        return value != null;
    }

    IllegalArgumentException invalid(String advice) {
        return new IllegalArgumentException("%s (%s) %s".formatted(path.isEmpty() ? "the file" : path, value, advice));
    }

    ConfigNode get(String key) {
        return new ConfigNode(path.isEmpty() ? key : path + "." + key, map().get(key));
    }

    private Map<?, ?> map() {
        if (value == null) {
            return Map.of();
        }
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        throw invalid("must be a mapping of keys to values");
    }

    /** Rejects unknown keys: a misspelt key must not become a default. */
    ConfigNode allowKeys(Set<String> allowedKeys) {
        for (Object key : map().keySet()) {
            if (!allowedKeys.contains(String.valueOf(key))) {
                throw new IllegalArgumentException("unknown key (%s). Known keys: %s"
                        .formatted(get(String.valueOf(key)).path, String.join(", ", new TreeSet<>(allowedKeys))));
            }
        }
        return this;
    }

    List<ConfigNode> items() {
        if (value == null) {
            return List.of();
        }
        if (!(value instanceof List<?> list)) {
            throw invalid("must be a list");
        }
        List<ConfigNode> items = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            items.add(new ConfigNode("%s[%d]".formatted(path, i), list.get(i)));
        }
        return items;
    }

    /** A required text. */
    String requiredText() {
        return text().filter(text -> !text.isBlank()).orElseThrow(() -> invalid("must be a name"));
    }

    Optional<String> text() {
        return read(String.class, "must be a string", text -> text);
    }

    /** A text that is not empty: kube-scheduler treats an empty text as absent. */
    Optional<String> nonEmptyText() {
        return text().filter(text -> !text.isEmpty());
    }

    Optional<Boolean> flag() {
        return read(Boolean.class, "must be true or false", flag -> flag);
    }

    Optional<Integer> number(int min, int max) {
        String requirement = max == Integer.MAX_VALUE
                ? "must be a whole number, at least %d".formatted(min)
                : "must be a whole number from %d to %d".formatted(min, max);
        Optional<Integer> number = read(Integer.class, requirement, it -> it);
        if (number.isPresent() && (number.get() < min || number.get() > max)) {
            throw invalid(requirement);
        }
        return number;
    }

    Optional<Double> decimal() {
        return read(Number.class, "must be a number", Number::doubleValue);
    }

    Optional<Duration> duration() {
        return read(String.class, "must be a duration such as 15s", text -> {
            try {
                return GoDuration.parse(text);
            } catch (IllegalArgumentException malformed) {
                throw invalid(String.valueOf(malformed.getMessage()));
            }
        });
    }

    /** One of these words. */
    Optional<String> oneOf(List<String> allowed) {
        Optional<String> word = text();
        if (word.isPresent() && !allowed.contains(word.get())) {
            throw invalid("must be one of " + String.join(", ", allowed));
        }
        return word;
    }

    private <V, T> Optional<T> read(Class<V> type, String requirement, Function<V, T> get) {
        if (value == null) {
            return Optional.empty();
        }
        if (!type.isInstance(value)) {
            throw invalid(requirement);
        }
        return Optional.of(get.apply(type.cast(value)));
    }
}
