package dev.berth.kubernetes.cursor;

/** Bytes that are not what they should be, or an object that makes no sense; says where and what. */
public final class MalformedObject extends RuntimeException {
    private static final long serialVersionUID = 1;

    public MalformedObject(String message) {
        super(message);
    }

    public MalformedObject(String message, Throwable cause) {
        super(message, cause);
    }
}
