package dev.berth.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.app.cli.UserError;
import dev.berth.core.hold.Origin.DoorId;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.placement.score.ScoringStrategy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KubeSchedulerFileTest {
    private static final String HEAD = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";

    @Test
    void aFileWithoutProfilesPlacesThePodsOfTheDefaultScheduler() {
        Config config = parse(HEAD).config();
        assertThat(config.schedulerNames()).containsExactly("default-scheduler");
        assertThat(config.profiles().get("default-scheduler")).isEqualTo(Profile.DEFAULT);
        assertThat(config.leaderElection()).isEqualTo(LeaderElection.DEFAULT);
        assertThat(config.doors()).isEqualTo(DoorSettings.DEFAULT);
        assertThat(config.http()).isEqualTo(HttpSettings.DEFAULT);
    }

    @Test
    void supportedSettingsAreAppliedAndOthersAreReported() {
        ConfigFile.Parsed parsed = parse(HEAD + """
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
        Config config = parsed.config();
        assertThat(config.schedulerNames()).containsExactly("default-scheduler", "packing");
        Profile packing = config.profiles().get("packing");
        assertThat(packing.weights()).isEqualTo(new ScoreWeights(5, 1, 0, 3, 2, 2, 2));
        assertThat(packing.resourceScoring().strategy()).isEqualTo(new ScoringStrategy.MostAllocated());
        assertThat(config.podBackOff().max()).isEqualTo(Duration.ofSeconds(60));
        assertThat(config.leaderElection().leaseDuration()).isEqualTo(Duration.ofSeconds(30));
        assertThat(parsed.warnings())
                .containsExactly(
                        "clientConnection.qps has no effect: Berth does not limit its request rate",
                        "clientConnection.burst has no effect: Berth does not limit its request rate",
                        "parallelism has no effect: Berth schedules on one thread",
                        "leaderElection.leaderElect has no effect: Berth always takes the Lease kube-system/berth");
    }

    @Test
    void berthConfigAcceptsKubeSchedulerProfiles() {
        Config config = parse("""
                schedulerNames: [berth-scheduler]
                profiles:
                - schedulerName: packing
                  pluginConfig:
                  - name: NodeResourcesFit
                    args: {scoringStrategy: {type: MostAllocated}}
                """).config();
        assertThat(config.schedulerNames()).containsExactly("berth-scheduler", "packing");
        assertThat(config.profiles().get("berth-scheduler")).isEqualTo(Profile.DEFAULT);
        assertThat(config.profiles().get("packing")).isNotEqualTo(Profile.DEFAULT);
        assertThat(parse("profiles: [{}]").config()).isEqualTo(Config.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {kind: KubeSchedulerConfiguration} | apiVersion (null) must be kubescheduler.config.k8s.io/v1
            {apiVersion: kubescheduler.config.k8s.io/v1beta3, kind: KubeSchedulerConfiguration} | apiVersion (kubescheduler.config.k8s.io/v1beta3) must be kubescheduler.config.k8s.io/v1
            {apiVersion: kubescheduler.config.k8s.io/v1, kind: Policy} | kind (Policy) must be KubeSchedulerConfiguration
            """)
    void anUnsupportedKindOrVersionIsRejected(String text, String complaint) {
        assertThatThrownBy(() -> parse(text)).isInstanceOf(UserError.class).hasMessageContaining("file: " + complaint);
    }

    @Test
    void aTooShortLeaseDurationIsRejected() {
        assertThatThrownBy(() -> parse(HEAD + "leaderElection: {leaseDuration: 5s}"))
                .hasMessage("file: leaderElection.leaseDuration (5s) must be longer than renewDeadline (10s)");
    }

    @Test
    void aZeroDurationMeansTheDefault() {
        assertThat(parse(
                                HEAD
                                        + "leaderElection: {leaseDuration: 0s, renewDeadline: 0s, retryPeriod: 0s, resourceLock: ''}")
                        .config()
                        .leaderElection())
                .isEqualTo(LeaderElection.DEFAULT);
    }

    @Test
    void berthConfigReferencesTheFileAndAddsItsOwnSettings(@TempDir Path folder) throws IOException {
        Files.createDirectory(folder.resolve("theirs"));
        Path theirs = Files.writeString(folder.resolve("theirs").resolve("scheduler.yaml"), HEAD + """
                podMaxBackoffSeconds: 60
                parallelism: 16
                profiles: [{schedulerName: packing}]
                leaderElection: {leaseDuration: 30s}
                """);
        ConfigFile.Parsed parsed = ConfigFile.parse("""
                kubeSchedulerConfigFile: theirs/scheduler.yaml
                profiles: []
                maxConcurrentBinds: 7
                doors: {disabled: [devices]}
                globalreserve: {api: {enabled: true}}
                diagnostics: {bindAddress: 0.0.0.0, port: 10261}
                """, folder.resolve("berth.yaml"));
        Config config = parsed.config();
        assertThat(config.schedulerNames()).containsExactly("packing");
        assertThat(config.podBackOff().max()).isEqualTo(Duration.ofSeconds(60));
        assertThat(config.leaderElection().leaseDuration()).isEqualTo(Duration.ofSeconds(30));
        assertThat(config.bindsInFlight()).isEqualTo(7);
        assertThat(config.doors().enabled()).doesNotContain(DoorId.DEVICES);
        assertThat(config.doors().globalReserveApi().enabled()).isTrue();
        assertThat(config.diagnostics()).isEqualTo(new DiagnosticsSettings(true, "0.0.0.0", 10261, false));
        assertThat(parsed.warnings())
                .containsExactly(theirs + ": parallelism has no effect: Berth schedules on one thread");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "schedulerNames: [a]",
                "profiles: [{schedulerName: a}]",
                "leaderElection: {resourceName: a}",
                "podInitialBackoffSeconds: 2",
                "podMaxBackoffSeconds: 20"
            })
    void settingsOfTheReferencedFileAreRejectedInBerthConfig(String beside) {
        assertThatThrownBy(() -> parse("kubeSchedulerConfigFile: scheduler.yaml\n" + beside))
                .isInstanceOf(UserError.class)
                .hasMessage(
                        "file: %s must not be set together with kubeSchedulerConfigFile (scheduler.yaml). Set it in that file"
                                .formatted(beside.substring(0, beside.indexOf(':'))));
    }

    @Test
    void anUnreadableOrInvalidReferencedFileIsReported(@TempDir Path folder) throws IOException {
        Path own = folder.resolve("berth.yaml");
        Path theirs = folder.resolve("scheduler.yaml");
        String text = "kubeSchedulerConfigFile: scheduler.yaml";
        assertThatThrownBy(() -> ConfigFile.parse(text, own))
                .hasMessage("%s: kubeSchedulerConfigFile (%s): the file does not exist", own, theirs);
        Files.writeString(theirs, "");
        assertThatThrownBy(() -> ConfigFile.parse(text, own))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith(theirs + ": apiVersion (null) must be kubescheduler.config.k8s.io/v1");
        Files.writeString(theirs, HEAD + "parallelism: 0");
        assertThatThrownBy(() -> ConfigFile.parse(text, own))
                .hasMessage(theirs + ": parallelism (0) must be a whole number, at least 1");
        assertThatThrownBy(() -> parse("kubeSchedulerConfigFile: ''"))
                .hasMessage("file: kubeSchedulerConfigFile () must be the name of a file");
    }

    private static ConfigFile.Parsed parse(String text) {
        return ConfigFile.parse(text, Path.of("file"));
    }
}
