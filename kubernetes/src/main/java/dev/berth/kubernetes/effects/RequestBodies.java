package dev.berth.kubernetes.effects;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.EventTarget;
import dev.berth.kubernetes.protobuf.ProtoWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Encodes the objects to write, in protobuf, and in JSON for servers without protobuf. */
final class RequestBodies {
    private static final JsonFactory JSON = new JsonFactory();
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss'Z'").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    /** The limit of the API server for a reporting instance. */
    private static final int MAX_INSTANCE_BYTES = 128;

    private RequestBodies() {}

    /** An event with its name, reporter and time. */
    record EventBody(Effect.RecordEvent recordEvent, String name, String instance, Instant at) {
        String reporter() {
            return truncateUtf8(recordEvent.target().reportingController() + "-" + instance, MAX_INSTANCE_BYTES);
        }

        /** Events about cluster-scoped objects are in the default namespace, where users look first. */
        String namespace() {
            String own = recordEvent.target().namespace();
            return own.isEmpty() ? "default" : own;
        }

        String note() {
            return recordEvent.note();
        }
    }

    /** The UID is a precondition; the annotations are added to the pod in the same write. */
    static byte[] binding(Effect.Bind bind) {
        return ProtoWriter.object("v1", "Binding", out -> {
            out.message(
                    1,
                    meta -> meta.text(1, bind.pod().name())
                            .text(3, bind.pod().namespace())
                            .text(5, bind.pod().uid().value())
                            .map(12, bind.annotations()));
            out.message(2, target -> target.text(1, "Node").text(3, bind.node()));
        });
    }

    static byte[] bindingJson(Effect.Bind bind) {
        return writeJson(out -> {
            writeTypeMeta(out, "v1", "Binding");
            out.writeObjectFieldStart("metadata");
            out.writeStringField("name", bind.pod().name());
            out.writeStringField("namespace", bind.pod().namespace());
            out.writeStringField("uid", bind.pod().uid().value());
            out.writeObjectFieldStart("annotations");
            for (var entry : bind.annotations().entrySet()) {
                out.writeStringField(entry.getKey(), entry.getValue());
            }
            out.writeEndObject();
            out.writeEndObject();
            out.writeObjectFieldStart("target");
            out.writeStringField("kind", "Node");
            out.writeStringField("name", bind.node());
            out.writeEndObject();
        });
    }

    static byte[] event(EventBody event) {
        Effect.RecordEvent recordEvent = event.recordEvent();
        EventTarget target = recordEvent.target();
        return ProtoWriter.object("events.k8s.io/v1", "Event", out -> {
            out.message(1, meta -> meta.text(1, event.name()).text(3, event.namespace()));
            out.message(2, time -> writeMicroTime(time, event.at()));
            out.text(4, target.reportingController()).text(5, event.reporter());
            out.text(6, recordEvent.kind().action()).text(7, recordEvent.kind().reason());
            out.message(
                    8,
                    regarding -> regarding
                            .text(1, target.kind())
                            .text(2, target.namespace())
                            .text(3, target.name())
                            .text(4, target.uid())
                            .text(5, target.apiVersion()));
            out.text(10, event.note()).text(11, recordEvent.kind().type());
        });
    }

    static byte[] eventJson(EventBody event) {
        Effect.RecordEvent recordEvent = event.recordEvent();
        EventTarget target = recordEvent.target();
        return writeJson(out -> {
            writeTypeMeta(out, "events.k8s.io/v1", "Event");
            out.writeObjectFieldStart("metadata");
            out.writeStringField("name", event.name());
            out.writeStringField("namespace", event.namespace());
            out.writeEndObject();
            out.writeStringField("eventTime", MICROS.format(event.at()));
            out.writeStringField("reportingController", target.reportingController());
            out.writeStringField("reportingInstance", event.reporter());
            out.writeStringField("action", recordEvent.kind().action());
            out.writeStringField("reason", recordEvent.kind().reason());
            out.writeObjectFieldStart("regarding");
            out.writeStringField("kind", target.kind());
            out.writeStringField("namespace", target.namespace());
            out.writeStringField("name", target.name());
            out.writeStringField("uid", target.uid());
            out.writeStringField("apiVersion", target.apiVersion());
            out.writeEndObject();
            out.writeStringField("note", event.note());
            out.writeStringField("type", recordEvent.kind().type());
        });
    }

    /** A strategic merge patch: conditions are merged by their type. The UID in it is a precondition. */
    static byte[] condition(Effect.MarkUnscheduled mark, long generation, Instant since) {
        return writeJson(out -> {
            out.writeObjectFieldStart("metadata");
            out.writeStringField("uid", mark.pod().uid().value());
            out.writeEndObject();
            out.writeObjectFieldStart("status");
            out.writeArrayFieldStart("conditions");
            out.writeStartObject();
            out.writeStringField("type", "PodScheduled");
            out.writeStringField("status", "False");
            out.writeStringField("reason", mark.reason().text());
            out.writeStringField("message", mark.message());
            out.writeNullField("lastProbeTime");
            out.writeStringField("lastTransitionTime", SECONDS.format(since));
            if (generation > 0) {
                out.writeNumberField("observedGeneration", generation);
            }
            out.writeEndObject();
            out.writeEndArray();
            out.writeEndObject();
        });
    }

    private static void writeMicroTime(ProtoWriter out, Instant time) {
        long seconds = time.getEpochSecond();
        int nanos = time.getNano();
        out.number(1, seconds).number(2, nanos / 1_000 * 1_000L);
    }

    /** The text, truncated to at most so many bytes at a character boundary. */
    static String truncateUtf8(String text, int bytes) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        if (encoded.length <= bytes) {
            return text;
        }
        int end = bytes;
        while (end > 0 && (encoded[end] & 0xc0) == 0x80) {
            end--;
        }
        return new String(encoded, 0, end, StandardCharsets.UTF_8);
    }

    private interface JsonContent {
        void write(JsonGenerator out) throws IOException;
    }

    private static void writeTypeMeta(JsonGenerator out, String apiVersion, String kind) throws IOException {
        out.writeStringField("apiVersion", apiVersion);
        out.writeStringField("kind", kind);
    }

    private static byte[] writeJson(JsonContent content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (JsonGenerator out = JSON.createGenerator(bytes)) {
            out.writeStartObject();
            content.write(out);
            out.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }
}
