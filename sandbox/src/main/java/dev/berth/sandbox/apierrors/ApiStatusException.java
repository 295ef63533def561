package dev.berth.sandbox.apierrors;

/**
 * Carries a refusal from where it is found to where the answer is written. It is no fault of the server, so it has no
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
