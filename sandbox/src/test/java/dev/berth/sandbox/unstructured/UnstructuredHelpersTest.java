package dev.berth.sandbox.unstructured;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class UnstructuredHelpersTest {
    private static final Instant NOON = Instant.parse("2026-11-15T12:00:00.123456Z");

    @Test
    void timesAreWrittenAsTheApiWritesThem() {
        assertThat(TimestampFormat.formatTime(NOON)).isEqualTo("2026-11-15T12:00:00Z");
        assertThat(TimestampFormat.formatMicroTime(NOON)).isEqualTo("2026-11-15T12:00:00.123456Z");
        assertThat(TimestampFormat.formatMicroTime(Instant.parse("2026-11-15T12:00:00Z")))
                .isEqualTo("2026-11-15T12:00:00.000000Z");
    }

    @Test
    void timesWithAnOffsetAreRead() {
        ObjectNode object =
                NestedFields.newObject().put("utc", "2026-11-15T12:00:00Z").put("east", "2026-11-15T14:00:00+02:00");
        assertThat(TimestampFormat.parse(object.path("east"))).isEqualTo(TimestampFormat.parse(object.path("utc")));
        assertThat(TimestampFormat.parse(object.put("no", "noon").path("no"))).isEmpty();
        assertThat(TimestampFormat.parse(object.path("absent"))).isEmpty();
    }

    @Test
    void theControllerIsTheOwnerReferenceWithControllerTrue() {
        ObjectNode pod = JsonText.parse("""
                {"metadata":{"ownerReferences":[
                  {"apiVersion":"v1","kind":"Node","name":"n","uid":"1"},
                  {"apiVersion":"apps/v1","kind":"ReplicaSet","name":"r","uid":"2","controller":true}]}}""");
        assertThat(ObjectMetaReader.controllerOf(pod)).hasValueSatisfying(owner -> {
            assertThat(owner.name()).isEqualTo("r");
            assertThat(owner.group()).isEqualTo("apps");
        });
        assertThat(ObjectMetaReader.isControlledBy(pod, "2")).isTrue();
        assertThat(ObjectMetaReader.isControlledBy(pod, "1")).isFalse();
    }

    @Test
    void anOwnerWithoutUidIsRefused() {
        assertThatThrownBy(() -> new OwnerReference("v1", "Pod", "a", "", true, true))
                .hasMessageContaining("needs apiVersion, kind, name and uid");
    }

    @Test
    void aPodIsAvailableOnceItHasBeenReadyLongEnough() {
        ObjectNode pod = JsonText.parse("""
                {"status":{"phase":"Running","conditions":[
                  {"type":"Ready","status":"True","lastTransitionTime":"2026-11-15T12:00:00Z"}]}}""");
        Instant ready = Instant.parse("2026-11-15T12:00:00Z");
        Duration minReady = Duration.ofSeconds(10);
        assertThat(Pods.isAvailable(pod, Duration.ZERO, ready)).isTrue();
        assertThat(Pods.isAvailable(pod, minReady, ready.plusSeconds(9))).isFalse();
        assertThat(Pods.isAvailable(pod, minReady, ready.plusSeconds(10))).isTrue();
        assertThat(Pods.availableAt(pod, minReady)).contains(ready.plusSeconds(10));
    }

    @Test
    void conditionsAreReplacedByTypeAndRemoved() {
        ObjectNode status = NestedFields.newObject();
        StatusConditions.set(status, NestedFields.newObject().put("type", "A").put("status", "True"));
        StatusConditions.set(status, NestedFields.newObject().put("type", "B").put("status", "True"));
        StatusConditions.set(status, NestedFields.newObject().put("type", "A").put("status", "False"));
        assertThat(NestedFields.objects(status, "conditions"))
                .extracting(each -> NestedFields.text(each, "type"))
                .containsExactly("A", "B");
        StatusConditions.replaceAtEnd(
                status, NestedFields.newObject().put("type", "A").put("status", "Unknown"));
        assertThat(NestedFields.objects(status, "conditions"))
                .extracting(each -> NestedFields.text(each, "type"))
                .containsExactly("B", "A");
        StatusConditions.remove(status, "A");
        StatusConditions.remove(status, "B");
        assertThat(status.has("conditions")).isFalse();
    }

    @Test
    void aTolerationMatchesTaintsByKeyValueAndEffect() {
        ObjectNode taint =
                NestedFields.newObject().put("key", "k").put("value", "v").put("effect", "NoExecute");
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

    private static TolerationSpec toleration(String json) {
        return TolerationSpec.of(JsonText.parse(json));
    }
}
