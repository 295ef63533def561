package dev.berth.http.json;

/** A body that is no request, and in words why. */
public final class BadRequest extends Exception {
    private static final long serialVersionUID = 1L;

    private final String words;

    public BadRequest(String words) {
        super(words);
        this.words = words;
    }

    public String words() {
        return words;
    }
}
