package dev.berth.kubernetes.cursor;

/** Bytes that are not what they should be, or an object that makes no sense; says where and what. */
public final class MalformedObjectException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public MalformedObjectException(String message) {
        super(message);
    }

    public MalformedObjectException(String message, Throwable cause) {
        super(message, cause);
    }
}
