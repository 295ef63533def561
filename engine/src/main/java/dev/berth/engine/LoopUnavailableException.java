package dev.berth.engine;

/** The loop did not run a command, or its reply did not come in time. The message says what to do. */
public final class LoopUnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** Why there is no reply. */
    public enum Reason {
        /** The cluster is not listed yet, or another replica is the leader. */
        NOT_READY,
        /** The inbox is full. */
        TOO_BUSY,
        /** The caller timed out before the loop decided; a command that can be cancelled did nothing. */
        TIMED_OUT,
        /** The loop decided, and the snapshot was not published in time. */
        REPLY_LATE,
        /** The loop has ended, or the command failed. */
        FAILED
    }

    LoopUnavailableException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }

    /** Never null, unlike {@link #getMessage} by its type. */
    public String message() {
        return String.valueOf(getMessage());
    }
}
