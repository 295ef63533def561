package dev.berth.kubernetes.leaderelection;

import java.util.List;
import java.util.Optional;

/** Hears which Berths there are. All on the thread of the members' timer. */
public interface MemberRegistryListener {
    /** Whether a member is configured for something that contradicts this one, and in words what. */
    Optional<String> findConflict(Member other);

    /**
     * This Berth is a member now, or the members have changed.
     *
     * @param members all that count, this one included, by slot
     */
    void onMembersChanged(List<Member> members);

    /** This Berth cannot join for now, and why; it tries again. */
    void onJoinBlocked(String reason);

    /** This Berth contradicts a member that runs: it is none, and does not try again. */
    void onRejected(String reason);
}
