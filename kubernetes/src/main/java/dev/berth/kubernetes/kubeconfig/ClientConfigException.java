package dev.berth.kubernetes.kubeconfig;

import java.io.IOException;

/** A kubeconfig, certificate, key or token that cannot be used; the message names file, field and value. */
public final class ClientConfigException extends IOException {
    ClientConfigException(String message) {
        super(message);
    }

    ClientConfigException(String message, Throwable cause) {
        super(message, cause);
    }
}
