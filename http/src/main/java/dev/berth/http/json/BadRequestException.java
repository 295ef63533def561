package dev.berth.http.json;

/** A malformed request body; the message says why. */
public final class BadRequestException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String message;

    public BadRequestException(String message) {
        super(message);
        this.message = message;
    }

    public String message() {
        return message;
    }
}
