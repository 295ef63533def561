package dev.berth.sandbox.client.transport;

/** No answer came from the API server. Whether the call had an effect is unknown; reading tells. */
public final class UnreachableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnreachableException(String message, Throwable cause) {
        super(message, cause);
    }
}
