package dev.berth.kubernetes.connection;

import java.io.IOException;

/** A kubeconfig, certificate, key or token that cannot be used; the message names file, field and value. */
public final class UnusableAccess extends IOException {
    UnusableAccess(String message) {
        super(message);
    }

    UnusableAccess(String message, Throwable cause) {
        super(message, cause);
    }
}
