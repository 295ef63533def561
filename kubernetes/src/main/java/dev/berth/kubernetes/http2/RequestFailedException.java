package dev.berth.kubernetes.http2;

import java.io.IOException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** There is no answer, or only a part of one. */
public final class RequestFailedException extends IOException {
    /** What is known of the request's fate at the server. */
    public enum ProcessingState {
        /** The server has not acted on it and will not: it may be sent again. */
        NOT_PROCESSED,
        /** The server may have acted on it, may be acting, or may not have seen it. */
        UNKNOWN
    }

    private final ProcessingState processingState;
    private final String reason;

    RequestFailedException(ProcessingState processingState, String message) {
        super(message);
        this.processingState = processingState;
        this.reason = message;
    }

    /** @param cause what the reader of the answer threw, if it is to blame */
    RequestFailedException(ProcessingState processingState, String request, String reason, @Nullable Throwable cause) {
        super("%s: %s".formatted(request, reason), cause);
        this.processingState = processingState;
        this.reason = reason;
    }

    /** Why, without the request: the same for all requests that fail with one connection. */
    public String reason() {
        return reason;
    }

    public ProcessingState processingState() {
        return processingState;
    }

    /** Why a stage has no answer, in words alone: what wraps the failure speaks of classes. */
    public static String messageOf(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }
}
