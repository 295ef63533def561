package dev.berth.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.app.cli.UserError;
import dev.berth.core.hold.Origin.DoorId;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigFileTest {
    @Test
    void anEmptyFileMeansTheDefaults() {
        assertThat(read("")).isEqualTo(Config.DEFAULT);
        assertThat(read("# nothing set\n")).isEqualTo(Config.DEFAULT);
    }

    @Test
    void everyKeyCanBeSet() {
        Config config = read("""
                schedulerNames: [berth-scheduler, default-scheduler]
                leaderElection:
                  leaderElect: true
                  resourceNamespace: kube-system
                  resourceName: berth
                  leaseDuration: 1m
                  renewDeadline: 30s
                  retryPeriod: 1500ms
                podInitialBackoffSeconds: 2
                podMaxBackoffSeconds: 90
                maxConcurrentBinds: 64
                doors: {disabled: [devices, node-annotation]}
                http: {requestMemoryLimit: 20Mi}
                godel: {reservationTTL: 2h}
                globalreserve:
                  api: {enabled: true, bindAddress: 0.0.0.0, port: 4711}
                  reservationTTL: 2m
                extender: {enabled: true, bindAddress: 0.0.0.0, port: 4712}
                diagnostics: {enabled: false, bindAddress: 0.0.0.0, port: 4713}
                """);
        assertThat(config.schedulerNames()).containsExactly("berth-scheduler", "default-scheduler");
        assertThat(config.leaderElection())
                .isEqualTo(new LeaderElection(
                        "kube-system",
                        "berth",
                        Duration.ofMinutes(1),
                        Duration.ofSeconds(30),
                        Duration.ofMillis(1500)));
        assertThat(config.podBackOff().max()).isEqualTo(Duration.ofSeconds(90));
        assertThat(config.bindsInFlight()).isEqualTo(64);
        assertThat(config.doors().godelReservationTtl()).isEqualTo(Duration.ofHours(2));
        assertThat(config.doors().enabled()).containsExactly(DoorId.KOORDINATOR, DoorId.GODEL, DoorId.GLOBALRESERVE);
        assertThat(config.http().requestMemory()).isEqualTo(20L << 20);
        assertThat(config.http().extender()).isEqualTo(new ExtenderSettings(true, "0.0.0.0", 4712));
        assertThat(config.diagnostics()).isEqualTo(new DiagnosticsSettings(false, "0.0.0.0", 4713, false));
        assertThat(config.doors().globalReserveApi())
                .isEqualTo(new GlobalReserveApiSettings(true, "0.0.0.0", 4711, false, Duration.ofMinutes(2)));
    }

    @ParameterizedTest
    @CsvSource({
        "0, (0) must be an amount of memory such as 256Mi",
        "256, (256) must be an amount of memory such as 256Mi",
        "'\"\"', () must be an amount of memory such as 256Mi",
        "much, (much) must be an amount of memory such as 256Mi",
        "-256Mi, (-256Mi) must be from 16Mi to ",
        "1Ki, (1Ki) must be from 16Mi to ",
        "16777215k, must be from 16Mi to ",
        "99999999999999Ei, (99999999999999Ei) must be",
        "[256Mi], must be an amount of memory such as 256Mi"
    })
    void anInvalidRequestMemoryIsRejected(String value, String words) {
        assertThatThrownBy(() -> read("http: {requestMemoryLimit: %s}".formatted(value)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("http.requestMemoryLimit ")
                .hasMessageContaining(words);
    }

    @Test
    void aConfiguredPortHasNoFallback() {
        assertThat(read("diagnostics: {enabled: true}").diagnostics().fallbackToFreePort())
                .isTrue();
        assertThat(read("diagnostics: {bindAddress: 0.0.0.0}").diagnostics().fallbackToFreePort())
                .as("whoever asks from outside knows the usual port alone")
                .isFalse();
        assertThat(read("diagnostics: {port: 10261}").diagnostics().fallbackToFreePort())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            schedulerName: [x]                   | unknown key (schedulerName). Known keys: diagnostics, doors
            leaderElection: {lease: 15s}         | unknown key (leaderElection.lease)
            leaderElection: 15s                  | leaderElection ("15s") must be a mapping
            schedulerNames: berth                | schedulerNames ("berth") must be a list of names
            schedulerNames: []                   | schedulerNames is empty: name at least one
            schedulerNames: [1]                  | schedulerNames: (1) must be a name
            {schedulerNames: [a], profiles: [{schedulerName: a}]} | schedulerNames: (a) has a profile. Remove it here
            profiles: [{schedulerName: a}, {plugins: {}}] | profiles[1].schedulerName (null) must be a name
            profiles: [{schedulerName: a, weights: {}}] | unknown key (profiles[0].weights). Known keys: percentageOfNodesToScore, pluginConfig
            maxConcurrentBinds: many             | maxConcurrentBinds ("many") must be a whole number
            maxConcurrentBinds: 0                | maxConcurrentBinds (0) must be from 1 to 10000
            podInitialBackoffSeconds: 1s         | podInitialBackoffSeconds ("1s") must be a whole number
            podInitialBackoffSeconds: 20         | podInitialBackoffSeconds (20) must be at least 1 and not above podMaxBackoffSeconds (10)
            {podInitialBackoffSeconds: 0, podMaxBackoffSeconds: 90} | podInitialBackoffSeconds (0) must be at least 1 and not above podMaxBackoffSeconds (90)
            doors: [godel]                       | doors (["godel"]) must be a mapping of keys to values
            doors: {disabled: godel}             | doors.disabled ("godel") must be a list of names
            doors: {disabled: [comeback]}        | doors.disabled: (comeback) is not a door. Doors: koordinator, godel, node-annotation, globalreserve, devices
            {doors: {disabled: [globalreserve]}, globalreserve: {api: {enabled: true}}} | globalreserve.api.enabled (true) needs the door (globalreserve), which is disabled
            godel: {reservationTTL: 500ms}       | godel.reservationTTL (500ms) must be whole seconds, from 1s to 876000h
            godel: {ttl: 5s}                     | unknown key (godel.ttl). Known keys: reservationTTL
            diagnostics: {port: 70000}           | diagnostics.port (70000) must be from 0 to 65535
            diagnostics: {address: 0.0.0.0}      | unknown key (diagnostics.address). Known keys: bindAddress, enabled, port
            extender: {port: 70000}              | extender.port (70000) must be from 0 to 65535
            globalreserve: {api: {port: 70000}}  | globalreserve.api.port (70000) must be from 0 to 65535
            globalreserve: {api: {bindAddress: ''}} | globalreserve.api.bindAddress is empty. Maybe 127.0.0.1
            globalreserve: {reservationTTL: 1s}  | globalreserve.reservationTTL (1 s) must be from 5 to 86400 seconds
            leaderElection: {leaderElect: 1}     | leaderElection.leaderElect (1) must be true or false
            leaderElection: {leaseDuration: 5s}  | leaderElection.leaseDuration (5s) must be longer than renewDeadline (10s)
            leaderElection: {leaseDuration: 7s, renewDeadline: 4s} | leaderElection.leaseDuration (7s) must be longer than 7s: a leader sends only
            leaderElection: {leaseDuration: 12500ms} | leaderElection.leaseDuration (12500ms) must be whole seconds
            leaderElection: {retryPeriod: 0s}    | leaderElection.retryPeriod (0s) must be positive, such as 2s
            leaderElection: {resourceName: ""}   | leaderElection.resourceNamespace (kube-system) and resourceName () must not be empty
            leaderElection: {retryPeriod: 1h}    | leaderElection.renewDeadline (10s) must be longer than retryPeriod (3600s)
            """)
    void anInvalidSettingIsRejectedWithTheExpectedValue(String text, String complaint) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("berth.yaml: ")
                .hasMessageContaining(complaint);
    }

    /** No alias is kept: a key of an earlier version is an unknown key, and the message lists the keys there are. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            bindsInFlight: 1                     | bindsInFlight
            podBackOff: {first: 1s}              | podBackOff
            schedulerConfiguration: file         | schedulerConfiguration
            doors: {without: [godel]}            | doors.without
            doors: {requestMemory: 20Mi}         | doors.requestMemory
            return: {ttl: 5s}                    | return
            reserveApi: {enabled: true}          | reserveApi
            operation: {port: 1}                 | operation
            extender: {address: 0.0.0.0}         | extender.address
            leaderElection: {enabled: true}      | leaderElection.enabled
            leaderElection: {namespace: a}       | leaderElection.namespace
            leaderElection: {name: a}            | leaderElection.name
            """)
    void aKeyOfAnEarlierVersionIsUnknown(String text, String key) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("berth.yaml: unknown key (%s). Known keys: ".formatted(key));
    }

    @Test
    void anEmptyProfileListMeansTheDefaultProfile() {
        assertThat(read("profiles: []")).isEqualTo(Config.DEFAULT);
        assertThat(read("{schedulerNames: [foo], profiles: []}").schedulerNames())
                .containsExactly("foo");
        assertThat(read("{schedulerNames: [berth-scheduler], profiles: []}")).isEqualTo(Config.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {maxConcurrentBinds: 1, maxConcurrentBinds: 2} | maxConcurrentBinds
            {diagnostics: {port: 1, bindAddress: a, port: 1}} | diagnostics.port
            {profiles: [{schedulerName: a}, {schedulerName: b, schedulerName: c}]} | profiles[1].schedulerName
            {godel: {reservationTTL: 5s}, doors: {}, godel: {reservationTTL: 6s}} | godel
            """)
    void aDuplicateKeyIsRejected(String text, String key) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(UserError.class)
                .hasMessage("berth.yaml: key (%s) occurs twice. Remove one".formatted(key));
    }

    @Test
    void aSecondYamlDocumentIsRejectedUnlessEmpty() {
        assertThatThrownBy(() -> read("maxConcurrentBinds: 1\n---\nmaxConcurrentBinds: 2\n"))
                .isInstanceOf(UserError.class)
                .hasMessage("berth.yaml: a second YAML document follows after (---). Remove it");
        assertThat(read("---\nmaxConcurrentBinds: 1\n---\n").bindsInFlight()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "leaderElection: {resourceName: harbour}",
                "leaderElection: {resourceNamespace: harbour}",
                "leaderElection: {resourceName: kube-scheduler}",
                "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
                        + "leaderElection: {resourceName: kube-scheduler}"
            })
    void aConfigurationThatNamesAnotherLeaseIsRejected(String text) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOfSatisfying(
                        UserError.class,
                        rejected -> assertThat(rejected.exitCode()).isEqualTo(2))
                .hasMessageStartingWith("berth.yaml: leaderElection names the Lease (")
                .hasMessageContaining(
                        "all replicas of Berth in a cluster share one ledger, and the holder of the Lease kube-system/berth");
    }

    @Test
    void aConfigurationWithoutALeaseIsRejected() {
        assertThatThrownBy(() -> read("leaderElection: {leaderElect: false}"))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("berth.yaml: leaderElection.leaderElect (false): Berth always takes the Lease"
                        + " kube-system/berth");
        assertThat(read("leaderElection: {leaderElect: true, resourceNamespace: kube-system, resourceName: berth}")
                        .leaderElection())
                .isEqualTo(LeaderElection.DEFAULT);
    }

    @Test
    void invalidYamlIsRejectedWithItsLine() {
        assertThatThrownBy(() -> read("schedulerNames: [a]\nleaderElection: {enabled"))
                .isInstanceOf(UserError.class)
                .message()
                .startsWith("berth.yaml is not YAML: line 2, column 25: ")
                .hasLineCount(1)
                .containsOnlyOnce("line ");
    }

    @Test
    void aMissingFileIsReportedWithItsPath() {
        assertThatThrownBy(() -> ConfigFile.read(Path.of("no/such/berth.yaml")))
                .hasMessage("--config no/such/berth.yaml: the file does not exist");
    }

    private static Config read(String text) {
        return ConfigFile.parse(text, Path.of("berth.yaml")).config();
    }
}
