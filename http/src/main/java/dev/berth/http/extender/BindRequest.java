package dev.berth.http.extender;

import dev.berth.http.json.BadRequestException;
import dev.berth.http.json.BoundedJson;

/** A request to bind a pod to a node. */
record BindRequest(String podName, String podUid, String nodeName) {
    /**
     * Parses the body.
     *
     * @throws BadRequestException when the body is malformed
     */
    static BindRequest parse(byte[] body) throws BadRequestException {
        String[] read = {"", "", "", ""};
        BoundedJson.RootValue rootValue =
                BoundedJson.readObject(body, "the body", "an object with PodUID and Node", (key, in) -> {
                    switch (key) {
                        case "podname" -> read[0] = BoundedJson.readText(in, "PodName", "a string");
                        case "podnamespace" -> read[1] = BoundedJson.readText(in, "PodNamespace", "a string");
                        case "poduid" -> read[2] = BoundedJson.readText(in, "PodUID", "a string");
                        case "node" -> read[3] = BoundedJson.readText(in, "Node", "a string");
                        default -> BoundedJson.skipValue(in);
                    }
                });
        if (rootValue == BoundedJson.RootValue.EMPTY) {
            throw new BadRequestException("the body is empty: it must be an object with PodUID and Node");
        }
        if (read[2].isBlank() || read[3].isBlank()) {
            throw new BadRequestException("PodUID (%s) and Node (%s) must both be given".formatted(read[2], read[3]));
        }
        return new BindRequest(read[1] + "/" + read[0], read[2], read[3]);
    }
}
