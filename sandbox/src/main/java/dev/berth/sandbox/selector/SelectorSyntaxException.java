package dev.berth.sandbox.selector;

/** A selector with a syntax error. The message is for the client. */
public final class SelectorSyntaxException extends Exception {

    private final String message;

    SelectorSyntaxException(String message) {
        super(message);
        this.message = message;
    }

    /** The message, which is never null. */
    public String message() {
        return message;
    }
}
