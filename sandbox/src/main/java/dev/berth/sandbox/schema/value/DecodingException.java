package dev.berth.sandbox.schema.value;

/** A request body that cannot be decoded. The message is for the client. */
public final class DecodingException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String message;

    public DecodingException(String message) {
        super(message);
        this.message = message;
    }

    /** Wraps the exception of a value parser. */
    public DecodingException(IllegalArgumentException cause) {
        super(cause.getMessage(), cause);
        this.message = String.valueOf(cause.getMessage());
    }

    /** The message, which is never null. */
    public String message() {
        return message;
    }
}
