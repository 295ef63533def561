package dev.berth.http.reserve;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.berth.core.door.reserve.ReserveAnswer;
import dev.berth.core.door.reserve.ReserveRequest;
import dev.berth.core.door.reserve.ReserveRequest.Seat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Requests and answers in JSON. Keys are read in small and capital letters alike and what nobody knows is skipped, as Go
 * does; only the first value of the body counts.
 */
final class ReserveJson {
    private static final JsonFactory FACTORY = new JsonFactory();

    private final PodReader pods;

    ReserveJson(PodReader pods) {
        this.pods = pods;
    }

    /** What the body says, the pods not yet read. */
    private static final class Draft {
        private final List<byte[]> pods = new ArrayList<>();
        private final List<String> nodes = new ArrayList<>();
        private String scheduler = "";
    }

    /** Without a scheduler's name nothing else of the request counts. */
    ReserveRequest read(byte[] body) throws NotUnderstood {
        Draft draft = draft(body);
        if (draft.scheduler.isBlank()) {
            return new ReserveRequest("", List.of());
        }
        if (draft.pods.size() != draft.nodes.size()) {
            throw new NotUnderstood("Pods has %d entries and Nodes %d: each pod needs its node at the same index"
                    .formatted(draft.pods.size(), draft.nodes.size()));
        }
        List<Seat> seats = new ArrayList<>();
        for (int i = 0; i < draft.pods.size(); i++) {
            seats.add(seat(draft, i));
        }
        return new ReserveRequest(draft.scheduler, seats);
    }

    private Seat seat(Draft draft, int index) throws NotUnderstood {
        try {
            return new Seat(pods.read(draft.pods.get(index)), draft.nodes.get(index));
        } catch (IllegalArgumentException senseless) {
            throw new NotUnderstood("Pods[%d]: %s".formatted(index, senseless.getMessage()));
        }
    }

    private static Draft draft(byte[] body) throws NotUnderstood {
        try (JsonParser in = FACTORY.createParser(body)) {
            JsonToken first = in.nextToken();
            if (first == null) {
                throw new NotUnderstood("EOF");
            }
            if (first == JsonToken.VALUE_NULL) {
                return new Draft();
            }
            expect(in, JsonToken.START_OBJECT, "The body", "an object with Pods, Nodes and SchedulerName");
            return fields(in, body);
        } catch (JsonProcessingException malformed) {
            throw new NotUnderstood("The body is no JSON at line %d, column %d: %s"
                    .formatted(
                            malformed.getLocation().getLineNr(),
                            malformed.getLocation().getColumnNr(),
                            malformed.getOriginalMessage()));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static Draft fields(JsonParser in, byte[] body) throws IOException, NotUnderstood {
        Draft draft = new Draft();
        while (in.nextToken() != JsonToken.END_OBJECT) {
            String key = in.currentName().toLowerCase(Locale.ROOT);
            JsonToken value = in.nextToken();
            if (value == JsonToken.VALUE_NULL) {
                continue;
            }
            switch (key) {
                case "pods" -> pods(in, body, draft);
                case "nodes" -> nodes(in, draft);
                case "schedulername" -> {
                    expect(in, JsonToken.VALUE_STRING, "SchedulerName", "a text");
                    draft.scheduler = in.getText();
                }
                default -> in.skipChildren();
            }
        }
        return draft;
    }

    private static void pods(JsonParser in, byte[] body, Draft draft) throws IOException, NotUnderstood {
        expect(in, JsonToken.START_ARRAY, "Pods", "an array of pods");
        draft.pods.clear();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            expect(in, JsonToken.START_OBJECT, "Pods[%d]".formatted(draft.pods.size()), "a pod");
            int from = offset(in.currentTokenLocation().getByteOffset());
            in.skipChildren();
            int to = offset(in.currentLocation().getByteOffset());
            draft.pods.add(Arrays.copyOfRange(body, from, to));
        }
    }

    private static int offset(long bytes) throws NotUnderstood {
        if (bytes < 0) {
            throw new NotUnderstood("The body is not in UTF-8");
        }
        return Math.toIntExact(bytes);
    }

    private static void nodes(JsonParser in, Draft draft) throws IOException, NotUnderstood {
        expect(in, JsonToken.START_ARRAY, "Nodes", "an array of names");
        draft.nodes.clear();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            expect(in, JsonToken.VALUE_STRING, "Nodes[%d]".formatted(draft.nodes.size()), "a name");
            draft.nodes.add(in.getText());
        }
    }

    private static void expect(JsonParser in, JsonToken token, String what, String wanted)
            throws IOException, NotUnderstood {
        if (in.currentToken() != token) {
            throw new NotUnderstood("%s (%s) must be %s".formatted(what, in.getText(), wanted));
        }
    }

    static byte[] write(ReserveAnswer answer) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = FACTORY.createGenerator(bytes)) {
            out.writeStartObject();
            if (answer.understood()) {
                out.writeArrayFieldStart("FailedPods");
                for (String name : answer.failedPods()) {
                    out.writeString(name);
                }
                out.writeEndArray();
            } else {
                out.writeNullField("FailedPods");
            }
            out.writeStringField("Error", answer.error());
            out.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }
}
