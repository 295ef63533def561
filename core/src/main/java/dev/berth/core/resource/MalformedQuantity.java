package dev.berth.core.resource;

/**
 * A text that is not a quantity, or a quantity that is too large. The message has the text, the position and the
 * expected form.
 */
public final class MalformedQuantity extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final String text;
    private final int position;

    MalformedQuantity(String text, int position, String reason) {
        super("quantity (%s) is malformed at position %d: %s".formatted(text, position, reason));
        this.text = text;
        this.position = position;
    }

    public String text() {
        return text;
    }

    /** Counted in characters from 0. */
    public int position() {
        return position;
    }
}
