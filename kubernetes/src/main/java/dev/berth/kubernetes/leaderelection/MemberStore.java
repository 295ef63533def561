package dev.berth.kubernetes.leaderelection;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** Where the Leases of all members are. Replies come on the thread of the members' timer, and never as exceptions. */
interface MemberStore {
    /** What came of a list. */
    sealed interface MemberListResult {
        record Found(List<Lease> leases) implements MemberListResult {}

        /** There was no reply, or none that helps. */
        record Failed(String message) implements MemberListResult {}
    }

    CompletionStage<MemberListResult> list();

    CompletionStage<LeaseStore.LeaseResult> create(Lease lease);

    /** Writes the Lease if it has not changed since it was read. */
    CompletionStage<LeaseStore.LeaseResult> update(Lease lease);

    /** Deletes the Lease if it has not changed since it was read. */
    CompletionStage<LeaseStore.LeaseResult> delete(Lease lease);
}
