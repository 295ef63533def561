package dev.berth.http.extender;

/** Bind this pod to this node. */
record BindRequest(String pod, String uid, String node) {
    /**
     * Reads one.
     *
     * @throws IllegalArgumentException when the body is none, in words
     */
    static BindRequest read(byte[] body) {
        String[] read = {"", "", "", ""};
        Json.object(body, "the body", (key, in) -> {
            switch (key) {
                case "podname" -> read[0] = Json.text(in, "PodName");
                case "podnamespace" -> read[1] = Json.text(in, "PodNamespace");
                case "poduid" -> read[2] = Json.text(in, "PodUID");
                case "node" -> read[3] = Json.text(in, "Node");
                default -> in.skipChildren();
            }
        });
        if (read[2].isBlank() || read[3].isBlank()) {
            throw new IllegalArgumentException(
                    "PodUID (%s) and Node (%s) must both be given".formatted(read[2], read[3]));
        }
        return new BindRequest(read[1] + "/" + read[0], read[2], read[3]);
    }
}
