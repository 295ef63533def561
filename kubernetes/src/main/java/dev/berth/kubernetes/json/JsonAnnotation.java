package dev.berth.kubernetes.json;

import dev.berth.core.cluster.Labels;
import dev.berth.core.text.ForeignText;
import dev.berth.core.text.NameList;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * An annotation whose value is a JSON object. Every message about it names the annotation, its value and the correct form.
 * An empty value, or {@code null}, counts as an empty object.
 */
public final class JsonAnnotation {
    private static final int MAX_NAME_LENGTH = 100;
    private static final int MAX_NAMED = 5;

    private final String key;
    private final String form;
    private final JsonKeys keys;
    private final UnknownKeys handling;

    /**
     * An annotation with this key.
     *
     * @param form an example of a correct value, or several
     */
    public JsonAnnotation(String key, String form, JsonKeys keys, UnknownKeys handling) {
        this.key = key;
        this.form = form;
        this.keys = keys;
        this.handling = handling;
    }

    /** What to do with a key that is not known. */
    public enum UnknownKeys {
        /** The annotation is malformed. */
        REJECT,
        /** The annotation is malformed if it has no other keys: then its author meant something that is not known. */
        IGNORE_BESIDE_OTHERS,
        /** The other keys count. */
        IGNORE
    }

    /**
     * Reads the value.
     *
     * @param read may throw a {@link MalformedObjectException} or an {@link IllegalArgumentException} with the reason
     * @throws MalformedObjectException if the annotation is malformed
     */
    public <T> Optional<T> read(Labels annotations, Function<JsonObject, T> read) {
        return annotations.get(key).map(text -> read(text, read));
    }

    private <T> T read(String text, Function<JsonObject, T> read) {
        try {
            List<JsonKeys.UnknownKey> unknown = new ArrayList<>();
            JsonObject known = keys.select(parse(text), unknown::add);
            if (!unknown.isEmpty() && rejectsUnknownBeside(known)) {
                throw new InvalidPartException(message(unknown.get(0)));
            }
            return read.apply(known);
        } catch (InvalidPartException malformed) {
            throw malformed(text, malformed, malformed.form);
        } catch (MalformedObjectException | IllegalArgumentException | ArithmeticException malformed) {
            throw malformed(text, malformed, form);
        }
    }

    private boolean rejectsUnknownBeside(JsonObject known) {
        return switch (handling) {
            case REJECT -> true;
            case IGNORE_BESIDE_OTHERS -> known.toMap().isEmpty();
            case IGNORE -> false;
        };
    }

    /** Reads a part of the value that has a form of its own, which then is in the message. */
    public static <T> T readPart(String form, Supplier<T> read) {
        try {
            return read.get();
        } catch (MalformedObjectException | IllegalArgumentException malformed) {
            throw new InvalidPartException(malformed, form);
        }
    }

    private static final class InvalidPartException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final String form;

        InvalidPartException(RuntimeException malformed, String form) {
            super(String.valueOf(malformed.getMessage()), malformed);
            this.form = form;
        }

        /** With a message that already has the correct form. */
        InvalidPartException(String message) {
            super(message);
            this.form = "";
        }
    }

    /** The message about the unknown keys that are ignored; empty if there are none, or if the annotation is malformed. */
    public Optional<String> findIgnoredKeys(Labels annotations) {
        List<JsonKeys.UnknownKey> unknown = new ArrayList<>();
        try {
            JsonObject known = keys.select(parse(annotations.get(key).orElse("")), unknown::add);
            return unknown.isEmpty() || rejectsUnknownBeside(known) ? Optional.empty() : Optional.of(message(unknown));
        } catch (MalformedObjectException malformed) {
            // The reader of the annotation reports it.
            return Optional.empty();
        }
    }

    private String message(List<JsonKeys.UnknownKey> unknown) {
        List<String> names = unknown.stream().map(JsonAnnotation::name).toList();
        return "Berth ignores keys of the annotation %s that are unknown: %s. The known keys are %s"
                .formatted(
                        key,
                        NameList.first(MAX_NAMED, names),
                        String.join(", ", unknown.get(0).known()));
    }

    private static JsonObject parse(String text) {
        boolean empty = text.isBlank() || text.strip().equals("null");
        return empty ? JsonObject.EMPTY : JsonObject.parse(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String message(JsonKeys.UnknownKey unknown) {
        return "key %s is unknown, the known keys there are %s"
                .formatted(name(unknown), String.join(", ", unknown.known()));
    }

    private static String name(JsonKeys.UnknownKey unknown) {
        return ForeignText.truncateToFit(unknown.path(), MAX_NAME_LENGTH);
    }

    private MalformedObjectException malformed(String text, RuntimeException malformed, String correctForm) {
        String hint = correctForm.isEmpty() ? "" : ". The correct form is " + correctForm;
        return new MalformedObjectException(
                "annotation %s (%s) is invalid: %s%s"
                        .formatted(key, ForeignText.quote(text), malformed.getMessage(), hint),
                malformed);
    }
}
