package dev.berth.sandbox.http;

import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.endpoints.RestResponse;
import java.util.Optional;
import java.util.function.Function;

/**
 * Intercepts requests before the server, so that tests can inject failures. Called on the threads of
 * connections: implementations must be thread-safe and fast.
 */
@FunctionalInterface
public interface RequestInterceptor {
    /** Passes every request on. */
    RequestInterceptor NONE = (request, server) -> Optional.of(server.apply(request));

    /**
     * Responds in place of the server, or lets the server respond.
     *
     * @return empty when there will never be a response
     */
    Optional<RestResponse> intercept(RestRequest request, Function<RestRequest, RestResponse> server);
}
