package dev.berth.kubernetes.election;

import java.util.List;
import java.util.Optional;

/** Hears which Berths there are. All on the thread of the members' timer. */
public interface MemberObserver {
    /** Whether a member is configured for something that contradicts this one, and in words what. */
    Optional<String> contradiction(Member other);

    /**
     * This Berth is a member now, or the members have changed.
     *
     * @param members all that count, this one included, by slot
     */
    void members(List<Member> members);

    /** This Berth cannot join for now, and why; it tries again. */
    void cannotJoin(String why);

    /** This Berth contradicts a member that runs: it is none, and does not try again. */
    void rejected(String why);
}
