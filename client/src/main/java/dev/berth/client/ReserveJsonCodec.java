package dev.berth.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Encodes requests and decodes responses. A pod is written with its identity and its requests alone. */
final class ReserveJsonCodec {
    private static final JsonFactory FACTORY = new JsonFactory();

    private ReserveJsonCodec() {}

    static byte[] write(ReserveRequest request) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = FACTORY.createGenerator(bytes)) {
            out.writeStartObject();
            out.writeArrayFieldStart("Pods");
            for (ReserveRequest.PodAssignment podAssignment : request.assignments()) {
                write(out, podAssignment.pod(), request.schedulerName());
            }
            out.writeEndArray();
            out.writeArrayFieldStart("Nodes");
            for (ReserveRequest.PodAssignment podAssignment : request.assignments()) {
                out.writeString(podAssignment.nodeName());
            }
            out.writeEndArray();
            out.writeStringField("SchedulerName", request.schedulerName());
            out.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    private static void write(JsonGenerator out, Pod pod, String schedulerName) throws IOException {
        out.writeStartObject();
        out.writeObjectFieldStart("metadata");
        out.writeStringField("name", pod.name());
        out.writeStringField("namespace", pod.namespace());
        out.writeStringField("uid", pod.uid());
        out.writeEndObject();
        out.writeObjectFieldStart("spec");
        out.writeStringField("schedulerName", schedulerName);
        out.writeArrayFieldStart("containers");
        writeContainer(out, pod);
        out.writeEndArray();
        out.writeEndObject();
        out.writeObjectFieldStart("status");
        out.writeStringField("phase", pod.phase());
        out.writeEndObject();
        out.writeEndObject();
    }

    /** One container with what all of them request: only the sum counts. */
    private static void writeContainer(JsonGenerator out, Pod pod) throws IOException {
        out.writeStartObject();
        out.writeStringField("name", "all");
        out.writeObjectFieldStart("resources");
        out.writeObjectFieldStart("requests");
        for (Map.Entry<String, String> request : new TreeMap<>(pod.requests()).entrySet()) {
            out.writeStringField(request.getKey(), request.getValue());
        }
        out.writeEndObject();
        out.writeEndObject();
        out.writeArrayFieldStart("ports");
        for (Pod.HostPort port : pod.hostPorts()) {
            out.writeStartObject();
            out.writeNumberField("containerPort", port.port());
            out.writeNumberField("hostPort", port.port());
            out.writeStringField("hostIP", port.hostIp());
            out.writeStringField("protocol", port.protocol());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    /**
     * Decodes a response.
     *
     * @throws IOException if it is not a response of a Reserve API
     */
    static ReserveResponse read(byte[] body) throws IOException {
        List<String> failed = new ArrayList<>();
        List<String> details = new ArrayList<>();
        boolean understood = false;
        String error = "";
        try (JsonParser in = FACTORY.createParser(body)) {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("the response is not a JSON object");
            }
            while (in.nextToken() != JsonToken.END_OBJECT) {
                String key = in.currentName();
                JsonToken value = in.nextToken();
                if (key.equals("FailedPods") && value == JsonToken.START_ARRAY) {
                    understood = true;
                    readStrings(in, failed);
                } else if (key.equals("Details") && value == JsonToken.START_ARRAY) {
                    readStrings(in, details);
                } else if (key.equals("Error") && value == JsonToken.VALUE_STRING) {
                    error = in.getText();
                } else {
                    in.skipChildren();
                }
            }
        }
        return toResponse(understood, failed, error, details);
    }

    private static void readStrings(JsonParser in, List<String> to) throws IOException {
        while (in.nextToken() != JsonToken.END_ARRAY) {
            to.add(in.getText());
        }
    }

    private static ReserveResponse toResponse(
            boolean understood, List<String> failed, String error, List<String> details) throws IOException {
        if (error.isEmpty()) {
            if (!failed.isEmpty()) {
                throw new IOException("the response has failed pods %s but no error".formatted(failed));
            }
            return ReserveResponse.SUCCESS;
        }
        return understood ? ReserveResponse.rejected(failed, error, details) : ReserveResponse.invalidRequest(error);
    }
}
