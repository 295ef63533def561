package dev.berth.http.extender;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.berth.core.cluster.Pod;
import dev.berth.http.ServerRequest;
import dev.berth.http.ServerResponse;
import dev.berth.http.budget.ByteBudget;
import dev.berth.http.globalreserve.PodReader;
import dev.berth.http.json.BadRequestException;
import dev.berth.http.json.BoundedJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A request to filter nodes for a pod. It has the nodes by name or as objects; objects are returned unchanged. Keys are
 * read case-insensitively, as Go does, and the response has the case of the request.
 */
final class FilterRequest {
    /** More nodes than Kubernetes supports: a bound for memory. */
    private static final int MAX_NODES = 50_000;
    /** About the memory of a node without its name: its entry, its vetoes and their messages. */
    private static final int NODE_COST = 1_024;

    private final byte[] body;
    private final ByteBudget.Share share;
    private final List<NodeItem> nodes = new ArrayList<>();
    private int podStart;
    private int podEnd;
    private boolean byName;
    private boolean hasNodes;
    private boolean lowerCaseKeys;

    private FilterRequest(ServerRequest serverRequest) {
        this.body = serverRequest.body();
        this.share = serverRequest.share();
    }

    /** A node and its range in the body; the end is 0 if only the name was given. */
    record NodeItem(String name, int from, int to) {}

    /**
     * Parses the body.
     *
     * @throws BadRequestException when the body is malformed
     */
    static FilterRequest parse(ServerRequest serverRequest) throws BadRequestException {
        FilterRequest request = new FilterRequest(serverRequest);
        String wanted = "an object with Pod and Nodes or NodeNames";
        if (BoundedJson.readObject(request.body, "the body", wanted, request::readField)
                == BoundedJson.RootValue.EMPTY) {
            throw new BadRequestException("the body is empty: it must be " + wanted);
        }
        if (request.podEnd == 0) {
            throw new BadRequestException("Pod is missing");
        }
        return request;
    }

    Pod pod(PodReader pods) throws BadRequestException {
        try {
            return pods.read(body, podStart, podEnd);
        } catch (IllegalArgumentException invalid) {
            throw new BadRequestException("Pod: " + invalid.getMessage());
        }
    }

    List<NodeItem> nodes() {
        return nodes;
    }

    /** Whether the request has nodes, even an empty list. */
    boolean hasNodes() {
        return hasNodes;
    }

    boolean byName() {
        return byName;
    }

    /** Whether its keys are in lower case. */
    boolean hasLowerCaseKeys() {
        return lowerCaseKeys;
    }

    /** The node object of the request, without a copy. */
    ServerResponse.BodyPart rawNode(NodeItem item) {
        return new ServerResponse.BodyPart(body, item.from, item.to - item.from);
    }

    private void readField(String key, JsonParser in) throws IOException, BadRequestException {
        switch (key) {
            case "pod" -> {
                lowerCaseKeys = in.currentName().equals("pod");
                BoundedJson.expectToken(in, JsonToken.START_OBJECT, "Pod", "a pod");
                podStart = BoundedJson.startOffset(in);
                int values = BoundedJson.skipAndCount(in);
                podEnd = BoundedJson.endOffset(in);
                share.acquire(PodReader.estimateCost(podEnd - podStart, values));
            }
            case "nodes" -> readNodeList(in);
            case "nodenames" -> {
                byName = true;
                resetNodes();
                BoundedJson.readElements(in, "NodeNames", "an array of names", index -> {
                    String name = BoundedJson.readText(in, "NodeNames[%d]".formatted(index), "a name");
                    add("NodeNames", new NodeItem(name, 0, 0));
                });
            }
            default -> BoundedJson.skipValue(in);
        }
    }

    private void resetNodes() {
        hasNodes = true;
        nodes.clear();
    }

    private void add(String what, NodeItem node) throws BadRequestException {
        if (nodes.size() == MAX_NODES) {
            throw new BadRequestException("%s has more than %d nodes".formatted(what, MAX_NODES));
        }
        share.acquire(NODE_COST + 6L * node.name().length());
        nodes.add(node);
    }

    private void readNodeList(JsonParser in) throws IOException, BadRequestException {
        BoundedJson.expectToken(in, JsonToken.START_OBJECT, "Nodes", "a list of nodes");
        resetNodes();
        BoundedJson.readFields(in, (key, there) -> {
            if (key.equals("items")) {
                BoundedJson.readElements(there, "Nodes.items", "an array of nodes", index -> readNode(index, there));
            } else {
                BoundedJson.skipValue(there);
            }
        });
    }

    private void readNode(int index, JsonParser in) throws IOException, BadRequestException {
        String what = "Nodes.items[%d]".formatted(index);
        BoundedJson.expectToken(in, JsonToken.START_OBJECT, what, "a node");
        int from = BoundedJson.startOffset(in);
        String[] name = {""};
        BoundedJson.readFields(in, (key, there) -> {
            if (key.equals("metadata") && there.currentToken() == JsonToken.START_OBJECT) {
                BoundedJson.readFields(there, (inner, value) -> {
                    if (inner.equals("name")) {
                        name[0] = BoundedJson.readText(value, what + ".metadata.name", "a name");
                    } else {
                        BoundedJson.skipValue(value);
                    }
                });
            } else {
                BoundedJson.skipValue(there);
            }
        });
        if (name[0].isEmpty()) {
            throw new BadRequestException("%s has no metadata.name".formatted(what));
        }
        add("Nodes.items", new NodeItem(name[0], from, BoundedJson.endOffset(in)));
    }
}
