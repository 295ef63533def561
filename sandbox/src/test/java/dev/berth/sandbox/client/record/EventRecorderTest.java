package dev.berth.sandbox.client.record;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.DynamicClient;
import dev.berth.sandbox.client.transport.ClientRequest;
import dev.berth.sandbox.client.transport.ClientResponse;
import dev.berth.sandbox.client.transport.Transport;
import dev.berth.sandbox.client.transport.WatchStream;
import dev.berth.sandbox.unstructured.JsonText;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EventRecorderTest {
    private Instant now = Instant.parse("2026-11-15T12:00:00Z");
    private final FakeEventStorage shelf = new FakeEventStorage();
    private final EventRecorder recorder = new EventRecorder(new DynamicClient(shelf), () -> now, Runnable::run);
    private final EventSource source = EventSource.controller("replicaset-controller");
    private final ObjectNode web = JsonText.parse("""
            {"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"web","namespace":"shop","uid":"u1","resourceVersion":"5"}}""");

    /** Keeps events by path, creates once and merges patches. */
    private static final class FakeEventStorage implements Transport {
        private final Map<String, ObjectNode> events = new LinkedHashMap<>();
        private boolean refusing;

        @Override
        public ClientResponse send(ClientRequest clientRequest) {
            ObjectNode body = (ObjectNode) clientRequest.body().orElseThrow();
            if (refusing) {
                return new ClientResponse(403, NestedFields.newObject().put("code", 403));
            }
            if (clientRequest.method() == ClientRequest.Method.POST) {
                events.put(clientRequest.path() + "/" + ObjectMetaReader.name(body), body.deepCopy());
                return new ClientResponse(201, body);
            }
            ObjectNode present = events.get(clientRequest.path());
            if (present == null) {
                return new ClientResponse(404, NestedFields.newObject().put("code", 404));
            }
            present.setAll(body);
            return new ClientResponse(200, present);
        }

        @Override
        public WatchStream watch(ClientRequest clientRequest, Runnable arrived) {
            throw new UnsupportedOperationException("events are not watched here");
        }

        @Override
        public void close() {}
    }

    private List<String> messages() {
        return shelf.events.values().stream()
                .map(event -> NestedFields.intValue(event, 0, "count") + "x " + NestedFields.text(event, "message"))
                .toList();
    }

    @Test
    void anEventHasReasonInvolvedObjectAndSource() {
        recorder.normal(source, web, "SuccessfulCreate", "Created pod: web-1");
        ObjectNode event = shelf.events.values().iterator().next();
        assertThat(ObjectMetaReader.namespace(event)).isEqualTo("shop");
        assertThat(ObjectMetaReader.name(event)).startsWith("web.");
        assertThat(NestedFields.text(event, "involvedObject", "uid")).isEqualTo("u1");
        assertThat(NestedFields.text(event, "source", "component")).isEqualTo("replicaset-controller");
        assertThat(NestedFields.text(event, "type")).isEqualTo("Normal");
        assertThat(NestedFields.text(event, "firstTimestamp")).isEqualTo("2026-11-15T12:00:00Z");
    }

    @Test
    void aRepeatedEventIncrementsTheCount() {
        recorder.normal(source, web, "SuccessfulCreate", "Created pod: web-1");
        now = now.plusSeconds(3);
        recorder.normal(source, web, "SuccessfulCreate", "Created pod: web-1");
        assertThat(messages()).containsExactly("2x Created pod: web-1");
        ObjectNode event = shelf.events.values().iterator().next();
        assertThat(NestedFields.text(event, "firstTimestamp")).isEqualTo("2026-11-15T12:00:00Z");
        assertThat(NestedFields.text(event, "lastTimestamp")).isEqualTo("2026-11-15T12:00:03Z");
    }

    @Test
    void similarEventsAreAggregatedFromTheTenthOn() {
        for (int i = 1; i <= 12; i++) {
            recorder.normal(source, web, "SuccessfulCreate", "Created pod: web-" + i);
        }
        assertThat(messages())
                .hasSize(10)
                .contains("1x Created pod: web-9", "3x (combined from similar events): Created pod: web-12");
    }

    @Test
    void eventsOfOneObjectAreRateLimitedAndResumeLater() {
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
    void anExpiredEventIsCreatedAgain() {
        recorder.warning(source, web, "FailedCreate", "Error creating: no");
        shelf.events.clear();
        recorder.warning(source, web, "FailedCreate", "Error creating: no");
        assertThat(messages()).containsExactly("2x Error creating: no");
    }

    @Test
    void recordersWithTheSameClockUseDifferentEventNames() {
        EventRecorder other = new EventRecorder(new DynamicClient(shelf), () -> now, Runnable::run);
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
        ObjectNode node =
                JsonText.parse("{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"node-0\"}}");
        recorder.normal(new EventSource("kubelet", "node-0"), node, "Starting", "Starting kubelet.");
        ObjectNode event = shelf.events.values().iterator().next();
        assertThat(ObjectMetaReader.namespace(event)).isEqualTo("default");
        assertThat(NestedFields.text(event, "source", "host")).isEqualTo("node-0");
    }
}
