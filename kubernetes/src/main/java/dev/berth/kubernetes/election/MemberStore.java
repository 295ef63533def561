package dev.berth.kubernetes.election;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** Where the Leases of all members are. Replies come on the thread of the members' timer, and never as exceptions. */
interface MemberStore {
    /** What came of a list. */
    sealed interface Listed {
        record Found(List<Lease> leases) implements Listed {}

        /** There was no reply, or none that helps. */
        record Failed(String why) implements Listed {}
    }

    CompletionStage<Listed> list();

    CompletionStage<LeaseStore.Reply> create(Lease lease);

    /** Writes the Lease if it has not changed since it was read. */
    CompletionStage<LeaseStore.Reply> update(Lease lease);

    /** Deletes the Lease if it has not changed since it was read. */
    CompletionStage<LeaseStore.Reply> delete(Lease lease);
}
