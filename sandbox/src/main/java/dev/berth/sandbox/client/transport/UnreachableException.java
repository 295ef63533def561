package dev.berth.sandbox.client.transport;

/** The API server did not respond. Whether the call had an effect is unknown. */
public final class UnreachableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnreachableException(String message, Throwable cause) {
        super(message, cause);
    }
}
