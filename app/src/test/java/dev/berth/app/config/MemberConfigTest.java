package dev.berth.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.hold.Origin.DoorId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The configurations that the Berths of one cluster exchange, and how the leader merges them. */
class MemberConfigTest {
    private static final String PACKING = """
            profiles:
            - schedulerName: packing
              pluginConfig:
              - name: NodeResourcesFit
                args: {scoringStrategy: {type: MostAllocated}}
            """;

    @Test
    void aWrittenConfigIsReadBackEqual() {
        for (String text : new String[] {
            "schedulerNames: [a, b]",
            PACKING + "schedulerNames: [usual]",
            "doors: {disabled: [devices]}\ngodel: {reservationTTL: 90s}\nglobalreserve: {api: {enabled: true}, reservationTTL: 2m}",
            "extender: {enabled: true}",
            "schedulerLeases: {default-scheduler: '', a: kube-system/a}"
        }) {
            Config config = config(text);
            assertThat(MemberConfig.parse(MemberConfig.toJson(config))).isEqualTo(MemberConfig.from(config));
        }
    }

    @Test
    void anUnnamedSingleProfileIsNamedDefaultScheduler() {
        Config config = config("""
                apiVersion: kubescheduler.config.k8s.io/v1
                kind: KubeSchedulerConfiguration
                profiles:
                - plugins: {score: {disabled: [{name: ImageLocality}]}}
                """);
        MemberConfig read = MemberConfig.parse(MemberConfig.toJson(config));
        assertThat(read.profiles().schedulerNames()).containsExactly("default-scheduler");
        assertThat(read).isEqualTo(MemberConfig.from(config));
    }

    @Test
    void membersWithDifferentSchedulerNamesAreMerged() {
        MemberConfig one = memberConfig("schedulerNames: [a]\ndoors: {disabled: [devices]}");
        MemberConfig other = memberConfig(
                PACKING + "doors: {disabled: [godel]}\nglobalreserve: {api: {enabled: true}, reservationTTL: 2m}");
        assertThat(one.conflictWith(other)).isEmpty();
        Config union = one.merge(other).applyTo(config("schedulerNames: [a]\ndoors: {disabled: [devices]}"));
        assertThat(union.schedulerNames()).containsExactly("a", "packing");
        assertThat(union.doors().enabled()).isEqualTo(EnumSet.allOf(DoorId.class));
        assertThat(union.doors().globalReserveApi().enabled())
                .as("where it listens is its own affair")
                .isFalse();
        assertThat(union.doors().globalReserveApi().reservationTtl()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void aMemberOfAnOlderVersionHasTheUsualSchedulerLeases() {
        assertThat(MemberConfig.parse("{\"godelReservationTTL\":\"1m\"}").schedulerLeases())
                .isEqualTo(SchedulerLeases.DEFAULT);
    }

    @Test
    void differentLeasesOfOneSchedulerNameConflict() {
        assertThat(memberConfig("schedulerLeases: {koord-scheduler: ''}").conflictWith(memberConfig("")))
                .contains(
                        "schedulerLeases.koord-scheduler is () in this replica and (koordinator-system/koord-scheduler) in the other one");
    }

    @Test
    void differentSettingsForTheSameSchedulerConflict() {
        assertThat(memberConfig(PACKING).conflictWith(memberConfig("schedulerNames: [packing]")))
                .contains("the profile of schedulerName (packing) differs. A schedulerName can have only one profile");
        assertThat(memberConfig("godel: {reservationTTL: 90s}")
                        .conflictWith(memberConfig("godel: {reservationTTL: 60s}")))
                .contains("godel.reservationTTL is 1m30s in this replica and 1m in the other one");
        assertThat(memberConfig("globalreserve: {api: {enabled: true}, reservationTTL: 2m}")
                        .conflictWith(memberConfig("globalreserve: {api: {enabled: true}, reservationTTL: 1m}")))
                .contains("globalreserve.reservationTTL is 2m in this replica and 1m in the other one");
    }

    @Test
    void aMemberThatServesMoreApisIsPreferredAsLeader() {
        MemberConfig none = memberConfig("");
        MemberConfig reserve = memberConfig("globalreserve: {api: {enabled: true}}");
        MemberConfig extender = memberConfig("extender: {enabled: true}");
        assertThat(none.servesFewerApisThan(reserve)).isTrue();
        assertThat(reserve.servesFewerApisThan(none)).isFalse();
        assertThat(reserve.servesFewerApisThan(reserve)).isFalse();
        assertThat(reserve.servesFewerApisThan(extender)).isFalse();
    }

    @Test
    void anUnreadableMemberConfigIsRejected() {
        for (String text : Set.of("", "no", "{\"doors\":[\"window\"],\"returnTtl\":\"1s\"}")) {
            assertThatThrownBy(() -> MemberConfig.parse(text)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static MemberConfig memberConfig(String text) {
        return MemberConfig.from(config(text));
    }

    private static Config config(String text) {
        return ConfigFile.parse(text, Path.of("berth.yaml")).config();
    }
}
