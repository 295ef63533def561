package dev.berth.testkit.controlplane;

/** No control plane is available on this machine; the message says why and what to do. */
public final class MissingControlPlaneException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public MissingControlPlaneException(String message) {
        super(message);
    }
}
