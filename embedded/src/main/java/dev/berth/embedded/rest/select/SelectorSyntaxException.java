package dev.berth.embedded.rest.select;

/** A selector that cannot be read; the message is the sentence the client gets. */
public final class SelectorSyntaxException extends Exception {

    private final String refusal;

    SelectorSyntaxException(String refusal) {
        super(refusal);
        this.refusal = refusal;
    }

    /** The message. */
    public String refusal() {
        return refusal;
    }
}
