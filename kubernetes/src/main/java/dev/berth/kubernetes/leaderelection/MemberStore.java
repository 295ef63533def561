package dev.berth.kubernetes.leaderelection;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Reads and writes the Leases of all members. Results arrive on the thread of the members' timer, and never as
 * exceptions.
 */
interface MemberStore {
    /** The result of a list. */
    sealed interface MemberListResult {
        record Found(List<Lease> leases) implements MemberListResult {}

        /** There was no response, or an unexpected one. */
        record Failed(String message) implements MemberListResult {}
    }

    CompletionStage<MemberListResult> list();

    CompletionStage<LeaseStore.LeaseResult> create(Lease lease);

    /** Writes the Lease if it has not changed since it was read. */
    CompletionStage<LeaseStore.LeaseResult> update(Lease lease);

    /** Deletes the Lease if it has not changed since it was read. */
    CompletionStage<LeaseStore.LeaseResult> delete(Lease lease);
}
