package dev.berth.http.extender;

import com.fasterxml.jackson.core.JsonParser;
import dev.berth.http.json.BadRequestException;
import dev.berth.http.json.BoundedJson;
import java.io.IOException;

/** A request to bind a pod to a node. */
record BindRequest(String podName, String podUid, String nodeName) {
    /**
     * Parses the body.
     *
     * @throws BadRequestException when the body is malformed
     */
    static BindRequest parse(byte[] body) throws BadRequestException {
        Fields fields = new Fields();
        BoundedJson.RootValue rootValue =
                BoundedJson.readObject(body, "the body", "an object with PodUID and Node", fields::read);
        if (rootValue == BoundedJson.RootValue.EMPTY) {
            throw new BadRequestException("the body is empty: it must be an object with PodUID and Node");
        }
        if (fields.podUid.isBlank() || fields.node.isBlank()) {
            throw new BadRequestException(
                    "PodUID (%s) and Node (%s) must both be given".formatted(fields.podUid, fields.node));
        }
        return new BindRequest(fields.podNamespace + "/" + fields.podName, fields.podUid, fields.node);
    }

    /** The fields of the body; a field that the body does not have is empty. */
    private static final class Fields {
        private String podName = "";
        private String podNamespace = "";
        private String podUid = "";
        private String node = "";

        private void read(String key, JsonParser in) throws IOException, BadRequestException {
            switch (key) {
                case "podname" -> podName = BoundedJson.readText(in, "PodName", "a string");
                case "podnamespace" -> podNamespace = BoundedJson.readText(in, "PodNamespace", "a string");
                case "poduid" -> podUid = BoundedJson.readText(in, "PodUID", "a string");
                case "node" -> node = BoundedJson.readText(in, "Node", "a string");
                default -> BoundedJson.skipValue(in);
            }
        }
    }
}
