package dev.berth.embedded.http;

import dev.berth.embedded.rest.Request;
import dev.berth.embedded.rest.Response;
import java.util.Optional;
import java.util.function.Function;

/**
 * Stands between the connections and the server, so that tests can make a good server misbehave. Called on the threads of
 * connections: it must be safe from any of them, and quick.
 */
@FunctionalInterface
public interface Meddler {
    /** Lets everything pass. */
    Meddler NONE = (request, server) -> Optional.of(server.apply(request));

    /**
     * Answers in the server's place, or has it answer.
     *
     * @return empty when nobody will ever answer
     */
    Optional<Response> answer(Request request, Function<Request, Response> server);
}
