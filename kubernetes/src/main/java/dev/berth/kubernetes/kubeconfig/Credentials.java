package dev.berth.kubernetes.kubeconfig;

import java.util.Optional;

/** Who we are to the API server, beyond a client certificate. Safe from any thread; never waits. */
public interface Credentials extends AutoCloseable {
    /** For access by client certificate alone. */
    Credentials NONE = Optional::empty;

    /** The value of the {@code authorization} header of the next request. */
    Optional<String> authorization();

    /** The server did not know us: what is remembered may be out of date. */
    default void onUnauthorized() {}

    /** What to do when the server does not know us, for messages. */
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
     * What does not change while Berth runs.
     *
     * @param header empty for a client certificate
     * @param location where it is written
     */
    static Credentials fixed(Optional<String> header, String location) {
        return ofFixedHeader(header, rejectedAdvice(location, "Write a valid one there and restart Berth"));
    }

    /** Where there are no credentials at all. */
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

    /** That what is written at the place does not do, and what to do about it. */
    static String rejectedAdvice(String location, String remedy) {
        return "The API server does not accept the credentials from %s: they are wrong or expired. %s"
                .formatted(location, remedy);
    }

    static String bearerHeader(String token) {
        return "Bearer " + token;
    }
}
