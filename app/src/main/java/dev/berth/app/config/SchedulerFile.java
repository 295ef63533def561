package dev.berth.app.config;

import dev.berth.app.UserError;
import dev.berth.core.queue.BackOff;
import dev.berth.kubernetes.schedulerconfig.SchedulerConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A file that is meant for kube-scheduler, as settings of Berth; what it does not speak of is as by default. */
final class SchedulerFile {
    /** The key of Berth's own file that names one. */
    static final String KEY = "schedulerConfiguration";

    private static final String DEFAULT_NAME = "default-scheduler";

    /** What such a file can say, in the keys of Berth's own. */
    private static final List<String> ITS_OWN = List.of("schedulerNames", "profiles", "leaderElection", "podBackOff");

    private SchedulerFile() {}

    /** Whether somebody means a file of kube-scheduler, right or wrong. */
    static boolean isMeant(Section root) {
        return root.has("apiVersion") || root.has("kind");
    }

    /**
     * The one that Berth's own file names.
     *
     * @param source where Berth's own file is, beside which the other one is looked for
     */
    static ConfigFile.Read named(Section root, Path source) {
        String name = root.text(KEY, "");
        if (name.isBlank()) {
            throw new IllegalArgumentException("%s (%s) must be the name of a file".formatted(KEY, name));
        }
        for (String key : ITS_OWN) {
            if (root.has(key) && !root.isEmptyList(key)) {
                throw new IllegalArgumentException(
                        "%s must not stand beside %s (%s), which says it: leave it out here".formatted(key, KEY, name));
            }
        }
        Path file = source.resolveSibling(name);
        ConfigFile.Read read = read(OneDocument.read(text(file), file), file);
        return new ConfigFile.Read(
                read.config(),
                read.notes().stream()
                        .map(note -> "%s: %s".formatted(file, note))
                        .toList());
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException missing) {
            throw new IllegalArgumentException("%s (%s): there is no such file".formatted(KEY, file), missing);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "%s (%s): cannot be read: %s".formatted(KEY, file, unreadable.getMessage()), unreadable);
        }
    }

    static ConfigFile.Read read(Section root, Path source) {
        try {
            SchedulerConfiguration read = SchedulerConfiguration.read((Map<?, ?>) root.plain());
            List<String> notes = new ArrayList<>(read.notes());
            if (!read.election().enabled().orElse(true)) {
                notes.add("leaderElection.leaderElect has no effect: Berth always takes the Lease %s"
                        .formatted(LeaderElection.DEFAULT.lease()));
            }
            Config config = new Config(
                    read.profiles(),
                    ConfigFile.profileSources(root, DEFAULT_NAME),
                    election(read.election()),
                    new BackOff(read.backOff().first(), read.backOff().longest()),
                    Config.DEFAULT.bindsInFlight(),
                    Config.DEFAULT.doors(),
                    Config.DEFAULT.operation());
            return new ConfigFile.Read(config, notes);
        } catch (IllegalArgumentException wrong) {
            throw UserError.setting("%s: %s".formatted(source, wrong.getMessage()), wrong);
        }
    }

    private static LeaderElection election(SchedulerConfiguration.Election said) {
        LeaderElection usual = LeaderElection.DEFAULT;
        return new LeaderElection(
                said.namespace().orElse(usual.namespace()),
                said.name().orElse(usual.name()),
                said.leaseDuration().orElse(usual.leaseDuration()),
                said.renewDeadline().orElse(usual.renewDeadline()),
                said.retryPeriod().orElse(usual.retryPeriod()));
    }
}
