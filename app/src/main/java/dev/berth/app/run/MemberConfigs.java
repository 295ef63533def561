package dev.berth.app.run;

import dev.berth.app.config.Config;
import dev.berth.app.config.MemberConfig;
import dev.berth.kubernetes.leaderelection.Member;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configurations of the Berths of a cluster, from the view of one of them.
 *
 * @param config the configuration of this Berth
 * @param reportedUnreadable the members whose configuration could not be read, each reported once
 */
record MemberConfigs(Config config, Set<Member> reportedUnreadable) {
    private static final Logger LOG = LoggerFactory.getLogger(MemberConfigs.class);

    /** The message why this Berth cannot run at the same time as the other, and what to do. */
    Optional<String> conflictWith(Member other) {
        return configOf(other)
                .flatMap(MemberConfig.from(config)::conflictWith)
                .map(why ->
                        "the configuration conflicts with that of replica %s: %s. All replicas of a cluster share one ledger. Give both the same setting, or stop that replica first"
                                .formatted(other, why));
    }

    /**
     * The configuration that the leader serves: all members combined. If two of them conflict, the first one is used.
     */
    Config merge(List<Member> members) {
        MemberConfig all = MemberConfig.from(config);
        for (Member member : members) {
            Optional<MemberConfig> memberConfig = configOf(member);
            Optional<String> why = memberConfig.flatMap(all::conflictWith);
            if (memberConfig.isPresent() && why.isEmpty()) {
                all = all.merge(memberConfig.get());
            } else {
                why.ifPresent(
                        conflict -> LOG.warn("scheduler names of member {} are not served: {}", member, conflict));
            }
        }
        return all.applyTo(config);
    }

    /**
     * A live member that listens for everything that this one does, and for more: its callers need it to be the leader.
     */
    Optional<Member> preferredLeader(List<Member> members) {
        MemberConfig own = MemberConfig.from(config);
        return members.stream()
                .filter(Member::alive)
                .filter(member ->
                        configOf(member).filter(own::servesFewerApisThan).isPresent())
                .findFirst();
    }

    MemberConfigs(Config config) {
        this(config, ConcurrentHashMap.newKeySet());
    }

    private Optional<MemberConfig> configOf(Member member) {
        try {
            return Optional.of(MemberConfig.parse(member.configuration()));
        } catch (IllegalArgumentException unreadable) {
            if (reportedUnreadable.add(member)) {
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
