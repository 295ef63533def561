package dev.berth.app.config;

import dev.berth.app.cli.UserError;
import dev.berth.core.door.koordinator.settings.ReservationSettings;
import dev.berth.core.hold.Origin.DoorId;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.queue.BackoffPolicy;
import dev.berth.kubernetes.schedulerconfig.KubeSchedulerConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the configuration file. A wrong key or value is rejected with the expected form; nothing is ignored. */
public final class ConfigFile {
    private static final Logger LOG = LoggerFactory.getLogger(ConfigFile.class);

    static final String INITIAL_BACKOFF = "podInitialBackoffSeconds";
    static final String MAX_BACKOFF = "podMaxBackoffSeconds";

    private ConfigFile() {}

    /**
     * The configuration, and warnings about settings without effect.
     *
     * @param reservationArgs the arguments of the plugin Reservation in a profile; empty if no profile has any
     */
    record Parsed(Config config, List<String> warnings, Optional<ReservationSettings> reservationArgs) {}

    public static Config read(Path file) {
        try {
            Parsed parsed = parse(Files.readString(file), file);
            parsed.warnings.forEach(note -> LOG.warn("{}: {}", file, note));
            return parsed.config;
        } catch (NoSuchFileException missing) {
            throw UserError.invalidSetting("--config %s: the file does not exist".formatted(file), missing);
        } catch (IOException unreadable) {
            throw UserError.invalidSetting(
                    "--config %s: cannot be read: %s".formatted(file, unreadable.getMessage()), unreadable);
        }
    }

    /** @param source the path of the file: relative paths in it are resolved against its folder */
    static Parsed parse(String text, Path source) {
        ConfigSection root = StrictYaml.read(text, source);
        try {
            Parsed parsed = KubeSchedulerFile.isKubeSchedulerConfiguration(root)
                    ? KubeSchedulerFile.read(root, source)
                    : parseBerthFile(root, source);
            parsed.config.leaderElection().requireDefaultLease();
            // A configuration that is too long is rejected before anything starts.
            MemberConfig.toJson(parsed.config);
            return parsed;
        } catch (IllegalArgumentException wrong) {
            throw UserError.invalidSetting("%s: %s".formatted(source, wrong.getMessage()), wrong);
        }
    }

    private static Parsed parseBerthFile(ConfigSection root, Path source) {
        root.rejectUnknownKeys();
        Parsed scheduling = root.has(KubeSchedulerFile.KEY)
                ? KubeSchedulerFile.readReferenced(root, source)
                : readSchedulingSettings(root);
        List<String> warnings = new ArrayList<>(scheduling.warnings);
        Config config = new Config(
                        scheduling.config.profiles(),
                        scheduling.config.profileSources(),
                        scheduling.config.leaderElection(),
                        scheduling.config.podBackOff(),
                        root.number("maxConcurrentBinds", Config.DEFAULT.bindsInFlight()),
                        doors(root, reservations(root, scheduling.reservationArgs, warnings)),
                        http(root),
                        diagnostics(root.section("diagnostics")))
                .withSchedulerLeases(
                        SchedulerLeases.read(root.section(SchedulerLeases.KEY).node()));
        return new Parsed(config, warnings, scheduling.reservationArgs);
    }

    /** Arguments of the plugin Reservation in a profile replace the same keys of this file. */
    private static ReservationSettings reservations(
            ConfigSection root, Optional<ReservationSettings> args, List<String> warnings) {
        ConfigSection section = root.section(KoordinatorSection.PATH);
        ReservationSettings own = KoordinatorSection.read(section, warnings);
        if (args.isEmpty()) {
            return own;
        }
        KoordinatorSection.rejectArguments(section);
        return args.get().withMoving(own.moving()).withCleanedReservationAllocated(own.cleansReservationAllocated());
    }

    /** The settings that a file of kube-scheduler can have, too; the rest has defaults. */
    private static Parsed readSchedulingSettings(ConfigSection root) {
        List<String> warnings = new ArrayList<>();
        Config defaults = Config.DEFAULT;
        Optional<ReservationSettings> reservationArgs = root.toPlainObject("profiles")
                .flatMap(list -> KubeSchedulerConfiguration.readReservationArgs(list, warnings));
        Config config = new Config(
                profiles(root, warnings),
                profileSources(root, Config.DEFAULT_SCHEDULER_NAME),
                leaderElection(root.section("leaderElection")),
                backOff(root),
                defaults.bindsInFlight(),
                defaults.doors().withReservations(reservationArgs.orElse(ReservationSettings.DEFAULT)),
                defaults.http(),
                defaults.diagnostics());
        return new Parsed(config, warnings, reservationArgs);
    }

    /** Names without a profile have the default profile. If profiles are listed, names are optional. */
    private static Profiles profiles(ConfigSection root, List<String> warnings) {
        Map<String, Profile> profiles = new TreeMap<>();
        root.toPlainObject("profiles")
                .ifPresent(list -> profiles.putAll(
                        KubeSchedulerConfiguration.readProfiles(list, Config.DEFAULT_SCHEDULER_NAME, warnings)
                                .byName()));
        Set<String> defaults = profiles.isEmpty() ? Config.DEFAULT.schedulerNames() : Set.of();
        for (String name : root.nameSet("schedulerNames", defaults)) {
            if (profiles.put(name, Profile.DEFAULT) != null) {
                throw new IllegalArgumentException(
                        "schedulerNames: (%s) has a profile. Remove it here".formatted(name));
            }
        }
        return new Profiles(profiles, Profile.DEFAULT);
    }

