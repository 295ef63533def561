package dev.berth.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.app.UserError;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.score.FitStrategy;
import dev.berth.core.placement.score.ScoreWeights;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchedulerFileTest {
    private static final String HEAD = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";

    @Test
    void aFileWithoutProfilesPlacesThePodsOfTheDefaultScheduler() {
        Config config = parse(HEAD).config();
        assertThat(config.schedulerNames()).containsExactly("default-scheduler");
        assertThat(config.profiles().of("default-scheduler")).isEqualTo(Profile.DEFAULT);
        assertThat(config.leaderElection()).isEqualTo(LeaderElection.DEFAULT);
        assertThat(config.doors()).isEqualTo(DoorSettings.DEFAULT);
    }

    @Test
    void whatItSaysIsTakenOver() {
        ConfigFile.Read read = parse(HEAD + """
                podInitialBackoffSeconds: 2
                podMaxBackoffSeconds: 60
                parallelism: 16
                leaderElection: {leaderElect: false, resourceName: berth, leaseDuration: 30s, renewDeadline: 20s}
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
                """);
        Config config = read.config();
        assertThat(config.schedulerNames()).containsExactly("default-scheduler", "packing");
        Profile packing = config.profiles().of("packing");
        assertThat(packing.weights()).isEqualTo(new ScoreWeights(5, 1, 0, 3, 2, 2, 2));
        assertThat(packing.resources().strategy()).isEqualTo(new FitStrategy.MostAllocated());
        assertThat(config.podBackOff().longest()).isEqualTo(Duration.ofSeconds(60));
        assertThat(config.leaderElection().leaseDuration()).isEqualTo(Duration.ofSeconds(30));
        assertThat(read.notes())
                .containsExactly(
                        "clientConnection.qps has no effect: Berth writes as fast as the API server answers",
                        "clientConnection.burst has no effect: Berth writes as fast as the API server answers",
                        "parallelism has no effect: Berth decides on one thread",
                        "leaderElection.leaderElect has no effect: Berth always takes the Lease kube-system/berth");
    }

    @Test
    void berthsOwnFileListsProfilesInTheSameForm() {
        Config config = parse("""
                schedulerNames: [berth-scheduler]
                profiles:
                - schedulerName: packing
                  pluginConfig:
                  - name: NodeResourcesFit
                    args: {scoringStrategy: {type: MostAllocated}}
                """).config();
        assertThat(config.schedulerNames()).containsExactly("berth-scheduler", "packing");
        assertThat(config.profiles().of("berth-scheduler")).isEqualTo(Profile.DEFAULT);
        assertThat(config.profiles().of("packing")).isNotEqualTo(Profile.DEFAULT);
        assertThat(parse("profiles: [{}]").config()).isEqualTo(Config.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {kind: KubeSchedulerConfiguration} | apiVersion (null) must be kubescheduler.config.k8s.io/v1
            {apiVersion: kubescheduler.config.k8s.io/v1beta3, kind: KubeSchedulerConfiguration} | apiVersion (kubescheduler.config.k8s.io/v1beta3) must be kubescheduler.config.k8s.io/v1
            {apiVersion: kubescheduler.config.k8s.io/v1, kind: Policy} | kind (Policy) must be KubeSchedulerConfiguration
            """)
    void anotherKindOrVersionIsRefused(String text, String complaint) {
        assertThatThrownBy(() -> parse(text)).isInstanceOf(UserError.class).hasMessageContaining("file: " + complaint);
    }

    @Test
    void aLeaseThatIsTooShortIsRefusedInBerthsWords() {
        assertThatThrownBy(() -> parse(HEAD + "leaderElection: {leaseDuration: 5s}"))
                .hasMessage("file: leaderElection.leaseDuration (5s) must be longer than renewDeadline (10s)");
    }

    @Test
    void noTimeAtAllMeansTheDefault() {
        assertThat(parse(
                                HEAD
                                        + "leaderElection: {leaseDuration: 0s, renewDeadline: 0s, retryPeriod: 0s, resourceLock: ''}")
                        .config()
                        .leaderElection())
                .isEqualTo(LeaderElection.DEFAULT);
    }

    @Test
    void berthsOwnFileNamesItAndSaysTheRest(@TempDir Path folder) throws IOException {
        Files.createDirectory(folder.resolve("theirs"));
        Path theirs = Files.writeString(folder.resolve("theirs").resolve("scheduler.yaml"), HEAD + """
                podMaxBackoffSeconds: 60
                parallelism: 16
                profiles: [{schedulerName: packing}]
                leaderElection: {leaseDuration: 30s}
                """);
        ConfigFile.Read read = ConfigFile.parse("""
                schedulerConfiguration: theirs/scheduler.yaml
                profiles: []
                bindsInFlight: 7
                doors: {without: [devices]}
                reserveApi: {enabled: true}
                operation: {address: 0.0.0.0, port: 10261}
                """, folder.resolve("berth.yaml"));
        Config config = read.config();
        assertThat(config.schedulerNames()).containsExactly("packing");
        assertThat(config.podBackOff().longest()).isEqualTo(Duration.ofSeconds(60));
        assertThat(config.leaderElection().leaseDuration()).isEqualTo(Duration.ofSeconds(30));
        assertThat(config.bindsInFlight()).isEqualTo(7);
        assertThat(config.doors().open()).doesNotContain(DoorName.DEVICES);
        assertThat(config.doors().reserveApi().enabled()).isTrue();
        assertThat(config.operation()).isEqualTo(new OperationSettings(true, "0.0.0.0", 10261, false));
        assertThat(read.notes()).containsExactly(theirs + ": parallelism has no effect: Berth decides on one thread");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "schedulerNames: [a]",
                "profiles: [{schedulerName: a}]",
                "leaderElection: {name: a}",
                "podBackOff: {first: 2s}"
            })
    void whatItCanSayIsNotSaidBesideIt(String beside) {
        assertThatThrownBy(() -> parse("schedulerConfiguration: scheduler.yaml\n" + beside))
                .isInstanceOf(UserError.class)
                .hasMessage(
                        "file: %s must not stand beside schedulerConfiguration (scheduler.yaml), which says it: leave it"
                                        .formatted(beside.substring(0, beside.indexOf(':')))
                                + " out here");
    }

    @Test
    void oneThatCannotBeReadOrIsNoneIsNamed(@TempDir Path folder) throws IOException {
        Path own = folder.resolve("berth.yaml");
        Path theirs = folder.resolve("scheduler.yaml");
        String text = "schedulerConfiguration: scheduler.yaml";
        assertThatThrownBy(() -> ConfigFile.parse(text, own))
                .hasMessage("%s: schedulerConfiguration (%s): there is no such file", own, theirs);
        Files.writeString(theirs, "");
        assertThatThrownBy(() -> ConfigFile.parse(text, own))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith(theirs + ": apiVersion (null) must be kubescheduler.config.k8s.io/v1");
        Files.writeString(theirs, HEAD + "parallelism: 0");
        assertThatThrownBy(() -> ConfigFile.parse(text, own))
                .hasMessage(theirs + ": parallelism (0) must be a whole number from 1 on");
        assertThatThrownBy(() -> parse("schedulerConfiguration: ''"))
                .hasMessage("file: schedulerConfiguration () must be the name of a file");
    }

    private static ConfigFile.Read parse(String text) {
        return ConfigFile.parse(text, Path.of("file"));
    }
}
