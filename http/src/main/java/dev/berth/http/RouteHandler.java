package dev.berth.http;

/** Handles the requests of one path. Safe for several threads at once. */
public interface RouteHandler {
    ServerResponse handle(ServerRequest serverRequest) throws InterruptedException;

    /**
     * The request is larger than the limit, and was not processed.
     *
     * @param problem the message: about the body, or about the memory that it would need
     */
    default ServerResponse tooLarge(String problem) {
        return ServerResponse.text(413, problem + ". " + SPLIT_HINT + "\n");
    }

    String SPLIT_HINT = "Maybe split the request";

    /** There is no memory for the request now. The response has a Retry-After. */
    default ServerResponse busy() {
        return ServerResponse.text(503, BUSY_MESSAGE + "\n");
    }

    /** The message for a request without memory. */
    String BUSY_MESSAGE =
            "Berth is busy: the memory of all requests (http.requestMemoryLimit) is in use. The request was not"
                    + " processed. Send it again after the seconds in Retry-After";
}
