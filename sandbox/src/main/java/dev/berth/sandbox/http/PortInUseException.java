package dev.berth.sandbox.http;

import java.io.IOException;

/** The configured port is in use by another process. */
public final class PortInUseException extends IOException {

    private final int port;

    public PortInUseException(int port, Throwable cause) {
        super(
                "port (" + port
                        + ") is in use on the loopback address. Maybe use another port, or 0 for any free port.",
                cause);
        this.port = port;
    }

    public int port() {
        return port;
    }
}
