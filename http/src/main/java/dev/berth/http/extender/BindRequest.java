package dev.berth.http.extender;

import dev.berth.http.json.BadRequest;
import dev.berth.http.json.Json;

/** Bind this pod to this node. */
record BindRequest(String pod, String uid, String node) {
    /**
     * Reads one.
     *
     * @throws BadRequest when the body is none, in words
     */
    static BindRequest read(byte[] body) throws BadRequest {
        String[] read = {"", "", "", ""};
        Json.First first = Json.object(body, "the body", "an object with PodUID and Node", (key, in) -> {
            switch (key) {
                case "podname" -> read[0] = Json.text(in, "PodName", "a string");
                case "podnamespace" -> read[1] = Json.text(in, "PodNamespace", "a string");
                case "poduid" -> read[2] = Json.text(in, "PodUID", "a string");
                case "node" -> read[3] = Json.text(in, "Node", "a string");
                default -> Json.skip(in);
            }
        });
        if (first == Json.First.NOTHING) {
            throw new BadRequest("the body is empty: it must be an object with PodUID and Node");
        }
        if (read[2].isBlank() || read[3].isBlank()) {
            throw new BadRequest("PodUID (%s) and Node (%s) must both be given".formatted(read[2], read[3]));
        }
        return new BindRequest(read[1] + "/" + read[0], read[2], read[3]);
    }
}
