package dev.berth.kubeclient.tls;

import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.util.Optional;

/** Provides the TLS context of each new connection, so that renewed certificates on disk are used. */
public interface TlsContextProvider {
    /**
     * The context of the next connection.
     *
     * @throws IOException if a file cannot be read or is malformed; the message names it
     */
    SslContext context() throws IOException;

    /** Why a handshake failed, with advice if this TLS material is the cause. */
    default Throwable explainHandshakeFailure(Throwable failure) {
        return failure;
    }

    /** The name in the server's certificate, if it differs from the host. */
    default Optional<String> serverName() {
        return Optional.empty();
    }
}
