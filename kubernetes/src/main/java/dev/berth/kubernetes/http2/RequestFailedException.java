package dev.berth.kubernetes.http2;

import java.io.IOException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** There is no response, or only a part of one. */
public final class RequestFailedException extends IOException {
    /** What is known about the request at the server. */
    public enum ProcessingState {
        /** The server did not process it and will not: it may be sent again. */
        NOT_PROCESSED,
        /** The server may or may not process it. */
        UNKNOWN
    }

    private final ProcessingState processingState;
    private final String reason;

    RequestFailedException(ProcessingState processingState, String message) {
        super(message);
        this.processingState = processingState;
        this.reason = message;
    }

    /** @param cause the exception of the listener, if that is the cause */
    RequestFailedException(ProcessingState processingState, String request, String reason, @Nullable Throwable cause) {
        super("%s: %s".formatted(request, reason), cause);
        this.processingState = processingState;
        this.reason = reason;
    }

    /** The reason without the request: the same for all requests that fail with one connection. */
    public String reason() {
        return reason;
    }

    public ProcessingState processingState() {
        return processingState;
    }

    /** The message of a failed stage, without the class names of wrapping exceptions. */
    public static String messageOf(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }
}
