package dev.berth.core.resource;

/** A text that is no quantity, or one that is too large: it says which text, where in it, and what would be right. */
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
