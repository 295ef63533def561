package dev.berth.embedded.client.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.ApiClient;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.transport.Call;
import dev.berth.embedded.client.transport.Reply;
import dev.berth.embedded.client.transport.Transport;
import dev.berth.embedded.client.transport.WatchStream;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EventRecorderTest {
    private Instant now = Instant.parse("2026-11-15T12:00:00Z");
    private final EventShelf shelf = new EventShelf();
    private final EventRecorder recorder = new EventRecorder(new ApiClient(shelf), () -> now, Runnable::run);
    private final EventSource source = EventSource.controller("replicaset-controller");
    private final ObjectNode web = Json.parse("""
            {"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"web","namespace":"shop","uid":"u1","resourceVersion":"5"}}""");

    /** Keeps events by path, creates once and merges patches. */
    private static final class EventShelf implements Transport {
        private final Map<String, ObjectNode> events = new LinkedHashMap<>();
        private boolean refusing;

        @Override
        public Reply send(Call call) {
            ObjectNode body = (ObjectNode) call.body().orElseThrow();
            if (refusing) {
                return new Reply(403, Json.object().put("code", 403));
            }
            if (call.method() == Call.Method.POST) {
                events.put(call.path() + "/" + Meta.name(body), Json.copy(body));
                return new Reply(201, body);
            }
            ObjectNode present = events.get(call.path());
            if (present == null) {
                return new Reply(404, Json.object().put("code", 404));
            }
            present.setAll(body);
            return new Reply(200, present);
        }

        @Override
        public WatchStream watch(Call call, Runnable arrived) {
            throw new UnsupportedOperationException("events are not watched here");
        }

        @Override
        public void close() {}
    }

    private List<String> messages() {
        return shelf.events.values().stream()
                .map(event -> Json.number(event, 0, "count") + "x " + Json.text(event, "message"))
                .toList();
    }

    @Test
    void anEventSaysWhatHappenedToWhomAndWhoTells() {
        recorder.normal(source, web, "SuccessfulCreate", "Created pod: web-1");
        ObjectNode event = shelf.events.values().iterator().next();
        assertThat(Meta.namespace(event)).isEqualTo("shop");
        assertThat(Meta.name(event)).startsWith("web.");
        assertThat(Json.text(event, "involvedObject", "uid")).isEqualTo("u1");
        assertThat(Json.text(event, "source", "component")).isEqualTo("replicaset-controller");
        assertThat(Json.text(event, "type")).isEqualTo("Normal");
        assertThat(Json.text(event, "firstTimestamp")).isEqualTo("2026-11-15T12:00:00Z");
    }

    @Test
    void theSameAgainIsCounted() {
        recorder.normal(source, web, "SuccessfulCreate", "Created pod: web-1");
        now = now.plusSeconds(3);
        recorder.normal(source, web, "SuccessfulCreate", "Created pod: web-1");
        assertThat(messages()).containsExactly("2x Created pod: web-1");
        ObjectNode event = shelf.events.values().iterator().next();
        assertThat(Json.text(event, "firstTimestamp")).isEqualTo("2026-11-15T12:00:00Z");
        assertThat(Json.text(event, "lastTimestamp")).isEqualTo("2026-11-15T12:00:03Z");
    }

    @Test
    void fromTheTenthSimilarOneOnTheyAreCombined() {
        for (int i = 1; i <= 12; i++) {
            recorder.normal(source, web, "SuccessfulCreate", "Created pod: web-" + i);
        }
        assertThat(messages())
                .hasSize(10)
                .contains("1x Created pod: web-9", "3x (combined from similar events): Created pod: web-12");
    }

    @Test
    void aFloodAboutOneObjectIsCutOffAndGoesOnLater() {
        for (int i = 1; i <= 40; i++) {
            recorder.normal(source, web, "Reason" + i, "something");
        }
        assertThat(messages()).hasSize(25);
        now = now.plus(Duration.ofMinutes(5));
        recorder.normal(source, web, "Later", "something");
        recorder.normal(source, web, "LaterStill", "something");
        assertThat(messages()).hasSize(26);
    }

    @Test
    void anEventThatExpiredIsWrittenAnew() {
        recorder.warning(source, web, "FailedCreate", "Error creating: no");
        shelf.events.clear();
        recorder.warning(source, web, "FailedCreate", "Error creating: no");
        assertThat(messages()).containsExactly("2x Error creating: no");
    }

    @Test
    void tellersWithOneClockDoNotTakeEachOthersNames() {
        EventRecorder other = new EventRecorder(new ApiClient(shelf), () -> now, Runnable::run);
        recorder.normal(source, web, "SuccessfulCreate", "Created pod: web-1");
        other.normal(EventSource.controller("deployment-controller"), web, "Other", "by another");
        recorder.normal(source, web, "SuccessfulCreate", "Created pod: web-2");
        assertThat(messages()).hasSize(3);
    }

    @Test
    void aRefusedEventIsDropped() {
        shelf.refusing = true;
        recorder.normal(source, web, "SuccessfulCreate", "Created pod: web-1");
        assertThat(shelf.events).isEmpty();
    }

    @Test
    void eventsOnNodesAreKeptInTheDefaultNamespace() {
        ObjectNode node = Json.parse("{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"node-0\"}}");
        recorder.normal(new EventSource("kubelet", "node-0"), node, "Starting", "Starting kubelet.");
        ObjectNode event = shelf.events.values().iterator().next();
        assertThat(Meta.namespace(event)).isEqualTo("default");
        assertThat(Json.text(event, "source", "host")).isEqualTo("node-0");
    }
}
