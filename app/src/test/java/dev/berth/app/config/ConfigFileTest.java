package dev.berth.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.app.UserError;
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
                  enabled: true
                  namespace: kube-system
                  name: berth
                  leaseDuration: 1m
                  renewDeadline: 30s
                  retryPeriod: 1500ms
                podBackOff: {first: 2s, longest: 1m30s}
                bindsInFlight: 64
                doors: {without: [devices, node-annotation], requestMemory: 20Mi}
                return: {ttl: 2h}
                reserveApi: {enabled: true, address: 0.0.0.0, port: 4711, holdFor: 2m}
                extender: {enabled: true, address: 0.0.0.0, port: 4712}
                operation: {enabled: false, address: 0.0.0.0, port: 4713}
                """);
        assertThat(config.schedulerNames()).containsExactly("berth-scheduler", "default-scheduler");
        assertThat(config.leaderElection())
                .isEqualTo(new LeaderElection(
                        "kube-system",
                        "berth",
                        Duration.ofMinutes(1),
                        Duration.ofSeconds(30),
                        Duration.ofMillis(1500)));
        assertThat(config.podBackOff().longest()).isEqualTo(Duration.ofSeconds(90));
        assertThat(config.bindsInFlight()).isEqualTo(64);
        assertThat(config.doors().returnTtl()).isEqualTo(Duration.ofHours(2));
        assertThat(config.doors().open()).containsExactly(DoorName.RESERVATION, DoorName.RETURN, DoorName.RESERVE);
        assertThat(config.doors().requestMemory()).isEqualTo(20L << 20);
        assertThat(config.doors().extender()).isEqualTo(new ExtenderSettings(true, "0.0.0.0", 4712));
        assertThat(config.operation()).isEqualTo(new OperationSettings(false, "0.0.0.0", 4713, false));
        assertThat(config.doors().reserveApi())
                .isEqualTo(new ReserveApiSettings(true, "0.0.0.0", 4711, false, Duration.ofMinutes(2)));
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
    void memoryForRequestsThatMakesNoSenseIsRejected(String value, String words) {
        assertThatThrownBy(() -> read("doors: {requestMemory: %s}".formatted(value)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("doors.requestMemory ")
                .hasMessageContaining(words);
    }

    @Test
    void aPortThatSomebodyChoseIsTheOnlyOne() {
        assertThat(read("operation: {enabled: true}").operation().elseAnyFree()).isTrue();
        assertThat(read("operation: {address: 0.0.0.0}").operation().elseAnyFree())
                .as("whoever asks from outside knows the usual port alone")
                .isFalse();
        assertThat(read("operation: {port: 10261}").operation().elseAnyFree()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            schedulerName: [x]                   | key (schedulerName) is not known. Known here: bindsInFlight
            leaderElection: {lease: 15s}         | key (leaderElection.lease) is not known
            leaderElection: 15s                  | leaderElection ("15s") must be a mapping
            schedulerNames: berth                | schedulerNames ("berth") must be a list of names
            schedulerNames: []                   | schedulerNames is empty: name at least one
            schedulerNames: [1]                  | schedulerNames: (1) must be a name
            {schedulerNames: [a], profiles: [{schedulerName: a}]} | schedulerNames: (a) has a profile of its own: leave it out here
            profiles: [{schedulerName: a}, {plugins: {}}] | profiles[1].schedulerName (null) must be a name
            profiles: [{schedulerName: a, weights: {}}] | key (profiles[0].weights) is not known. Known here: percentageOfNodesToScore, pluginConfig
            bindsInFlight: many                  | bindsInFlight ("many") must be a whole number
            bindsInFlight: 0                     | bindsInFlight (0) must be from 1 to 10000
            podBackOff: {first: 1 second}        | podBackOff.first (1 second) is no duration such as 15s
            podBackOff: {first: 20s}             | podBackOff.first (20s) must be above 0s and not above longest (10s)
            podBackOff: {first: 0s, longest: 90s} | podBackOff.first (0s) must be above 0s and not above longest (1m30s)
            doors: [return]                      | doors (["return"]) must be a mapping of keys to values
            doors: {without: return}             | doors.without ("return") must be a list of names
            doors: {without: [comeback]}         | doors.without: (comeback) is no door. Doors: reservation, return, node-annotation, reserve, devices
            {doors: {without: [reserve]}, reserveApi: {enabled: true}} | reserveApi.enabled (true) needs the door (reserve), which is left out
            return: {ttl: 500ms}                 | return.ttl (500ms) must be whole seconds, from 1s to 876000h
            return: {time: 5s}                   | key (return.time) is not known. Known here: ttl
            operation: {port: 70000}             | operation.port (70000) must be from 0 to 65535
            operation: {adress: 0.0.0.0}         | key (operation.adress) is not known. Known here: address, enabled, port
            extender: {port: 70000}              | extender.port (70000) must be from 0 to 65535
            reserveApi: {port: 70000}            | reserveApi.port (70000) must be from 0 to 65535
            reserveApi: {address: ''}            | reserveApi.address is empty. Maybe 127.0.0.1
            reserveApi: {holdFor: 1s}            | reserveApi.holdFor (1 s) must be from 5 to 86400 seconds
            leaderElection: {enabled: 1}         | leaderElection.enabled (1) must be true or false
            leaderElection: {leaseDuration: 5s}  | leaderElection.leaseDuration (5s) must be longer than renewDeadline (10s)
            leaderElection: {leaseDuration: 7s, renewDeadline: 4s} | leaderElection.leaseDuration (7s) must be longer than 7s: a leader writes only
            leaderElection: {leaseDuration: 12500ms} | leaderElection.leaseDuration (12500ms) must be whole seconds
            leaderElection: {retryPeriod: 0s}    | leaderElection.retryPeriod (0s) must be longer, such as 2s
            leaderElection: {name: ""}           | leaderElection.namespace (kube-system) and name () must not be empty
            leaderElection: {retryPeriod: 1h}    | leaderElection.renewDeadline (10s) must be longer than retryPeriod (3600s)
            """)
    void aWrongSettingIsNamedWithWhatWouldBeRight(String text, String complaint) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("berth.yaml: ")
                .hasMessageContaining(complaint);
    }

    @Test
    void anEmptyListOfProfilesIsAsNone() {
        assertThat(read("profiles: []")).isEqualTo(Config.DEFAULT);
        assertThat(read("{schedulerNames: [foo], profiles: []}").schedulerNames())
                .containsExactly("foo");
        assertThat(read("{schedulerNames: [berth-scheduler], profiles: []}")).isEqualTo(Config.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {bindsInFlight: 1, bindsInFlight: 2} | bindsInFlight
            {operation: {port: 1, address: a, port: 1}} | operation.port
            {profiles: [{schedulerName: a}, {schedulerName: b, schedulerName: c}]} | profiles[1].schedulerName
            {return: {ttl: 5s}, doors: {}, return: {ttl: 6s}} | return
            """)
    void aKeyThatStandsThereTwiceIsNamed(String text, String key) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(UserError.class)
                .hasMessage("berth.yaml: key (%s) stands there twice: leave out one".formatted(key));
    }

    @Test
    void aSecondDocumentIsRefusedUnlessItIsEmpty() {
        assertThatThrownBy(() -> read("bindsInFlight: 1\n---\nbindsInFlight: 2\n"))
                .isInstanceOf(UserError.class)
                .hasMessage("berth.yaml: a second document follows after (---), which nobody would read: leave it out");
        assertThat(read("---\nbindsInFlight: 1\n---\n").bindsInFlight()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "leaderElection: {name: harbour}",
                "leaderElection: {namespace: harbour}",
                "leaderElection: {name: kube-scheduler}",
                "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
                        + "leaderElection: {resourceName: kube-scheduler}"
            })
    void aConfigurationThatNamesAnotherLeaseIsRejected(String text) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOfSatisfying(
                        UserError.class,
                        rejected -> assertThat(rejected.exitCode()).isEqualTo(2))
                .hasMessageStartingWith("berth.yaml: leaderElection names the Lease (")
                .hasMessageContaining("all Berths of a cluster share one ledger, and the Lease kube-system/berth says");
    }

    @Test
    void aConfigurationWithoutALeaseIsRejected() {
        assertThatThrownBy(() -> read("leaderElection: {enabled: false}"))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("berth.yaml: leaderElection.enabled (false): a Berth always takes the Lease"
                        + " kube-system/berth");
        assertThat(read("leaderElection: {enabled: true, namespace: kube-system, name: berth}")
                        .leaderElection())
                .isEqualTo(LeaderElection.DEFAULT);
    }

    @Test
    void whatIsNotYamlIsNamedByItsLine() {
        assertThatThrownBy(() -> read("schedulerNames: [a]\nleaderElection: {enabled"))
                .isInstanceOf(UserError.class)
                .message()
                .startsWith("berth.yaml is not YAML: line 2, column 25: ")
                .hasLineCount(1)
                .containsOnlyOnce("line ");
    }

    @Test
    void aMissingFileIsNamed() {
        assertThatThrownBy(() -> ConfigFile.read(Path.of("no/such/berth.yaml")))
                .hasMessage("--config no/such/berth.yaml: there is no such file");
    }

    private static Config read(String text) {
        return ConfigFile.parse(text, Path.of("berth.yaml")).config();
    }
}
