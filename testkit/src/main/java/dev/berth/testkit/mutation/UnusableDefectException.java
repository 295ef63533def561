package dev.berth.testkit.mutation;

/** A defect cannot be planted any more, or its faulty body throws by itself: it proves nothing. */
public final class UnusableDefectException extends RuntimeException {
    UnusableDefectException(String message) {
        super(message);
    }

    UnusableDefectException(String message, Throwable cause) {
        super(message, cause);
    }
}
