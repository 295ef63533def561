package dev.berth.http.extender;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.berth.core.cluster.Pod;
import dev.berth.http.Asked;
import dev.berth.http.Reply;
import dev.berth.http.budget.ByteBudget;
import dev.berth.http.json.BadRequest;
import dev.berth.http.json.Json;
import dev.berth.http.reserve.PodReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Which nodes take which pod? Nodes come by name, or whole; whole ones go back as they came. Keys are read in small and
 * capital letters alike, as Go does, and answered as they were asked.
 */
final class FilterRequest {
    /** More nodes than Kubernetes can have: only so that what is read stays bounded. */
    private static final int MOST_NODES = 50_000;
    /** About what a node takes in memory beside its name: what is read of it, its vetoes and what is said of them. */
    private static final int NODE_COST = 1_024;

    private final byte[] body;
    private final ByteBudget.Share share;
    private final List<Item> nodes = new ArrayList<>();
    private int podFrom;
    private int podTo;
    private boolean byName;
    private boolean given;
    private boolean small;

    private FilterRequest(Asked asked) {
        this.body = asked.body();
        this.share = asked.share();
    }

    /** A node and where it stands in the body; an end of 0 where it came by name alone. */
    record Item(String name, int from, int to) {}

    /**
     * Reads one.
     *
     * @throws BadRequest when the body is none, in words
     */
    static FilterRequest read(Asked asked) throws BadRequest {
        FilterRequest request = new FilterRequest(asked);
        String wanted = "an object with Pod and Nodes or NodeNames";
        if (Json.object(request.body, "the body", wanted, request::field) == Json.First.NOTHING) {
            throw new BadRequest("the body is empty: it must be " + wanted);
        }
        if (request.podTo == 0) {
            throw new BadRequest("Pod is missing");
        }
        return request;
    }

    Pod pod(PodReader pods) throws BadRequest {
        try {
            return pods.read(body, podFrom, podTo);
        } catch (IllegalArgumentException senseless) {
            throw new BadRequest("Pod: " + senseless.getMessage());
        }
    }

    List<Item> nodes() {
        return nodes;
    }

    /** Whether any nodes were given at all, be it none of them. */
    boolean given() {
        return given;
    }

    boolean byName() {
        return byName;
    }

    /** Whether its keys are in small letters. */
    boolean small() {
        return small;
    }

    /** As it came, without a copy. */
    Reply.Part whole(Item item) {
        return new Reply.Part(body, item.from, item.to - item.from);
    }

    private void field(String key, JsonParser in) throws IOException, BadRequest {
        switch (key) {
            case "pod" -> {
                small = in.currentName().equals("pod");
                Json.expect(in, JsonToken.START_OBJECT, "Pod", "a pod");
                podFrom = Json.start(in);
                int values = Json.count(in);
                podTo = Json.end(in);
                share.take(PodReader.cost(podTo - podFrom, values));
            }
            case "nodes" -> nodeList(in);
            case "nodenames" -> {
                byName = true;
                begin();
                Json.elements(in, "NodeNames", "an array of names", index -> {
                    String name = Json.text(in, "NodeNames[%d]".formatted(index), "a name");
                    add("NodeNames", new Item(name, 0, 0));
                });
            }
            default -> Json.skip(in);
        }
    }

    private void begin() {
        given = true;
        nodes.clear();
    }

    private void add(String what, Item node) throws BadRequest {
        if (nodes.size() == MOST_NODES) {
            throw new BadRequest("%s has more than %d nodes".formatted(what, MOST_NODES));
        }
        share.take(NODE_COST + 6L * node.name().length());
        nodes.add(node);
    }

    private void nodeList(JsonParser in) throws IOException, BadRequest {
        Json.expect(in, JsonToken.START_OBJECT, "Nodes", "a list of nodes");
        begin();
        Json.fields(in, (key, there) -> {
            if (key.equals("items")) {
                Json.elements(there, "Nodes.items", "an array of nodes", index -> node(index, there));
            } else {
                Json.skip(there);
            }
        });
    }

    private void node(int index, JsonParser in) throws IOException, BadRequest {
        String what = "Nodes.items[%d]".formatted(index);
        Json.expect(in, JsonToken.START_OBJECT, what, "a node");
        int from = Json.start(in);
        String[] name = {""};
        Json.fields(in, (key, there) -> {
            if (key.equals("metadata") && there.currentToken() == JsonToken.START_OBJECT) {
                Json.fields(there, (inner, value) -> {
                    if (inner.equals("name")) {
                        name[0] = Json.text(value, what + ".metadata.name", "a name");
                    } else {
                        Json.skip(value);
                    }
                });
            } else {
                Json.skip(there);
            }
        });
        if (name[0].isEmpty()) {
            throw new BadRequest("%s has no metadata.name".formatted(what));
        }
        add("Nodes.items", new Item(name[0], from, Json.end(in)));
    }
}
