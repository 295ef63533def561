package dev.berth.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.app.cli.UserError;
import dev.berth.kubernetes.leaderelection.SchedulerLease;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which Lease says that the own scheduler of a scheduler name runs. */
class SchedulerLeasesTest {
    private static Config read(String text) {
        return ConfigFile.parse(text, Path.of("berth.yaml")).config();
    }

    @Test
    void kubeSchedulerAndKoordSchedulerAreKnown() {
        assertThat(read("").schedulerLeases().of(List.of("berth-scheduler", "default-scheduler", "koord-scheduler")))
                .isEqualTo(Map.of(
                        "default-scheduler", SchedulerLease.parse("kube-system/kube-scheduler"),
                        "koord-scheduler", SchedulerLease.parse("koordinator-system/koord-scheduler")));
    }

    @Test
    void anEntryReplacesTheUsualOneAndAnEmptyOneRemovesIt() {
        Config config = read("schedulerLeases: {koord-scheduler: scheduling/koord, default-scheduler: '', mine: a/b}");
        assertThat(config.schedulerLeases().of(List.of("default-scheduler", "koord-scheduler", "mine")))
                .isEqualTo(Map.of(
                        "koord-scheduler", SchedulerLease.parse("scheduling/koord"),
                        "mine", SchedulerLease.parse("a/b")));
    }

    @Test
    void aTextThatIsNoLeaseIsRejected() {
        assertThatThrownBy(() -> read("schedulerLeases: {koord-scheduler: koord-scheduler}"))
                .isInstanceOf(UserError.class)
                .hasMessage(
                        "berth.yaml: schedulerLeases.koord-scheduler (koord-scheduler) must be the namespace and the name of a Lease, such as kube-system/kube-scheduler, or empty if the name has no Lease");
    }

    @Test
    void aYieldedNameIsNotServedAndTheOthersAre() {
        Config config = read("schedulerNames: [a, b]");
        Config yielding = config.withYieldedNames(Map.of("a", "it runs"));
        assertThat(yielding.schedulerNames()).containsExactly("b");
        assertThat(yielding).isNotEqualTo(config);
        assertThat(config.withYieldedNames(Map.of("a", "it runs", "b", "it runs"))
                        .schedulerNames())
                .isEmpty();
    }
}
