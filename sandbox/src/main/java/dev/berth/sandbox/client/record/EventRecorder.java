package dev.berth.sandbox.client.record;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.ApiException;
import dev.berth.sandbox.client.DynamicClient;
import dev.berth.sandbox.client.Patch;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.transport.UnreachableException;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.TimestampFormat;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records Events. Recording never fails: an Event that the server rejects is logged and
 * dropped, as in Kubernetes. Called by one thread; the writes run where the executor runs them.
 */
public final class EventRecorder {
    private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);
    private static final int MAX_MESSAGE_LENGTH = 1_024;

    private final DynamicClient client;
    private final InstantSource clock;
    private final Executor writer;
    private final EventCorrelator eventCorrelator = new EventCorrelator();

    public EventRecorder(DynamicClient client, InstantSource clock, Executor writer) {
        this.client = client;
        this.clock = clock;
        this.writer = writer;
    }

    public void normal(EventSource source, ObjectNode involvedObject, String reason, String message) {
        record(new RecordedEvent(source, involvedObject, EventType.NORMAL, reason, truncate(message), clock.instant()));
    }

    public void warning(EventSource source, ObjectNode involvedObject, String reason, String message) {
        record(new RecordedEvent(
                source, involvedObject, EventType.WARNING, reason, truncate(message), clock.instant()));
    }

    private void record(RecordedEvent recordedEvent) {
        eventCorrelator
                .correlate(recordedEvent)
                .ifPresent(correlatedEvent -> writer.execute(() -> write(correlatedEvent)));
    }

    private void write(EventCorrelator.CorrelatedEvent correlatedEvent) {
        try {
            if (correlatedEvent.count() == 1 || !incrementCount(correlatedEvent)) {
                client.create(RestMapping.EVENTS, newEvent(correlatedEvent));
            }
        } catch (ApiException e) {
            LOG.debug("event ({}) is not written: {}", correlatedEvent.name(), e.getMessage());
        } catch (UnreachableException e) {
            LOG.warn("event ({}) is not written: {}", correlatedEvent.name(), e.getMessage());
        }
    }

    /** Increments the count of the existing Event; false when it has expired. */
    private boolean incrementCount(EventCorrelator.CorrelatedEvent correlatedEvent) {
        RecordedEvent recordedEvent = correlatedEvent.recordedEvent();
        ObjectNode change = NestedFields.newObject()
                .put("count", correlatedEvent.count())
                .put("message", recordedEvent.message())
                .put("lastTimestamp", TimestampFormat.formatTime(recordedEvent.time()));
        try {
            client.patch(
                    RestMapping.EVENTS.object(eventNamespace(recordedEvent.involvedObject()), correlatedEvent.name()),
                    Patch.strategic(change));
            return true;
        } catch (ApiException e) {
            if (e.isNotFound()) {
                return false;
            }
            throw e;
        }
    }

    private static ObjectNode newEvent(EventCorrelator.CorrelatedEvent correlatedEvent) {
        RecordedEvent recordedEvent = correlatedEvent.recordedEvent();
        ObjectNode event = NestedFields.newObject().put("apiVersion", "v1").put("kind", "Event");
        event.putObject("metadata")
                .put("name", correlatedEvent.name())
                .put("namespace", eventNamespace(recordedEvent.involvedObject()));
        event.set("involvedObject", ObjectMetaReader.toObjectReference(recordedEvent.involvedObject()));
        event.put("reason", recordedEvent.reason());
        event.put("message", recordedEvent.message());
        ObjectNode source = event.putObject("source");
        source.put("component", recordedEvent.source().component());
        if (!recordedEvent.source().host().isEmpty()) {
            source.put("host", recordedEvent.source().host());
        }
        event.put("firstTimestamp", TimestampFormat.formatTime(correlatedEvent.firstTimestamp()));
        event.put("lastTimestamp", TimestampFormat.formatTime(recordedEvent.time()));
        event.put("count", correlatedEvent.count());
        event.put("type", recordedEvent.type().value());
        event.putNull("eventTime");
        event.put("reportingComponent", recordedEvent.source().component());
        event.put("reportingInstance", recordedEvent.source().host());
        return event;
    }

    /** Events on cluster-scoped objects are kept in the default namespace. */
    private static String eventNamespace(ObjectNode involvedObject) {
        String namespace = ObjectMetaReader.namespace(involvedObject);
        return namespace.isEmpty() ? "default" : namespace;
    }

    private static String truncate(String message) {
        return message.length() <= MAX_MESSAGE_LENGTH ? message : message.substring(0, MAX_MESSAGE_LENGTH - 3) + "...";
    }
}
