package dev.berth.kubernetes.leaderelection;

import java.util.concurrent.CompletionStage;

/** Reads and writes the Lease. Results arrive on the thread of the election's timer, and never as exceptions. */
interface LeaseStore {
    /** The result of a request. */
    sealed interface LeaseResult {
        /** The present Lease. */
        record Found(Lease lease) implements LeaseResult {}

        /** The Lease does not exist. */
        record NotFound() implements LeaseResult {}

        /** A different process wrote the Lease in between. */
        record Conflict() implements LeaseResult {}

        /** There was no response, or an unexpected one. */
        record Failed(String message) implements LeaseResult {}
    }

    CompletionStage<LeaseResult> read();

    CompletionStage<LeaseResult> create(Lease lease);

    /** Writes the Lease, if it has not changed since it was read. */
    CompletionStage<LeaseResult> update(Lease lease);
}
