package dev.berth.kubernetes.http2;

/** A whole answer. */
public final class Response {
    private final Head head;
    private final byte[] body;

    Response(Head head, byte[] body) {
        this.head = head;
        this.body = body;
    }

    public Head head() {
        return head;
    }

    public int status() {
        return head.status();
    }

    /** Not a copy: for reading alone. */
    public byte[] body() {
        return body;
    }
}
