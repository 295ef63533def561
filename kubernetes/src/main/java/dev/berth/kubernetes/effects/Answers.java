package dev.berth.kubernetes.effects;

import dev.berth.core.decision.Effect;
import dev.berth.engine.Answer;
import dev.berth.kubernetes.api.Status;
import dev.berth.kubernetes.http2.RequestFailed;
import dev.berth.kubernetes.http2.Response;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;

/** What an answer of the API server means for who asked. */
final class Answers {
    private static final Duration SOON = Duration.ofMillis(500);
    private static final Duration A_WHILE = Duration.ofSeconds(1);

    private static final int FORBIDDEN = 403;
    /** As authorization words it; admission has the same code and other words. */
    private static final Pattern RIGHT_IS_MISSING = Pattern.compile("is forbidden: User \"[^\"]*\" cannot ");

    private static final String HOW_TO_GRANT =
            ". The ClusterRole of Berth's user lacks this right: maybe run \"berth install | kubectl apply -f -\"";

    private Answers() {}

    /**
     * Of any write of an object, whose UID was a precondition.
     *
     * @param request the verb and the resource, as roles name them
     */
    static Answer of(Response response, String request) {
        if (response.head().successful()) {
            return new Answer.Done();
        }
        Status status = Status.of(response);
        return switch (status.code()) {
            case 409 -> changed(status);
            case 404 -> new Answer.Gone(status.toString());
            case 400, 403, 405, 413, 415, 422 -> refused(status, request);
            case 401 -> new Answer.Throttled(A_WHILE, status.toString());
            case 429 -> new Answer.Throttled(status.retryAfter().orElse(A_WHILE), status.toString());
            // 410 too: it speaks of a version that is no longer known, never of the object.
            default -> new Answer.Unknown(status.toString());
        };
    }

    /** A binding is also written when the pod turns out to be on that very node already. */
    static Answer of(Effect.Bind bind, Response response) {
        Answer answer = of(response, "create pods/binding");
        if (answer instanceof Answer.Conflict conflict
                && conflict.message().contains("already assigned to node \"%s\"".formatted(bind.node()))) {
            return new Answer.Done();
        }
        return answer;
    }

    /** There was no answer. What the server has surely not looked at may simply be sent again. */
    static Answer of(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        String message = String.valueOf(cause.getMessage());
        boolean unsent = cause instanceof RequestFailed failed && failed.fate() == RequestFailed.Fate.NOT_PROCESSED;
        return unsent ? new Answer.Throttled(SOON, message) : new Answer.Unknown(message);
    }

    /** A patch says that a UID cannot change where an update says that it is another's. */
    private static Answer refused(Status status, String request) {
        if (status.message().contains("metadata.uid: Invalid value")) {
            return new Answer.Gone(status.message());
        }
        boolean rightIsMissing = status.code() == FORBIDDEN
                && RIGHT_IS_MISSING.matcher(status.message()).find();
        return new Answer.Denied(rightIsMissing ? status.message() + HOW_TO_GRANT : status.message(), request);
    }

    private static Answer changed(Status status) {
        boolean another = status.message().contains("Precondition failed: UID");
        return another ? new Answer.Gone(status.message()) : new Answer.Conflict(status.message());
    }
}
