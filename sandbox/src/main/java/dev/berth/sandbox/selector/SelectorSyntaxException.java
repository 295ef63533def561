package dev.berth.sandbox.selector;

/** A selector that cannot be read; the message is the sentence the client gets. */
public final class SelectorSyntaxException extends Exception {

    private final String message;

    SelectorSyntaxException(String message) {
        super(message);
        this.message = message;
    }

    /** The message. */
    public String message() {
        return message;
    }
}
