package dev.berth.testkit.controlplane;

/** There is no control plane to be had on this machine; the message says why and what would help. */
public final class MissingControlPlaneException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public MissingControlPlaneException(String message) {
        super(message);
    }
}
