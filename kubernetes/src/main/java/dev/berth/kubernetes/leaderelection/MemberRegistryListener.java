package dev.berth.kubernetes.leaderelection;

import java.util.List;
import java.util.Optional;

/** Receives changes of the members. All calls come on the thread of the members' timer. */
public interface MemberRegistryListener {
    /** The conflict between this Berth's configuration and that of the member; empty if there is none. */
    Optional<String> findConflict(Member other);

    /**
     * This Berth is a member now, or the members changed.
     *
     * @param members all active members by slot, including this one
     */
    void onMembersChanged(List<Member> members);

    /** This Berth cannot join for now, for this reason; it tries again. */
    void onJoinBlocked(String reason);

    /** The configuration of this Berth conflicts with a running member: it is not a member, and does not try again. */
    void onRejected(String reason);
}
