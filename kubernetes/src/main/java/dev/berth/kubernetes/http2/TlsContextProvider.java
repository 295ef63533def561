package dev.berth.kubernetes.http2;

import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.util.Optional;

/** Gives the TLS material of each new connection, so that certificates renewed on disk are taken up. */
public interface TlsContextProvider {
    /**
     * The context of the next connection.
     *
     * @throws IOException when a file cannot be read or understood, in words that name it
     */
    SslContext context() throws IOException;

    /** Why a handshake failed, in words that say what of this material to correct where that is the cause. */
    default Throwable explainHandshakeFailure(Throwable failure) {
        return failure;
    }

    /** The name the server's certificate must be for, where it is not the host's. */
    default Optional<String> serverName() {
        return Optional.empty();
    }
}
