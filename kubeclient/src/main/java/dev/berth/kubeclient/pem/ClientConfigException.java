package dev.berth.kubeclient.pem;

import java.io.IOException;

/** A kubeconfig, certificate, key or token that cannot be used; the message names file, field and value. */
public final class ClientConfigException extends IOException {
    public ClientConfigException(String message) {
        super(message);
    }

    public ClientConfigException(String message, Throwable cause) {
        super(message, cause);
    }
}
