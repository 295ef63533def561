package dev.berth.http.operation;

import java.util.Locale;
import java.util.Objects;

/**
 * One thing that must be well.
 *
 * @param name as it is printed, in small letters
 */
public record Check(String name, Question question) {
    /** Finds out how things are, now. Safe from several threads at once. */
    @FunctionalInterface
    public interface Question {
        Finding ask() throws InterruptedException;
    }

    /**
     * What was found.
     *
     * @param words how things are; may be empty where all is well
     */
    public record Finding(boolean well, String words) {
        public static Finding well(String words) {
            return new Finding(true, words);
        }

        public static Finding ill(String words) {
            return new Finding(false, words);
        }
    }

    public Check {
        Objects.requireNonNull(question, "question");
        if (name.isBlank() || !name.equals(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("name (%s) must be in small letters, such as loop".formatted(name));
        }
    }
}
