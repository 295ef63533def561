package dev.berth.sandbox.patch;

/** A patch that cannot be applied. The message is for the client. */
public final class PatchException extends Exception {

    private static final long serialVersionUID = 1L;

    /** The HTTP status of the error. */
    public enum Fault {
        /** The patch is malformed: a bad request. */
        MALFORMED,
        /** The patch does not fit this object: unprocessable. */
        DOES_NOT_APPLY
    }

    private final Fault fault;
    private final String message;

    PatchException(Fault fault, String message) {
        super(message);
        this.fault = fault;
        this.message = message;
    }

    static PatchException malformed(String message) {
        return new PatchException(Fault.MALFORMED, message);
    }

    static PatchException doesNotApply(String message) {
        return new PatchException(Fault.DOES_NOT_APPLY, message);
    }

    public Fault fault() {
        return fault;
    }

    /** The message. */
    public String message() {
        return message;
    }
}
