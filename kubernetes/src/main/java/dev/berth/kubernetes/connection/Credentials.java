package dev.berth.kubernetes.connection;

import java.util.Optional;

/** Who we are to the API server, beyond a client certificate. Safe from any thread; never waits. */
public interface Credentials extends AutoCloseable {
    /** For access by client certificate alone. */
    Credentials NONE = Optional::empty;

    /** The value of the {@code authorization} header of the next request. */
    Optional<String> authorization();

    /** The server did not know us: what is remembered may be out of date. */
    default void refused() {}

    @Override
    default void close() {}

    static Credentials token(String token) {
        Optional<String> header = Optional.of(bearer(token));
        return () -> header;
    }

    static String bearer(String token) {
        return "Bearer " + token;
    }
}
