package dev.berth.http;

/** What is done at one path. Safe from several threads at once. */
public interface Route {
    Reply answer(Asked asked) throws InterruptedException;

    /** The body is larger than anybody needs, and was not read to its end. */
    default Reply tooLarge(int mostBytes) {
        return Reply.text(413, "The body is larger than %d bytes. Maybe ask in parts%n".formatted(mostBytes));
    }

    /** There is no memory for the request now. The caller is told when to come back. */
    default Reply busy() {
        return Reply.text(503, BUSY + "\n");
    }

    /** What a caller is told that there is no memory for. */
    String BUSY = "Berth is busy: the memory of all requests (doors.requestMemory) is in use. The request was not"
            + " processed. Send it again after the seconds in Retry-After";
}
