package dev.berth.app.run;

import dev.berth.app.config.Config;
import dev.berth.app.config.Served;
import dev.berth.kubernetes.election.Member;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the Berths of a cluster are configured for, seen from one of them.
 *
 * @param config what this one is configured for
 * @param reported the members whose configuration could not be read, each reported once
 */
record Membership(Config config, Set<Member> reported) {
    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);

    /** In words why this Berth cannot run beside the other, and what to do. */
    Optional<String> contradiction(Member other) {
        return read(other)
                .flatMap(Served.by(config)::contradiction)
                .map(why -> ("the configuration conflicts with that of Berth %s: %s. All Berths of a cluster share one"
                                + " ledger. Give both the same setting, or stop that Berth first")
                        .formatted(other, why));
    }

    /** What the leader serves: all that the members are configured for. Of those that contradict, the first counts. */
    Config union(List<Member> members) {
        Served all = Served.by(config);
        for (Member member : members) {
            Optional<Served> served = read(member);
            Optional<String> why = served.flatMap(all::contradiction);
            if (served.isPresent() && why.isEmpty()) {
                all = all.with(served.get());
            } else {
                why.ifPresent(words -> LOG.warn("scheduler names of member {} are not served: {}", member, words));
            }
        }
        return all.settingsOf(config);
    }

    /** A live member that listens for all that this one does, and for more: callers of it need it to lead. */
    Optional<Member> betterLeader(List<Member> members) {
        Served own = Served.by(config);
        return members.stream()
                .filter(Member::alive)
                .filter(member -> read(member).filter(own::listensForLessThan).isPresent())
                .findFirst();
    }

    Membership(Config config) {
        this(config, ConcurrentHashMap.newKeySet());
    }

    private Optional<Served> read(Member member) {
        try {
            return Optional.of(Served.read(member.content()));
        } catch (IllegalArgumentException unreadable) {
            if (reported.add(member)) {
                LOG.warn(
                        "member {} has a configuration that cannot be read ({}): its scheduler names are not served. Run the"
                                + " same version of Berth everywhere",
                        member,
                        unreadable.getMessage());
            }
            return Optional.empty();
        }
    }
}
