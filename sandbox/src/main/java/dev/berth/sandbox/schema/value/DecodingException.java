package dev.berth.sandbox.schema.value;

/** A request body that cannot be decoded. The message is for the client. */
public final class DecodingException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String message;

    public DecodingException(String message) {
        super(message);
        this.message = message;
    }

    /** For a value that its parser rejected. */
    public DecodingException(IllegalArgumentException cause) {
        super(cause.getMessage(), cause);
        this.message = String.valueOf(cause.getMessage());
    }

    /** The message. */
    public String message() {
        return message;
    }
}
