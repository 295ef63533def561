package dev.berth.sandbox.http;

import java.io.IOException;

/** The port the server was told to use belongs to somebody else. */
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
