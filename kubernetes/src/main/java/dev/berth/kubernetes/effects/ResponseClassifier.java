package dev.berth.kubernetes.effects;

import dev.berth.core.effect.Effect;
import dev.berth.engine.WriteResponse;
import dev.berth.kubernetes.api.Status;
import dev.berth.kubernetes.http2.RequestFailedException;
import dev.berth.kubernetes.http2.Response;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;

/** Classifies responses of the API server to writes. */
final class ResponseClassifier {
    private static final Duration RETRY_SOON = Duration.ofMillis(500);
    private static final Duration RETRY_LATER = Duration.ofSeconds(1);

    private static final int FORBIDDEN = 403;
    /** The wording of RBAC; admission uses the same code with other words. */
    private static final Pattern RBAC_DENIAL = Pattern.compile("is forbidden: User \"[^\"]*\" cannot ");

    private static final String GRANT_HINT =
            ". The ClusterRole of Berth's user lacks this permission. Maybe run \"berth install | kubectl apply -f -\"";

    private ResponseClassifier() {}

    /**
     * For a write of an object with its UID as a precondition.
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
            // Also 410: it means that a version is unknown, not that the object was deleted.
            default -> new WriteResponse.Unknown(status.toString());
        };
    }

    /** A bind also succeeded if the pod is already on this node. */
    static WriteResponse classifyBind(Effect.Bind bind, Response response) {
        WriteResponse writeResponse = classify(response, "create pods/binding");
        if (writeResponse instanceof WriteResponse.Conflict conflict
                && conflict.message().contains("already assigned to node \"%s\"".formatted(bind.node()))) {
            return new WriteResponse.Succeeded();
        }
        return writeResponse;
    }

    /** There is no response. A request that the server certainly did not process may be sent again. */
    static WriteResponse classifyFailure(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        String message = String.valueOf(cause.getMessage());
        boolean unsent = cause instanceof RequestFailedException failed
                && failed.processingState() == RequestFailedException.ProcessingState.NOT_PROCESSED;
        return unsent ? new WriteResponse.Throttled(RETRY_SOON, message) : new WriteResponse.Unknown(message);
    }

    /** For a wrong UID, a patch fails as an immutable field and an update fails as a precondition. */
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
