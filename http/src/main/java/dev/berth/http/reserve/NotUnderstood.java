package dev.berth.http.reserve;

/** A body that is no request, and in words why. */
final class NotUnderstood extends Exception {
    private static final long serialVersionUID = 1L;

    private final String words;

    NotUnderstood(String words) {
        super(words);
        this.words = words;
    }

    String words() {
        return words;
    }
}
