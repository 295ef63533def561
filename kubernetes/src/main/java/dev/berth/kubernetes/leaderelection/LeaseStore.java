package dev.berth.kubernetes.leaderelection;

import java.util.concurrent.CompletionStage;

/** Where the Lease is. Answers come on the thread of the election's timer, and never as exceptions. */
interface LeaseStore {
    /** What came of a request. */
    sealed interface LeaseResult {
        /** The lease as it is now. */
        record Found(Lease lease) implements LeaseResult {}

        /** There is no lease of this name. */
        record NotFound() implements LeaseResult {}

        /** Somebody else wrote it meanwhile. */
        record Conflict() implements LeaseResult {}

        /** There was no answer, or none that helps. */
        record Failed(String message) implements LeaseResult {}
    }

    CompletionStage<LeaseResult> read();

    CompletionStage<LeaseResult> create(Lease lease);

    /** Writes it, if nobody has since the one it was made from was read. */
    CompletionStage<LeaseResult> update(Lease lease);
}