    /**
     * The profiles as they were written, by scheduler name.
     *
     * @param defaultSchedulerName the scheduler name of a single profile without a name
     */
    static Map<String, Object> profileSources(ConfigSection root, String defaultSchedulerName) {
        Map<String, Object> sources = new TreeMap<>();
        if (root.toPlainObject("profiles").orElse(List.of()) instanceof List<?> profiles) {
            for (Object profile : profiles) {
                if (profile instanceof Map<?, ?> source) {
                    sources.put(
                            String.valueOf(
                                    source.containsKey("schedulerName")
                                            ? source.get("schedulerName")
                                            : defaultSchedulerName),
                            source);
                }
            }
        }
        return sources;
    }

    private static DoorSettings doors(ConfigSection root, ReservationSettings reservations) {
        ConfigSection section = root.section("doors");
        section.rejectUnknownKeys();
        Set<DoorId> disabled = EnumSet.noneOf(DoorId.class);
        for (String name : section.nameSet("disabled", Set.of())) {
            try {
                disabled.add(DoorId.parse(name));
            } catch (IllegalArgumentException unknown) {
                throw new IllegalArgumentException("doors.disabled: " + unknown.getMessage(), unknown);
            }
        }
        return DoorSettings.DEFAULT
                .withDisabled(disabled)
                .withReservations(reservations)
                .withGodelReservationTtl(godelReservationTtl(root.section("godel")))
                .withGlobalReserveApi(globalReserveApi(root.section("globalreserve")));
    }

    private static HttpSettings http(ConfigSection root) {
        ConfigSection section = root.section("http");
        section.rejectUnknownKeys();
        return new HttpSettings(
                extender(root.section("extender")),
                section.memory("requestMemoryLimit", HttpSettings.DEFAULT.requestMemory()));
    }

    private static Duration godelReservationTtl(ConfigSection section) {
        section.rejectUnknownKeys();
        return section.duration("reservationTTL", DoorSettings.DEFAULT.godelReservationTtl());
    }

    private static LeaderElection leaderElection(ConfigSection section) {
        section.rejectUnknownKeys();
        LeaderElection defaults = LeaderElection.DEFAULT;
        if (!section.bool("leaderElect", true)) {
            throw new IllegalArgumentException(
                    "leaderElection.leaderElect (false): Berth always takes the Lease %s, even with one replica, so that only one replica schedules. Remove this key"
                            .formatted(defaults.leaseKey()));
        }
        return new LeaderElection(
                section.text("resourceNamespace", defaults.namespace()),
                section.text("resourceName", defaults.name()),
                section.duration("leaseDuration", defaults.leaseDuration()),
                section.duration("renewDeadline", defaults.renewDeadline()),
                section.duration("retryPeriod", defaults.retryPeriod()));
    }

    private static GlobalReserveApiSettings globalReserveApi(ConfigSection section) {
        section.rejectUnknownKeys();
        ConfigSection api = section.section("api");
        api.rejectUnknownKeys();
        GlobalReserveApiSettings defaults = GlobalReserveApiSettings.DEFAULT;
        return new GlobalReserveApiSettings(
                api.bool("enabled", defaults.enabled()),
                api.text("bindAddress", defaults.address()),
                api.number("port", defaults.port()),
                defaults.fallbackToFreePort(),
                section.duration("reservationTTL", defaults.reservationTtl()));
    }

    private static ExtenderSettings extender(ConfigSection section) {
        section.rejectUnknownKeys();
        ExtenderSettings defaults = ExtenderSettings.DEFAULT;
        return new ExtenderSettings(
                section.bool("enabled", defaults.enabled()),
                section.text("bindAddress", defaults.address()),
                section.number("port", defaults.port()));
    }

    /** Another port is used only if the user did not choose the address. */
    private static DiagnosticsSettings diagnostics(ConfigSection section) {
        section.rejectUnknownKeys();
        DiagnosticsSettings defaults = DiagnosticsSettings.DEFAULT;
        return new DiagnosticsSettings(
                section.bool("enabled", defaults.enabled()),
                section.text("bindAddress", defaults.address()),
                section.number("port", defaults.port()),
                !section.has("port") && !section.has("bindAddress"));
    }

    private static BackoffPolicy backOff(ConfigSection root) {
        int initial = root.number(
                INITIAL_BACKOFF, (int) BackoffPolicy.DEFAULT.initial().toSeconds());
        int max = root.number(MAX_BACKOFF, (int) BackoffPolicy.DEFAULT.max().toSeconds());
        if (initial < 1 || initial > max) {
            throw new IllegalArgumentException("%s (%d) must be at least 1 and not above %s (%d)"
                    .formatted(INITIAL_BACKOFF, initial, MAX_BACKOFF, max));
        }
        return new BackoffPolicy(Duration.ofSeconds(initial), Duration.ofSeconds(max));
    }
}
