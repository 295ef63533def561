package dev.berth.http.globalreserve;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.berth.core.door.globalreserve.ReserveRequest;
import dev.berth.core.door.globalreserve.ReserveRequest.PodAssignment;
import dev.berth.core.door.globalreserve.ReserveResponse;
import dev.berth.http.ServerRequest;
import dev.berth.http.budget.ByteBudget;
import dev.berth.http.json.BadRequestException;
import dev.berth.http.json.BoundedJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Requests and responses in JSON. Unknown keys are skipped, as Go does. */
final class ReserveJson {
    /** Far more than a group may have: a bound for memory. */
    private static final int MAX_ELEMENTS = 10_000;
    /** About the memory of a name without its characters. */
    private static final int NAME_COST = 128;

    private final PodReader pods;

    ReserveJson(PodReader pods) {
        this.pods = pods;
    }

    /** The range of a pod in the body. */
    private record ByteRange(int from, int to) {}

    /** The parsed body; its pods are read later. */
    private static final class ParsedBody {
        private final ServerRequest serverRequest;
        private final List<ByteRange> pods = new ArrayList<>();
        private final List<String> nodes = new ArrayList<>();
        private String schedulerName = "";

        private ParsedBody(ServerRequest serverRequest) {
            this.serverRequest = serverRequest;
        }

        private ByteBudget.Share share() {
            return serverRequest.share();
        }

        private void readField(String key, JsonParser in) throws IOException, BadRequestException {
            switch (key) {
                case "pods" -> readPods(in);
                case "nodes" -> readNodes(in);
                case "schedulername" -> schedulerName = BoundedJson.readText(in, "SchedulerName", "a string");
                default -> BoundedJson.skipValue(in);
            }
        }

        private void readPods(JsonParser in) throws IOException, BadRequestException {
            pods.clear();
            BoundedJson.readElements(in, "Pods", "an array of pods", index -> {
                requireBounded("Pods", index);
                BoundedJson.expectToken(in, JsonToken.START_OBJECT, "Pods[%d]".formatted(index), "a pod");
                int from = BoundedJson.startOffset(in);
                int values = BoundedJson.skipAndCount(in);
                ByteRange pod = new ByteRange(from, BoundedJson.endOffset(in));
                share().acquire(PodReader.estimateCost(pod.to() - pod.from(), values));
                pods.add(pod);
            });
        }

        private void readNodes(JsonParser in) throws IOException, BadRequestException {
            nodes.clear();
            BoundedJson.readElements(in, "Nodes", "an array of names", index -> {
                requireBounded("Nodes", index);
                String name = BoundedJson.readText(in, "Nodes[%d]".formatted(index), "a name");
                share().acquire(NAME_COST + 2L * name.length());
                nodes.add(name);
            });
        }

        private static void requireBounded(String what, int index) throws BadRequestException {
            if (index >= MAX_ELEMENTS) {
                throw new BadRequestException("%s has more than %d entries".formatted(what, MAX_ELEMENTS));
            }
        }
    }

    /** Without a SchedulerName the rest of the request is ignored, as kube-globalreserve does. */
    ReserveRequest read(ServerRequest serverRequest) throws BadRequestException {
        ParsedBody parsedBody = new ParsedBody(serverRequest);
        BoundedJson.RootValue rootValue = BoundedJson.readObject(
                serverRequest.body(),
                "The body",
                "an object with Pods, Nodes and SchedulerName",
                parsedBody::readField);
        if (rootValue == BoundedJson.RootValue.EMPTY) {
            // The text of kube-globalreserve for an empty body.
            throw new BadRequestException("EOF");
        }
        if (parsedBody.schedulerName.isBlank()) {
            return new ReserveRequest("", List.of());
        }
        if (parsedBody.pods.size() != parsedBody.nodes.size()) {
            throw new BadRequestException("Pods has %d entries and Nodes %d: each pod needs its node at the same index"
                    .formatted(parsedBody.pods.size(), parsedBody.nodes.size()));
        }
        List<PodAssignment> podAssignments = new ArrayList<>();
        for (int i = 0; i < parsedBody.pods.size(); i++) {
            podAssignments.add(readAssignment(parsedBody, i));
        }
        return new ReserveRequest(parsedBody.schedulerName, podAssignments);
    }

    private PodAssignment readAssignment(ParsedBody parsedBody, int index) throws BadRequestException {
        ByteRange pod = parsedBody.pods.get(index);
        try {
            return new PodAssignment(
                    pods.read(parsedBody.serverRequest.body(), pod.from(), pod.to()), parsedBody.nodes.get(index));
        } catch (IllegalArgumentException invalid) {
            throw new BadRequestException("Pods[%d]: %s".formatted(index, invalid.getMessage()));
        }
    }

    /** A response in one line. The two keys of kube-globalreserve come first and are always present. */
    static byte[] write(ReserveResponse response) {
        byte[] json = BoundedJson.writeObject(out -> {
            if (response.requestValid()) {
                writeStrings(out, "FailedPods", response.failedPods());
            } else {
                out.writeNullField("FailedPods");
            }
            out.writeStringField("Error", response.error());
            if (!response.details().isEmpty()) {
                writeStrings(out, "Details", response.details());
            }
        });
        ByteArrayOutputStream line = new ByteArrayOutputStream(json.length + 1);
        line.writeBytes(json);
        line.write('\n');
        return line.toByteArray();
    }

    private static void writeStrings(JsonGenerator out, String name, List<String> texts) throws IOException {
        out.writeArrayFieldStart(name);
        for (String text : texts) {
            out.writeString(text);
        }
        out.writeEndArray();
    }
}
