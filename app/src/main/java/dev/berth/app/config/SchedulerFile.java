package dev.berth.app.config;

import dev.berth.core.queue.BackOff;
import dev.berth.kubernetes.schedulerconfig.SchedulerConfiguration;
import java.util.Map;

/** A file that is meant for kube-scheduler, as settings of Berth; what it does not speak of is as by default. */
final class SchedulerFile {
    private SchedulerFile() {}

    static ConfigFile.Read read(Section root) {
        SchedulerConfiguration read = SchedulerConfiguration.read((Map<?, ?>) root.plain());
        Config config = new Config(
                read.profiles(),
                election(read.election()),
                new BackOff(read.backOff().first(), read.backOff().longest()),
                Config.DEFAULT.bindsInFlight(),
                Config.DEFAULT.doors(),
                Config.DEFAULT.operation());
        return new ConfigFile.Read(config, read.notes());
    }

    private static LeaderElection election(SchedulerConfiguration.Election said) {
        LeaderElection usual = LeaderElection.DEFAULT;
        return new LeaderElection(
                said.enabled().orElse(usual.enabled()),
                said.namespace().orElse(usual.namespace()),
                said.name().orElse(usual.name()),
                said.leaseDuration().orElse(usual.leaseDuration()),
                said.renewDeadline().orElse(usual.renewDeadline()),
                said.retryPeriod().orElse(usual.retryPeriod()));
    }
}
