package dev.berth.kubernetes.http2;

/** A whole answer. */
public final class Response {
    private final Head head;
    private final byte[] body;

    Response(Head head, byte[] body) {
        this.head = head;
        this.body = body;
    }

    /** The same, and what to do about it. */
    public Response advising(String words) {
        return new Response(head.advising(words), body);
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
