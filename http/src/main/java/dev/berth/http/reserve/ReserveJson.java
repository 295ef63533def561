package dev.berth.http.reserve;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.berth.core.door.reserve.ReserveAnswer;
import dev.berth.core.door.reserve.ReserveRequest;
import dev.berth.core.door.reserve.ReserveRequest.Seat;
import dev.berth.http.Asked;
import dev.berth.http.budget.ByteBudget;
import dev.berth.http.json.BadRequest;
import dev.berth.http.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Requests and answers in JSON. What nobody knows is skipped, as Go does. */
final class ReserveJson {
    /** Far more than a group may have: only so that what is read stays bounded. */
    private static final int MOST_ELEMENTS = 10_000;
    /** About what a name takes in memory beside its letters. */
    private static final int NAME_COST = 128;

    private final PodReader pods;

    ReserveJson(PodReader pods) {
        this.pods = pods;
    }

    /** Where a pod is in the body. */
    private record Range(int from, int to) {}

    /** What the body says, the pods not yet read. */
    private static final class Draft {
        private final Asked asked;
        private final List<Range> pods = new ArrayList<>();
        private final List<String> nodes = new ArrayList<>();
        private String scheduler = "";

        private Draft(Asked asked) {
            this.asked = asked;
        }

        private ByteBudget.Share share() {
            return asked.share();
        }

        private void field(String key, JsonParser in) throws IOException, BadRequest {
            switch (key) {
                case "pods" -> pods(in);
                case "nodes" -> nodes(in);
                case "schedulername" -> scheduler = Json.text(in, "SchedulerName", "a string");
                default -> Json.skip(in);
            }
        }

        private void pods(JsonParser in) throws IOException, BadRequest {
            pods.clear();
            Json.elements(in, "Pods", "an array of pods", index -> {
                bounded("Pods", index);
                Json.expect(in, JsonToken.START_OBJECT, "Pods[%d]".formatted(index), "a pod");
                int from = Json.start(in);
                int values = Json.count(in);
                Range pod = new Range(from, Json.end(in));
                share().take(PodReader.cost(pod.to() - pod.from(), values));
                pods.add(pod);
            });
        }

        private void nodes(JsonParser in) throws IOException, BadRequest {
            nodes.clear();
            Json.elements(in, "Nodes", "an array of names", index -> {
                bounded("Nodes", index);
                String name = Json.text(in, "Nodes[%d]".formatted(index), "a name");
                share().take(NAME_COST + 2L * name.length());
                nodes.add(name);
            });
        }

        private static void bounded(String what, int index) throws BadRequest {
            if (index >= MOST_ELEMENTS) {
                throw new BadRequest("%s has more than %d entries".formatted(what, MOST_ELEMENTS));
            }
        }
    }

    /** Without a scheduler's name nothing else of the request counts. */
    ReserveRequest read(Asked asked) throws BadRequest {
        Draft draft = new Draft(asked);
        Json.First first =
                Json.object(asked.body(), "The body", "an object with Pods, Nodes and SchedulerName", draft::field);
        if (first == Json.First.NOTHING) {
            throw new BadRequest("EOF");
        }
        if (draft.scheduler.isBlank()) {
            return new ReserveRequest("", List.of());
        }
        if (draft.pods.size() != draft.nodes.size()) {
            throw new BadRequest("Pods has %d entries and Nodes %d: each pod needs its node at the same index"
                    .formatted(draft.pods.size(), draft.nodes.size()));
        }
        List<Seat> seats = new ArrayList<>();
        for (int i = 0; i < draft.pods.size(); i++) {
            seats.add(seat(draft, i));
        }
        return new ReserveRequest(draft.scheduler, seats);
    }

    private Seat seat(Draft draft, int index) throws BadRequest {
        Range pod = draft.pods.get(index);
        try {
            return new Seat(pods.read(draft.asked.body(), pod.from(), pod.to()), draft.nodes.get(index));
        } catch (IllegalArgumentException senseless) {
            throw new BadRequest("Pods[%d]: %s".formatted(index, senseless.getMessage()));
        }
    }

    /** An answer in one line. The original's two keys come first and are always there. */
    static byte[] write(ReserveAnswer answer) {
        byte[] json = Json.write(out -> {
            if (answer.understood()) {
                texts(out, "FailedPods", answer.failedPods());
            } else {
                out.writeNullField("FailedPods");
            }
            out.writeStringField("Error", answer.error());
            if (!answer.details().isEmpty()) {
                texts(out, "Details", answer.details());
            }
        });
        ByteArrayOutputStream line = new ByteArrayOutputStream(json.length + 1);
        line.writeBytes(json);
        line.write('\n');
        return line.toByteArray();
    }

    private static void texts(JsonGenerator out, String name, List<String> texts) throws IOException {
        out.writeArrayFieldStart(name);
        for (String text : texts) {
            out.writeString(text);
        }
        out.writeEndArray();
    }
}
