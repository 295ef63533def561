package dev.berth.kubernetes.cursor;

/** Malformed bytes or a malformed object; the message says where and what. */
public final class MalformedObjectException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public MalformedObjectException(String message) {
        super(message);
    }

    public MalformedObjectException(String message, Throwable cause) {
        super(message, cause);
    }
}
