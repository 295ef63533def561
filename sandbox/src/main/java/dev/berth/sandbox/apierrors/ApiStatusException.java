package dev.berth.sandbox.apierrors;

/**
 * Carries the Status of an error to where the response is written. The error is not a bug of the server, so it has no
 * stack trace.
 */
public final class ApiStatusException extends RuntimeException {

    private final transient ApiStatus status;

    public ApiStatusException(ApiStatus status) {
        super(status.message(), null, false, false);
        this.status = status;
    }

    public ApiStatusException(ApiStatus status, Throwable cause) {
        super(status.message(), cause, false, false);
        this.status = status;
    }

    public ApiStatus status() {
        return status;
    }
}
