package dev.berth.e2e.faults;

import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.endpoints.RestResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** What may become of a call. */
enum Fault {
    /** Nothing has changed, and no new version will be seen. */
    CONFLICT,
    DENIED,
    EXPIRED,
    BUSY,
    BROKEN,
    UNAVAILABLE,
    /** It is carried out, and nobody hears of it. */
    ANSWER_LOST,
    /** It never arrives. */
    LOST;

    /** What reads for long notices only after minutes that nobody answers; the reflector's own tests show that. */
    boolean appliesTo(RestRequest request) {
        boolean readsForLong = request.method().equals("GET") && !request.path().contains("/pods/");
        return !(readsForLong && (this == LOST || this == ANSWER_LOST));
    }

    Optional<RestResponse> applyTo(RestRequest request, Function<RestRequest, RestResponse> server) {
        return switch (this) {
            case CONFLICT ->
                refusal(ApiStatus.plain(
                        409, "Conflict", "Operation cannot be fulfilled: the object has been modified"));
            case DENIED -> refusal(ApiStatus.plain(403, "Forbidden", "not today"));
            case EXPIRED -> refusal(ApiStatus.expired("too old resource version"));
            case BUSY -> refusal(ApiStatus.tooManyRequests("please try again later", Duration.ofSeconds(1)));
            case BROKEN -> refusal(ApiStatus.internal("etcdserver: request timed out"));
            case UNAVAILABLE -> refusal(ApiStatus.plain(503, "ServiceUnavailable", "apiserver is shutting down"));
            case ANSWER_LOST -> {
                RestResponse unused = server.apply(request);
                yield Optional.empty();
            }
            case LOST -> Optional.empty();
        };
    }

    private static Optional<RestResponse> refusal(ApiStatus status) {
        return Optional.of(BodyResponse.json(status.code(), status.tree()));
    }
}
