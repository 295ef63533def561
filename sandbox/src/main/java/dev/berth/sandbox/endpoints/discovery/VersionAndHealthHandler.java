package dev.berth.sandbox.endpoints.discovery;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.RestRequest;
import java.util.Optional;
import java.util.Set;

/** Serves version and health. The version is that of Kubernetes, with a suffix for the sandbox. */
public final class VersionAndHealthHandler {

    /** The version of Kubernetes that this server behaves like. */
    public static final String GIT_VERSION = "v1.36.4+berth-embedded";

    private static final Set<String> HEALTH = Set.of("/healthz", "/readyz", "/livez");

    private VersionAndHealthHandler() {}

    /** The response, if the path is one of these. */
    public static Optional<BodyResponse> handle(RestRequest request) {
        if (!request.method().equals("GET")) {
            return Optional.empty();
        }
        if (request.path().equals("/version") || request.path().equals("/version/")) {
            return Optional.of(BodyResponse.json(200, version()));
        }
        // Single checks, for example /readyz/etcd, have the health of the whole process.
        return HEALTH.stream()
                        .anyMatch(each ->
                                request.path().equals(each) || request.path().startsWith(each + "/"))
                ? Optional.of(BodyResponse.text(200, "ok"))
                : Optional.empty();
    }

    private static ObjectNode version() {
        ObjectNode version = JsonNodeFactory.instance.objectNode();
        version.put("major", "1").put("minor", "36");
        version.put("emulationMajor", "1").put("emulationMinor", "36");
        version.put("minCompatibilityMajor", "1").put("minCompatibilityMinor", "35");
        version.put("gitVersion", GIT_VERSION).put("gitCommit", "").put("gitTreeState", "");
        version.put("buildDate", "").put("goVersion", "").put("compiler", "");
        return version.put("platform", "java/" + System.getProperty("os.arch", "any"));
    }
}
