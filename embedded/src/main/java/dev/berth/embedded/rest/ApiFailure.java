package dev.berth.embedded.rest;

/**
 * Carries a refusal from where it is found to where the answer is written. It is no fault of the server, so it has no
 * stack trace.
 */
public final class ApiFailure extends RuntimeException {

    private final transient ApiStatus status;

    public ApiFailure(ApiStatus status) {
        super(status.message(), null, false, false);
        this.status = status;
    }

    public ApiFailure(ApiStatus status, Throwable cause) {
        super(status.message(), cause, false, false);
        this.status = status;
    }

    public ApiStatus status() {
        return status;
    }
}
