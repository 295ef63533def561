package dev.berth.embedded.client.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class MetaTest {
    private static final Instant NOON = Instant.parse("2026-11-15T12:00:00.123456Z");

    @Test
    void timesAreWrittenAsTheApiWritesThem() {
        assertThat(Timestamps.seconds(NOON)).isEqualTo("2026-11-15T12:00:00Z");
        assertThat(Timestamps.micros(NOON)).isEqualTo("2026-11-15T12:00:00.123456Z");
        assertThat(Timestamps.micros(Instant.parse("2026-11-15T12:00:00Z"))).isEqualTo("2026-11-15T12:00:00.000000Z");
    }

    @Test
    void timesWithAnOffsetAreRead() {
        ObjectNode object = Json.object().put("utc", "2026-11-15T12:00:00Z").put("east", "2026-11-15T14:00:00+02:00");
        assertThat(Timestamps.read(object.path("east"))).isEqualTo(Timestamps.read(object.path("utc")));
        assertThat(Timestamps.read(object.put("no", "noon").path("no"))).isEmpty();
        assertThat(Timestamps.read(object.path("absent"))).isEmpty();
    }

    @Test
    void theControllerIsTheOwnerThatSaysSo() {
        ObjectNode pod = Json.parse("""
                {"metadata":{"ownerReferences":[
                  {"apiVersion":"v1","kind":"Node","name":"n","uid":"1"},
                  {"apiVersion":"apps/v1","kind":"ReplicaSet","name":"r","uid":"2","controller":true}]}}""");
        assertThat(Meta.controllerOf(pod)).hasValueSatisfying(owner -> {
            assertThat(owner.name()).isEqualTo("r");
            assertThat(owner.group()).isEqualTo("apps");
        });
        assertThat(Meta.controlledBy(pod, "2")).isTrue();
        assertThat(Meta.controlledBy(pod, "1")).isFalse();
    }

    @Test
    void anOwnerWithoutUidIsRefused() {
        assertThatThrownBy(() -> new OwnerReference("v1", "Pod", "a", "", true, true))
                .hasMessageContaining("needs apiVersion, kind, name and uid");
    }

    @Test
    void aPodIsAvailableOnceItHasBeenReadyLongEnough() {
        ObjectNode pod = Json.parse("""
                {"status":{"phase":"Running","conditions":[
                  {"type":"Ready","status":"True","lastTransitionTime":"2026-11-15T12:00:00Z"}]}}""");
        Instant ready = Instant.parse("2026-11-15T12:00:00Z");
        Duration minReady = Duration.ofSeconds(10);
        assertThat(Pods.available(pod, Duration.ZERO, ready)).isTrue();
        assertThat(Pods.available(pod, minReady, ready.plusSeconds(9))).isFalse();
        assertThat(Pods.available(pod, minReady, ready.plusSeconds(10))).isTrue();
        assertThat(Pods.availableAt(pod, minReady)).contains(ready.plusSeconds(10));
    }

    @Test
    void conditionsAreReplacedByTypeAndRemoved() {
        ObjectNode status = Json.object();
        Conditions.put(status, Json.object().put("type", "A").put("status", "True"));
        Conditions.put(status, Json.object().put("type", "B").put("status", "True"));
        Conditions.put(status, Json.object().put("type", "A").put("status", "False"));
        assertThat(Json.objects(status, "conditions"))
                .extracting(each -> Json.text(each, "type"))
                .containsExactly("A", "B");
        Conditions.replace(status, Json.object().put("type", "A").put("status", "Unknown"));
        assertThat(Json.objects(status, "conditions"))
                .extracting(each -> Json.text(each, "type"))
                .containsExactly("B", "A");
        Conditions.remove(status, "A");
        Conditions.remove(status, "B");
        assertThat(status.has("conditions")).isFalse();
    }

    @Test
    void aTolerationBearsTaintsByKeyValueAndEffect() {
        ObjectNode taint = Json.object().put("key", "k").put("value", "v").put("effect", "NoExecute");
        assertThat(toleration("{\"key\":\"k\",\"value\":\"v\"}").tolerates(taint))
                .isTrue();
        assertThat(toleration("{\"key\":\"k\",\"operator\":\"Exists\",\"effect\":\"NoExecute\"}")
                        .tolerates(taint))
                .isTrue();
        assertThat(toleration("{\"operator\":\"Exists\"}").tolerates(taint)).isTrue();
        assertThat(toleration("{\"key\":\"k\",\"value\":\"w\"}").tolerates(taint))
                .isFalse();
        assertThat(toleration("{\"key\":\"k\",\"operator\":\"Exists\",\"effect\":\"NoSchedule\"}")
                        .tolerates(taint))
                .isFalse();
    }

    private static Toleration toleration(String json) {
        return Toleration.of(Json.parse(json));
    }
}
