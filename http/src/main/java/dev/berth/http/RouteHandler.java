package dev.berth.http;

/** What is done at one path. Safe from several threads at once. */
public interface RouteHandler {
    ServerResponse handle(ServerRequest serverRequest) throws InterruptedException;

    /**
     * The request is larger than Berth serves, and was not processed.
     *
     * @param problem in words: the body, or the memory that it would take
     */
    default ServerResponse tooLarge(String problem) {
        return ServerResponse.text(413, problem + ". " + SPLIT_HINT + "\n");
    }

    String SPLIT_HINT = "Maybe ask in parts";

    /** There is no memory for the request now. The caller is told when to come back. */
    default ServerResponse busy() {
        return ServerResponse.text(503, BUSY_MESSAGE + "\n");
    }

    /** What a caller is told that there is no memory for. */
    String BUSY_MESSAGE =
            "Berth is busy: the memory of all requests (http.requestMemoryLimit) is in use. The request was not"
                    + " processed. Send it again after the seconds in Retry-After";
}
