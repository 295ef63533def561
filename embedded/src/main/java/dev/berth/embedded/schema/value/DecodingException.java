package dev.berth.embedded.schema.value;

/** A request body that cannot be read as what it should be. The message is for the one who sent it. */
public final class DecodingException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String refusal;

    public DecodingException(String refusal) {
        super(refusal);
        this.refusal = refusal;
    }

    /** For a value whose own reader refused it. */
    public DecodingException(IllegalArgumentException cause) {
        super(cause.getMessage(), cause);
        this.refusal = String.valueOf(cause.getMessage());
    }

    /** The message. */
    public String refusal() {
        return refusal;
    }
}
