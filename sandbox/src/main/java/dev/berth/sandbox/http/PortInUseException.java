package dev.berth.sandbox.http;

import java.io.IOException;

/** The port the server was told to use belongs to somebody else. */
public final class PortInUseException extends IOException {

    private final int port;

    public PortInUseException(int port, Throwable cause) {
        super(
                "port (" + port + ") is taken on the loopback address. Maybe choose another, or 0 for any free one.",
                cause);
        this.port = port;
    }

    public int port() {
        return port;
    }
}
