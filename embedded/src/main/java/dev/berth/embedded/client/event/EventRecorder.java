package dev.berth.embedded.client.event;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.ApiClient;
import dev.berth.embedded.client.ApiException;
import dev.berth.embedded.client.Patch;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.Timestamps;
import dev.berth.embedded.client.transport.UnreachableException;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells what happens to objects by writing Events. Telling never fails: an event that the server refuses is logged and
 * dropped, as in Kubernetes. Called by one thread; the writes run where the executor runs them.
 */
public final class EventRecorder {
    private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);
    private static final int LONGEST_MESSAGE = 1_024;

    private final ApiClient client;
    private final InstantSource clock;
    private final Executor writer;
    private final Correlation correlation = new Correlation();

    public EventRecorder(ApiClient client, InstantSource clock, Executor writer) {
        this.client = client;
        this.clock = clock;
        this.writer = writer;
    }

    public void normal(EventSource source, ObjectNode about, String reason, String message) {
        tell(new Occurrence(source, about, EventType.NORMAL, reason, shortened(message), clock.instant()));
    }

    public void warning(EventSource source, ObjectNode about, String reason, String message) {
        tell(new Occurrence(source, about, EventType.WARNING, reason, shortened(message), clock.instant()));
    }

    private void tell(Occurrence occurrence) {
        correlation.judge(occurrence).ifPresent(verdict -> writer.execute(() -> write(verdict)));
    }

    private void write(Correlation.Verdict verdict) {
        try {
            if (verdict.count() == 1 || !patched(verdict)) {
                client.create(Resource.EVENTS, event(verdict));
            }
        } catch (ApiException e) {
            LOG.debug("event ({}) is not written: {}", verdict.name(), e.getMessage());
        } catch (UnreachableException e) {
            LOG.warn("event ({}) is not written: {}", verdict.name(), e.getMessage());
        }
    }

    /** Counts one more on the event written before; false when that one has expired. */
    private boolean patched(Correlation.Verdict verdict) {
        Occurrence occurrence = verdict.occurrence();
        ObjectNode change = Json.object()
                .put("count", verdict.count())
                .put("message", occurrence.message())
                .put("lastTimestamp", Timestamps.seconds(occurrence.time()));
        try {
            client.patch(Resource.EVENTS.at(namespace(occurrence.about()), verdict.name()), Patch.strategic(change));
            return true;
        } catch (ApiException e) {
            if (e.notFound()) {
                return false;
            }
            throw e;
        }
    }

    private static ObjectNode event(Correlation.Verdict verdict) {
        Occurrence occurrence = verdict.occurrence();
        ObjectNode event = Json.object().put("apiVersion", "v1").put("kind", "Event");
        event.putObject("metadata").put("name", verdict.name()).put("namespace", namespace(occurrence.about()));
        event.set("involvedObject", Meta.reference(occurrence.about()));
        event.put("reason", occurrence.reason());
        event.put("message", occurrence.message());
        ObjectNode source = event.putObject("source");
        source.put("component", occurrence.source().component());
        if (!occurrence.source().host().isEmpty()) {
            source.put("host", occurrence.source().host());
        }
        event.put("firstTimestamp", Timestamps.seconds(verdict.first()));
        event.put("lastTimestamp", Timestamps.seconds(occurrence.time()));
        event.put("count", verdict.count());
        event.put("type", occurrence.type().word());
        event.putNull("eventTime");
        event.put("reportingComponent", occurrence.source().component());
        event.put("reportingInstance", occurrence.source().host());
        return event;
    }

    /** Events on cluster-scoped objects are kept in the default namespace. */
    private static String namespace(ObjectNode about) {
        String namespace = Meta.namespace(about);
        return namespace.isEmpty() ? "default" : namespace;
    }

    private static String shortened(String message) {
        return message.length() <= LONGEST_MESSAGE ? message : message.substring(0, LONGEST_MESSAGE - 3) + "...";
    }
}
