package dev.berth.kubernetes.effects;

import dev.berth.core.effect.Effect;
import dev.berth.engine.WriteResponse;
import dev.berth.kubernetes.api.Status;
import dev.berth.kubernetes.http2.RequestFailedException;
import dev.berth.kubernetes.http2.Response;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;

/** What an answer of the API server means for who asked. */
final class ResponseClassifier {
    private static final Duration RETRY_SOON = Duration.ofMillis(500);
    private static final Duration RETRY_LATER = Duration.ofSeconds(1);

    private static final int FORBIDDEN = 403;
    /** As authorization words it; admission has the same code and other words. */
    private static final Pattern RBAC_DENIAL = Pattern.compile("is forbidden: User \"[^\"]*\" cannot ");

    private static final String GRANT_HINT =
            ". The ClusterRole of Berth's user lacks this right: maybe run \"berth install | kubectl apply -f -\"";

    private ResponseClassifier() {}

    /**
     * Of any write of an object, whose UID was a precondition.
     *
     * @param request the verb and the resource, as roles name them
     */
    static WriteResponse classify(Response response, String request) {
        if (response.head().isSuccessful()) {
            return new WriteResponse.Succeeded();
        }
        Status status = Status.of(response);
        return switch (status.code()) {
            case 409 -> classifyConflict(status);
            case 404 -> new WriteResponse.NotFound(status.toString());
            case 400, 403, 405, 413, 415, 422 -> classifyRejection(status, request);
            case 401 -> new WriteResponse.Throttled(RETRY_LATER, status.toString());
            case 429 -> new WriteResponse.Throttled(status.retryAfter().orElse(RETRY_LATER), status.toString());
            // 410 too: it speaks of a version that is no longer known, never of the object.
            default -> new WriteResponse.Unknown(status.toString());
        };
    }

    /** A binding is also written when the pod turns out to be on that very node already. */
    static WriteResponse classifyBind(Effect.Bind bind, Response response) {
        WriteResponse writeResponse = classify(response, "create pods/binding");
        if (writeResponse instanceof WriteResponse.Conflict conflict
                && conflict.message().contains("already assigned to node \"%s\"".formatted(bind.node()))) {
            return new WriteResponse.Succeeded();
        }
        return writeResponse;
    }

    /** There was no answer. What the server has surely not looked at may simply be sent again. */
    static WriteResponse classifyFailure(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        String message = String.valueOf(cause.getMessage());
        boolean unsent = cause instanceof RequestFailedException failed
                && failed.processingState() == RequestFailedException.ProcessingState.NOT_PROCESSED;
        return unsent ? new WriteResponse.Throttled(RETRY_SOON, message) : new WriteResponse.Unknown(message);
    }

    /** A patch says that a UID cannot change where an update says that it is another's. */
    private static WriteResponse classifyRejection(Status status, String request) {
        if (status.message().contains("metadata.uid: Invalid value")) {
            return new WriteResponse.NotFound(status.message());
        }
        boolean rbacDenied = status.code() == FORBIDDEN
                && RBAC_DENIAL.matcher(status.message()).find();
        return new WriteResponse.Denied(rbacDenied ? status.message() + GRANT_HINT : status.message(), request);
    }

    private static WriteResponse classifyConflict(Status status) {
        boolean uidChanged = status.message().contains("Precondition failed: UID");
        return uidChanged ? new WriteResponse.NotFound(status.message()) : new WriteResponse.Conflict(status.message());
    }
}
