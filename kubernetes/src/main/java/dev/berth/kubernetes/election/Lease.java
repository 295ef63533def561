package dev.berth.kubernetes.election;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** A Lease object. Fields that are nobody's business here stay as they are. */
final class Lease {
    /** Up to which version of pods everything that follows from them has been written. */
    static final String DURABLE_VERSION = "berth.dev/durable-version";

    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final ObjectNode object;

    Lease(ObjectNode object) {
        this.object = object;
    }

    static Lease fresh(String namespace, String name) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
        object.putObject("metadata").put("name", name).put("namespace", namespace);
        return new Lease(object);
    }

    ObjectNode object() {
        return object;
    }

    /** Empty where nobody holds it. */
    String holder() {
        return spec("holderIdentity").asText("");
    }

    Duration duration() {
        return Duration.ofSeconds(spec("leaseDurationSeconds").asLong(0));
    }

    int transitions() {
        return spec("leaseTransitions").asInt(0);
    }

    Optional<String> durableVersion() {
        String version = object.path("metadata")
                .path("annotations")
                .path(DURABLE_VERSION)
                .asText("");
        return version.isEmpty() ? Optional.empty() : Optional.of(version);
    }

    /** What changes whenever somebody writes the lease: others' clocks are not to be trusted, that they tick is. */
    String mark() {
        return "%s/%s/%d/%s"
                .formatted(
                        holder(),
                        spec("renewTime").asText(""),
                        transitions(),
                        object.path("metadata").path("resourceVersion").asText(""));
    }

    Lease heldBy(String holder, Duration duration, Instant now) {
        ObjectNode next = object.deepCopy();
        ObjectNode spec = next.withObjectProperty("spec");
        if (!holder.equals(holder())) {
            spec.put("acquireTime", MICROS.format(now));
            spec.put("leaseTransitions", holder().isEmpty() && isFresh() ? 0 : transitions() + 1);
        }
        spec.put("holderIdentity", holder);
        spec.put("leaseDurationSeconds", duration.toSeconds());
        spec.put("renewTime", MICROS.format(now));
        return new Lease(next);
    }

    /** Nobody holds it; whoever wants it need not wait. */
    Lease letGo(Instant now) {
        ObjectNode next = object.deepCopy();
        ObjectNode spec = next.withObjectProperty("spec");
        spec.put("holderIdentity", "");
        spec.put("leaseDurationSeconds", 1);
        spec.put("renewTime", MICROS.format(now));
        return new Lease(next);
    }

    Lease with(Optional<String> durableVersion) {
        if (durableVersion.isEmpty()) {
            return this;
        }
        ObjectNode next = object.deepCopy();
        next.withObjectProperty("metadata")
                .withObjectProperty("annotations")
                .put(DURABLE_VERSION, durableVersion.get());
        return new Lease(next);
    }

    private boolean isFresh() {
        return object.path("spec").isMissingNode();
    }

    private JsonNode spec(String field) {
        return object.path("spec").path(field);
    }
}
