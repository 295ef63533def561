package dev.berth.kubeclient.kubeconfig;

import java.util.Optional;

/** Credentials for the API server besides a client certificate. Safe from any thread; never blocks. */
public interface Credentials extends AutoCloseable {
    /** For access with a client certificate alone. */
    Credentials NONE = Optional::empty;

    /** The value of the {@code authorization} header of the next request. */
    Optional<String> authorization();

    /** The server answered 401: cached credentials may be outdated. */
    default void onUnauthorized() {}

    /** What the user should do if the server answers 401, for messages. */
    default String advice() {
        return "The API server does not accept Berth's credentials: they are wrong or expired";
    }

    @Override
    default void close() {}

    static Credentials ofBearerToken(String token) {
        Optional<String> header = Optional.of(bearerHeader(token));
        return () -> header;
    }

    /**
     * Credentials that do not change while Berth runs.
     *
     * @param header empty for a client certificate
     * @param location where they are configured
     */
    static Credentials fixed(Optional<String> header, String location) {
        return ofFixedHeader(header, rejectedAdvice(location, "Write a valid one there and restart Berth"));
    }

    /** For access without any credentials. */
    static Credentials none(String advice) {
        return ofFixedHeader(Optional.empty(), advice);
    }

    private static Credentials ofFixedHeader(Optional<String> header, String advice) {
        return new Credentials() {
            @Override
            public Optional<String> authorization() {
                return header;
            }

            @Override
            public String advice() {
                return advice;
            }
        };
    }

    /** The message that the server rejects the credentials at this location, and what to do. */
    static String rejectedAdvice(String location, String advice) {
        return "The API server does not accept the credentials from %s: they are wrong or expired. %s"
                .formatted(location, advice);
    }

    static String bearerHeader(String token) {
        return "Bearer " + token;
    }
}
