package dev.berth.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.app.UserError;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.score.FitStrategy;
import dev.berth.core.placement.score.ScoreWeights;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchedulerFileTest {
    private static final String HEAD = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";

    @Test
    void aFileWithoutProfilesPlacesThePodsOfTheDefaultScheduler() {
        Config config = ConfigFile.parse(HEAD, "file").config();
        assertThat(config.schedulerNames()).containsExactly("default-scheduler");
        assertThat(config.profiles().of("default-scheduler")).isEqualTo(Profile.DEFAULT);
        assertThat(config.leaderElection()).isEqualTo(LeaderElection.DEFAULT);
        assertThat(config.doors()).isEqualTo(DoorSettings.DEFAULT);
    }

    @Test
    void whatItSaysIsTakenOver() {
        ConfigFile.Read read = ConfigFile.parse(HEAD + """
                podInitialBackoffSeconds: 2
                podMaxBackoffSeconds: 60
                parallelism: 16
                leaderElection: {leaderElect: true, resourceName: kube-scheduler, leaseDuration: 30s, renewDeadline: 20s}
                clientConnection: {qps: 50, burst: 100}
                profiles:
                - schedulerName: default-scheduler
                - schedulerName: packing
                  plugins:
                    score:
                      enabled: [{name: NodeResourcesFit, weight: 5}]
                      disabled: [{name: ImageLocality}]
                  pluginConfig:
                  - name: NodeResourcesFit
                    args: {scoringStrategy: {type: MostAllocated}}
                """, "file");
        Config config = read.config();
        assertThat(config.schedulerNames()).containsExactly("default-scheduler", "packing");
        Profile packing = config.profiles().of("packing");
        assertThat(packing.weights()).isEqualTo(new ScoreWeights(5, 1, 0, 3, 2, 2, 2));
        assertThat(packing.resources().strategy()).isEqualTo(new FitStrategy.MostAllocated());
        assertThat(config.podBackOff().longest()).isEqualTo(Duration.ofSeconds(60));
        assertThat(config.leaderElection().name()).isEqualTo("kube-scheduler");
        assertThat(config.leaderElection().leaseDuration()).isEqualTo(Duration.ofSeconds(30));
        assertThat(read.notes())
                .containsExactly(
                        "clientConnection.qps has no effect: Berth writes as fast as the API server answers",
                        "clientConnection.burst has no effect: Berth writes as fast as the API server answers",
                        "parallelism has no effect: Berth decides on one thread");
    }

    @Test
    void berthsOwnFileListsProfilesInTheSameForm() {
        Config config = ConfigFile.parse("""
                schedulerNames: [berth-scheduler]
                profiles:
                - schedulerName: packing
                  pluginConfig:
                  - name: NodeResourcesFit
                    args: {scoringStrategy: {type: MostAllocated}}
                """, "file").config();
        assertThat(config.schedulerNames()).containsExactly("berth-scheduler", "packing");
        assertThat(config.profiles().of("berth-scheduler")).isEqualTo(Profile.DEFAULT);
        assertThat(config.profiles().of("packing")).isNotEqualTo(Profile.DEFAULT);
        assertThat(ConfigFile.parse("profiles: [{}]", "file").config()).isEqualTo(Config.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {kind: KubeSchedulerConfiguration} | apiVersion (null) must be kubescheduler.config.k8s.io/v1
            {apiVersion: kubescheduler.config.k8s.io/v1beta3, kind: KubeSchedulerConfiguration} | apiVersion (kubescheduler.config.k8s.io/v1beta3) must be kubescheduler.config.k8s.io/v1
            {apiVersion: kubescheduler.config.k8s.io/v1, kind: Policy} | kind (Policy) must be KubeSchedulerConfiguration
            """)
    void anotherKindOrVersionIsRefused(String text, String complaint) {
        assertThatThrownBy(() -> ConfigFile.parse(text, "file"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("file: " + complaint);
    }

    @Test
    void aLeaseThatIsTooShortIsRefusedInBerthsWords() {
        assertThatThrownBy(() -> ConfigFile.parse(HEAD + "leaderElection: {leaseDuration: 5s}", "file"))
                .hasMessage("file: leaderElection.leaseDuration (5s) must be longer than renewDeadline (10s)");
    }
}
