package dev.berth.embedded.patch;

/** A patch that cannot be applied. The message is for the one who sent it. */
public final class PatchException extends Exception {

    private static final long serialVersionUID = 1L;

    /** Whose fault it is. */
    public enum Fault {
        /** The patch is none: a bad request. */
        MALFORMED,
        /** The patch does not fit this object: unprocessable. */
        DOES_NOT_APPLY
    }

    private final Fault fault;
    private final String refusal;

    PatchException(Fault fault, String refusal) {
        super(refusal);
        this.fault = fault;
        this.refusal = refusal;
    }

    static PatchException malformed(String refusal) {
        return new PatchException(Fault.MALFORMED, refusal);
    }

    static PatchException doesNotApply(String refusal) {
        return new PatchException(Fault.DOES_NOT_APPLY, refusal);
    }

    public Fault fault() {
        return fault;
    }

    /** The message. */
    public String refusal() {
        return refusal;
    }
}
