package dev.berth.kubernetes.http2;

/** A complete response. */
public final class Response {
    private final ResponseHead head;
    private final byte[] body;

    Response(ResponseHead head, byte[] body) {
        this.head = head;
        this.body = body;
    }

    /** The same response with advice for the user. */
    public Response withAdvice(String advice) {
        return new Response(head.withAdvice(advice), body);
    }

    public ResponseHead head() {
        return head;
    }

    public int status() {
        return head.status();
    }

    /** Not a copy: must not be modified. */
    public byte[] body() {
        return body;
    }
}
