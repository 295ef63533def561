package dev.berth.http;

/** What is done at one path. Safe from several threads at once. */
public interface Route {
    Reply answer(Asked asked) throws InterruptedException;

    /**
     * The request is larger than Berth serves, and was not processed.
     *
     * @param problem in words: the body, or the memory that it would take
     */
    default Reply tooLarge(String problem) {
        return Reply.text(413, problem + ". " + IN_PARTS + "\n");
    }

    String IN_PARTS = "Maybe ask in parts";

    /** There is no memory for the request now. The caller is told when to come back. */
    default Reply busy() {
        return Reply.text(503, BUSY + "\n");
    }

    /** What a caller is told that there is no memory for. */
    String BUSY = "Berth is busy: the memory of all requests (doors.requestMemory) is in use. The request was not"
            + " processed. Send it again after the seconds in Retry-After";
}
