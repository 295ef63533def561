package dev.berth.app.config;

import dev.berth.app.cli.UserError;
import dev.berth.core.door.koordinator.settings.ReservationSettings;
import dev.berth.core.queue.BackoffPolicy;
import dev.berth.kubernetes.schedulerconfig.KubeSchedulerConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Settings from a file in kube-scheduler's format; the rest has defaults. */
final class KubeSchedulerFile {
    /** The key of Berth's file that names such a file. */
    static final String KEY = "kubeSchedulerConfigFile";

    private static final String DEFAULT_SCHEDULER_NAME = "default-scheduler";

    /** The settings of such a file, by the keys of Berth's own file. */
    private static final List<String> REPLACED_KEYS =
            List.of("schedulerNames", "profiles", "leaderElection", ConfigFile.INITIAL_BACKOFF, ConfigFile.MAX_BACKOFF);

    private KubeSchedulerFile() {}

    /** Whether the file is meant for kube-scheduler, valid or not. */
    static boolean isKubeSchedulerConfiguration(ConfigSection root) {
        return root.has("apiVersion") || root.has("kind");
    }

    /**
     * The file that Berth's own file names.
     *
     * @param source the path of Berth's own file: the name is resolved against its folder
     */
    static ConfigFile.Parsed readReferenced(ConfigSection root, Path source) {
        String name = root.text(KEY, "");
        if (name.isBlank()) {
            throw new IllegalArgumentException("%s (%s) must be the name of a file".formatted(KEY, name));
        }
        for (String key : REPLACED_KEYS) {
            if (root.has(key) && !root.isEmptyList(key)) {
                throw new IllegalArgumentException(
                        "%s must not be set together with %s (%s). Set it in that file".formatted(key, KEY, name));
            }
        }
        Path file = source.resolveSibling(name);
        ConfigFile.Parsed parsed = read(StrictYaml.read(readText(file), file), file);
        return new ConfigFile.Parsed(
                parsed.config(),
                parsed.warnings().stream()
                        .map(note -> "%s: %s".formatted(file, note))
                        .toList(),
                parsed.reservationArgs());
    }

    private static String readText(Path file) {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException missing) {
            throw new IllegalArgumentException("%s (%s): the file does not exist".formatted(KEY, file), missing);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "%s (%s): cannot be read: %s".formatted(KEY, file, unreadable.getMessage()), unreadable);
        }
    }

    static ConfigFile.Parsed read(ConfigSection root, Path source) {
        try {
            KubeSchedulerConfiguration read = KubeSchedulerConfiguration.read((Map<?, ?>) root.toPlainObject());
            List<String> warnings = new ArrayList<>(read.warnings());
            if (!read.readLeaderElection().enabled().orElse(true)) {
                warnings.add("leaderElection.leaderElect has no effect: Berth always takes the Lease %s"
                        .formatted(LeaderElection.DEFAULT.leaseKey()));
            }
            Config config = new Config(
                    read.readProfiles(),
                    ConfigFile.profileSources(root, DEFAULT_SCHEDULER_NAME),
                    leaderElection(read.readLeaderElection()),
                    new BackoffPolicy(
                            read.readPodBackoff().initial(),
                            read.readPodBackoff().max()),
                    Config.DEFAULT.bindsInFlight(),
                    Config.DEFAULT
                            .doors()
                            .withReservations(read.readReservationArgs().orElse(ReservationSettings.DEFAULT)),
                    Config.DEFAULT.http(),
                    Config.DEFAULT.diagnostics());
            return new ConfigFile.Parsed(config, warnings, read.readReservationArgs());
        } catch (IllegalArgumentException wrong) {
            throw UserError.invalidSetting("%s: %s".formatted(source, wrong.getMessage()), wrong);
        }
    }

    private static LeaderElection leaderElection(KubeSchedulerConfiguration.LeaderElectionConfiguration source) {
        LeaderElection defaults = LeaderElection.DEFAULT;
        return new LeaderElection(
                source.namespace().orElse(defaults.namespace()),
                source.name().orElse(defaults.name()),
                source.leaseDuration().orElse(defaults.leaseDuration()),
                source.renewDeadline().orElse(defaults.renewDeadline()),
                source.retryPeriod().orElse(defaults.retryPeriod()));
    }
}
