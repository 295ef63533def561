package dev.berth.app.config;

import dev.berth.app.UserError;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.queue.BackOff;
import dev.berth.kubernetes.schedulerconfig.SchedulerConfiguration;
import dev.berth.kubernetes.time.GoDuration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the configuration file. A wrong key or value is named, with what would be right; nothing is ignored. */
public final class ConfigFile {
    private static final Logger LOG = LoggerFactory.getLogger(ConfigFile.class);

    private ConfigFile() {}

    /** What was read, and what of it has no effect. */
    record Read(Config config, List<String> notes) {}

    public static Config read(Path file) {
        try {
            Read read = parse(Files.readString(file), file);
            read.notes.forEach(note -> LOG.warn("{}: {}", file, note));
            return read.config;
        } catch (NoSuchFileException missing) {
            throw UserError.setting("--config %s: there is no such file".formatted(file), missing);
        } catch (IOException unreadable) {
            throw UserError.setting(
                    "--config %s: cannot be read: %s".formatted(file, unreadable.getMessage()), unreadable);
        }
    }

    /** @param source where the text is from: other files that it names are looked for beside it */
    static Read parse(String text, Path source) {
        Section root = OneDocument.read(text, source);
        try {
            Read read = SchedulerFile.isMeant(root) ? SchedulerFile.read(root, source) : own(root, source);
            read.config.leaderElection().requireTheOneLedger();
            // Too long a configuration is refused before anything starts.
            Served.write(read.config);
            return read;
        } catch (IllegalArgumentException wrong) {
            throw UserError.setting("%s: %s".formatted(source, wrong.getMessage()), wrong);
        }
    }

    private static Read own(Section root, Path source) {
        root.onlyKnown();
        Read placing = root.has(SchedulerFile.KEY) ? SchedulerFile.named(root, source) : placing(root);
        Config config = new Config(
                placing.config.profiles(),
                placing.config.profileSources(),
                placing.config.leaderElection(),
                placing.config.podBackOff(),
                root.number("bindsInFlight", Config.DEFAULT.bindsInFlight()),
                doors(root),
                operation(root.section("operation")));
        return new Read(config, placing.notes);
    }

    /** What a file of kube-scheduler could say as well; the rest is as by default. */
    private static Read placing(Section root) {
        List<String> notes = new ArrayList<>();
        Config defaults = Config.DEFAULT;
        Config config = new Config(
                profiles(root, notes),
                profileSources(root, Config.DEFAULT_NAME),
                leaderElection(root.section("leaderElection")),
                backOff(root.section("podBackOff")),
                defaults.bindsInFlight(),
                defaults.doors(),
                defaults.operation());
        return new Read(config, notes);
    }

    /** The names alone have the default profile; whoever lists profiles need not name any alone. */
    private static Profiles profiles(Section root, List<String> notes) {
        Map<String, Profile> profiles = new TreeMap<>();
        root.plain("profiles")
                .ifPresent(list -> profiles.putAll(SchedulerConfiguration.profiles(list, Config.DEFAULT_NAME, notes)
                        .byName()));
        Set<String> usual = profiles.isEmpty() ? Config.DEFAULT.schedulerNames() : Set.of();
        for (String name : root.names("schedulerNames", usual)) {
            if (profiles.put(name, Profile.DEFAULT) != null) {
                throw new IllegalArgumentException(
                        "schedulerNames: (%s) has a profile of its own: leave it out here".formatted(name));
            }
        }
        return new Profiles(profiles, Profile.DEFAULT);
    }

    /**
     * The profiles as they were written, by the schedulers' names.
     *
     * @param lonelyName the scheduler's name of a profile that is the only one and says none
     */
    static Map<String, Object> profileSources(Section root, String lonelyName) {
        Map<String, Object> sources = new TreeMap<>();
        if (root.plain("profiles").orElse(List.of()) instanceof List<?> profiles) {
            for (Object profile : profiles) {
                if (profile instanceof Map<?, ?> said) {
                    sources.put(
                            String.valueOf(said.containsKey("schedulerName") ? said.get("schedulerName") : lonelyName),
                            said);
                }
            }
        }
        return sources;
    }

    private static DoorSettings doors(Section root) {
        Section section = root.section("doors");
        section.onlyKnown();
        Set<DoorName> without = EnumSet.noneOf(DoorName.class);
        for (String name : section.names("without", Set.of())) {
            try {
                without.add(DoorName.named(name));
            } catch (IllegalArgumentException unknown) {
                throw new IllegalArgumentException("doors.without: " + unknown.getMessage(), unknown);
            }
        }
        return DoorSettings.DEFAULT
                .without(without)
                .withRequestMemory(section.memory("requestMemory", DoorSettings.DEFAULT.requestMemory()))
                .withReturnTtl(returnTtl(root.section("return")))
                .withReserveApi(reserveApi(root.section("reserveApi")))
                .withExtender(extender(root.section("extender")));
    }

    private static Duration returnTtl(Section section) {
        section.onlyKnown();
        return section.duration("ttl", DoorSettings.DEFAULT.returnTtl());
    }

    private static LeaderElection leaderElection(Section section) {
        section.onlyKnown();
        LeaderElection defaults = LeaderElection.DEFAULT;
        if (!section.flag("enabled", true)) {
            throw new IllegalArgumentException(
                    "leaderElection.enabled (false): a Berth always takes the Lease %s, also where it is the only one, so"
                                    .formatted(defaults.lease())
                            + " that no second one decides beside it. Leave this key out");
        }
        return new LeaderElection(
                section.text("namespace", defaults.namespace()),
                section.text("name", defaults.name()),
                section.duration("leaseDuration", defaults.leaseDuration()),
                section.duration("renewDeadline", defaults.renewDeadline()),
                section.duration("retryPeriod", defaults.retryPeriod()));
    }

    private static ReserveApiSettings reserveApi(Section section) {
        section.onlyKnown();
        ReserveApiSettings defaults = ReserveApiSettings.DEFAULT;
        return new ReserveApiSettings(
                section.flag("enabled", defaults.enabled()),
                section.text("address", defaults.address()),
                section.number("port", defaults.port()),
                defaults.elseAnyFree(),
                section.duration("holdFor", defaults.holdFor()));
    }

    private static ExtenderSettings extender(Section section) {
        section.onlyKnown();
        ExtenderSettings defaults = ExtenderSettings.DEFAULT;
        return new ExtenderSettings(
                section.flag("enabled", defaults.enabled()),
                section.text("address", defaults.address()),
                section.number("port", defaults.port()));
    }

    /** Another port will do only where nobody chose where to listen. */
    private static OperationSettings operation(Section section) {
        section.onlyKnown();
        OperationSettings defaults = OperationSettings.DEFAULT;
        return new OperationSettings(
                section.flag("enabled", defaults.enabled()),
                section.text("address", defaults.address()),
                section.number("port", defaults.port()),
                !section.has("port") && !section.has("address"));
    }

    private static BackOff backOff(Section section) {
        section.onlyKnown();
        Duration first = section.duration("first", BackOff.DEFAULT.first());
        Duration longest = section.duration("longest", BackOff.DEFAULT.longest());
        if (first.isZero() || first.compareTo(longest) > 0) {
            throw new IllegalArgumentException("podBackOff.first (%s) must be above 0s and not above longest (%s)"
                    .formatted(GoDuration.format(first), GoDuration.format(longest)));
        }
        return new BackOff(first, longest);
    }
}
