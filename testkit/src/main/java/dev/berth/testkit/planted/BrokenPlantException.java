package dev.berth.testkit.planted;

/** A defect cannot be planted any more, or its faulty body fails by itself: it proves nothing. */
public final class BrokenPlantException extends RuntimeException {
    BrokenPlantException(String message) {
        super(message);
    }

    BrokenPlantException(String message, Throwable cause) {
        super(message, cause);
    }
}
