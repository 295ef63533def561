package dev.berth.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the Berths of one cluster tell each other, and what the leader makes of it. */
class ServedTest {
    private static final String PACKING = """
            profiles:
            - schedulerName: packing
              pluginConfig:
              - name: NodeResourcesFit
                args: {scoringStrategy: {type: MostAllocated}}
            """;

    @Test
    void whatAMemberWritesIsReadAsItIs() {
        for (String text : new String[] {
            "schedulerNames: [a, b]",
            PACKING + "schedulerNames: [usual]",
            "doors: {without: [devices]}\nreturn: {ttl: 90s}\nreserveApi: {enabled: true, holdFor: 2m}",
            "extender: {enabled: true}"
        }) {
            Config config = config(text);
            assertThat(Served.read(Served.write(config))).isEqualTo(Served.by(config));
        }
    }

    @Test
    void aLoneProfileOfKubeSchedulersFileKeepsItsName() {
        Config config = config("""
                apiVersion: kubescheduler.config.k8s.io/v1
                kind: KubeSchedulerConfiguration
                profiles:
                - plugins: {score: {disabled: [{name: ImageLocality}]}}
                """);
        Served read = Served.read(Served.write(config));
        assertThat(read.profiles().names()).containsExactly("default-scheduler");
        assertThat(read).isEqualTo(Served.by(config));
    }

    @Test
    void differentNamesDoNotContradictAndAreServedTogether() {
        Served one = served("schedulerNames: [a]\ndoors: {without: [devices]}");
        Served other = served(PACKING + "doors: {without: [return]}\nreserveApi: {enabled: true, holdFor: 2m}");
        assertThat(one.contradiction(other)).isEmpty();
        Config union = one.with(other).settingsOf(config("schedulerNames: [a]\ndoors: {without: [devices]}"));
        assertThat(union.schedulerNames()).containsExactly("a", "packing");
        assertThat(union.doors().open()).isEqualTo(EnumSet.allOf(DoorName.class));
        assertThat(union.doors().reserveApi().enabled())
                .as("where it listens is its own affair")
                .isFalse();
        assertThat(union.doors().reserveApi().holdFor()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void anotherProfileOfTheSameNameContradicts() {
        assertThat(served(PACKING).contradiction(served("schedulerNames: [packing]")))
                .contains("the profile of scheduler (packing) differs, and a scheduler has one profile");
        assertThat(served("return: {ttl: 90s}").contradiction(served("return: {ttl: 60s}")))
                .contains("return.ttl is 1m30s in this Berth and 1m in the other");
        assertThat(served("reserveApi: {enabled: true, holdFor: 2m}")
                        .contradiction(served("reserveApi: {enabled: true, holdFor: 1m}")))
                .contains("reserveApi.holdFor is 2m in this Berth and 1m in the other");
    }

    @Test
    void theBetterLeaderListensForMore() {
        Served none = served("");
        Served reserve = served("reserveApi: {enabled: true}");
        Served extender = served("extender: {enabled: true}");
        assertThat(none.listensForLessThan(reserve)).isTrue();
        assertThat(reserve.listensForLessThan(none)).isFalse();
        assertThat(reserve.listensForLessThan(reserve)).isFalse();
        assertThat(reserve.listensForLessThan(extender)).isFalse();
    }

    @Test
    void whatIsNotReadableIsRefused() {
        for (String text : Set.of("", "no", "{\"doors\":[\"window\"],\"returnTtl\":\"1s\"}")) {
            assertThatThrownBy(() -> Served.read(text)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static Served served(String text) {
        return Served.by(config(text));
    }

    private static Config config(String text) {
        return ConfigFile.parse(text, Path.of("berth.yaml")).config();
    }
}
