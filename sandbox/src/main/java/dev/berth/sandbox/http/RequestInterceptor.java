package dev.berth.sandbox.http;

import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.endpoints.RestResponse;
import java.util.Optional;
import java.util.function.Function;

/**
 * Stands between the connections and the server, so that tests can make a good server misbehave. Called on the threads of
 * connections: it must be safe from any of them, and quick.
 */
@FunctionalInterface
public interface RequestInterceptor {
    /** Lets everything pass. */
    RequestInterceptor NONE = (request, server) -> Optional.of(server.apply(request));

    /**
     * Answers in the server's place, or has it answer.
     *
     * @return empty when nobody will ever answer
     */
    Optional<RestResponse> intercept(RestRequest request, Function<RestRequest, RestResponse> server);
}
