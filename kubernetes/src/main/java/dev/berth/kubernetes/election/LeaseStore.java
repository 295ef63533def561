package dev.berth.kubernetes.election;

import java.util.concurrent.CompletionStage;

/** Where the Lease is. Answers come on the thread of the election's timer, and never as exceptions. */
interface LeaseStore {
    /** What came of a request. */
    sealed interface Reply {
        /** The lease as it is now. */
        record Found(Lease lease) implements Reply {}

        /** There is no lease of this name. */
        record Missing() implements Reply {}

        /** Somebody else wrote it meanwhile. */
        record Changed() implements Reply {}

        /** There was no answer, or none that helps. */
        record Failed(String why) implements Reply {}
    }

    CompletionStage<Reply> read();

    CompletionStage<Reply> create(Lease lease);

    /** Writes it, if nobody has since the one it was made from was read. */
    CompletionStage<Reply> update(Lease lease);
}
