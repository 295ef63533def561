package dev.berth.kubernetes.door.koordinator;

import dev.berth.core.cluster.Taint;
import dev.berth.core.door.koordinator.ReservationSpec;
import dev.berth.core.door.koordinator.preallocation.PreAllocation;
import dev.berth.core.text.ForeignText;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.json.JsonObject;
import dev.berth.kubernetes.projection.ObjectMeta;
import dev.berth.kubernetes.projection.TaintReader;
import dev.berth.kubernetes.time.GoDuration;
import dev.berth.kubernetes.time.Rfc3339;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the spec of a reservation. Rejects malformed values with a message that names the field. */
final class ReservationSpecReader {
    private final ReservationTemplateReader templates = new ReservationTemplateReader();

    ReservationSpec read(ObjectMeta meta, JsonObject spec) {
        ReservationSpec.Template template = templates.read(meta, spec);
        return new ReservationSpec(
                template,
                ReservationOwnerReader.read(spec),
                spec.flag(true, "allocateOnce"),
                ReservationAllocationReader.read(meta, spec),
                deadline(Instant.ofEpochMilli(meta.createdMillis()), spec),
                spec.flag(false, "unschedulable"),
                taints(spec),
                meta.labels(),
                preAllocation(template, spec));
    }

    /** The label has an effect only together with {@code preAllocation}. The template has the labels of both. */
    private static Optional<PreAllocation> preAllocation(ReservationSpec.Template template, JsonObject spec) {
        if (!spec.flag(false, "preAllocation")) {
            return Optional.empty();
        }
        String mode = spec.text("preAllocationPolicy", "mode");
        return Optional.of(new PreAllocation(
                switch (mode) {
                    case "", "Default" -> PreAllocation.Mode.DEFAULT;
                    case "Cluster" -> PreAllocation.Mode.CLUSTER;
                    default ->
                        throw new MalformedObjectException(
                                "spec.preAllocationPolicy.mode (%s) must be Default or Cluster"
                                        .formatted(ForeignText.quote(mode)));
                },
                spec.flag(false, "preAllocationPolicy", "enableMultiple"),
                template.labels().has(PreAllocation.REQUIRED_LABEL, "true")));
    }

    /** The template alone, even if the rest is malformed. */
    ReservationSpec.Template readTemplate(ObjectMeta meta, JsonObject spec) {
        return templates.readLeniently(meta, spec);
    }

    /** A ttl is not read where expires is set: a malformed one has no effect then. */
    private static Optional<Instant> deadline(Instant created, JsonObject spec) {
        Optional<Instant> expires = expires(spec.text("expires"));
        Duration ttl = expires.isPresent() ? Duration.ZERO : ttl(spec.text("ttl"));
        return ReservationSpec.deadline(created, ttl, expires);
    }

    private static Optional<Instant> expires(String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Rfc3339.parse(text));
        } catch (IllegalArgumentException malformed) {
            throw new MalformedObjectException("spec.expires " + malformed.getMessage(), malformed);
        }
    }

    private static Duration ttl(String text) {
        if (text.startsWith("-")) {
            throw new MalformedObjectException(
                    "spec.ttl (%s) must not be negative. Maybe 0s: the Reservation then never expires"
                            .formatted(ForeignText.quote(text)));
        }
        try {
            return switch (text) {
                case "" -> Duration.ofDays(1);
                case "0" -> Duration.ZERO;
                default -> GoDuration.parse(text);
            };
        } catch (IllegalArgumentException malformed) {
            throw new MalformedObjectException(
                    "spec.ttl (%s) %s".formatted(ForeignText.quote(text), malformed.getMessage()), malformed);
        }
    }

    private static List<Taint> taints(JsonObject spec) {
        List<Taint> taints = new ArrayList<>();
        for (JsonObject taint : spec.objects("taints")) {
            if (taint.text("key").isEmpty()) {
                throw new MalformedObjectException(
                        "spec.taints[%d].key is empty: name the key of the taint, such as dedicated"
                                .formatted(taints.size()));
            }
            try {
                taints.add(new Taint(
                        taint.text("key"), taint.text("value"), TaintReader.parseEffect(taint.text("effect"))));
            } catch (MalformedObjectException malformed) {
                throw new MalformedObjectException(
                        "spec.taints[%d].%s".formatted(taints.size(), malformed.getMessage()), malformed);
            }
        }
        return taints;
    }
}
