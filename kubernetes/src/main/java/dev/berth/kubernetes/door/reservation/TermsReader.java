package dev.berth.kubernetes.door.reservation;

import dev.berth.core.cluster.Taint;
import dev.berth.core.door.reservation.Terms;
import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.json.Tree;
import dev.berth.kubernetes.projection.Meta;
import dev.berth.kubernetes.projection.Taints;
import dev.berth.kubernetes.time.GoDuration;
import dev.berth.kubernetes.time.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads what a reservation asks for, and refuses what makes no sense with words that name the field. */
final class TermsReader {
    private static final String PREFIX = "scheduling.koordinator.sh/";
    /** Annotations that change what is kept, or for whom. */
    private static final List<String> ANNOTATIONS_NOT_BUILT = List.of(
            PREFIX + "reservation-restricted-options",
            PREFIX + "reservation-resize-allocatable",
            "node.koordinator.sh/reservation");

    private final TemplateReader templates = new TemplateReader();

    Terms read(Meta meta, Tree spec) {
        refuseWhatIsNotBuilt(meta, spec);
        return new Terms(
                templates.read(meta, spec),
                OwnerReader.read(spec),
                spec.flag(true, "allocateOnce"),
                restricted(spec),
                end(Instant.ofEpochMilli(meta.createdMillis()), spec),
                spec.flag(false, "unschedulable"),
                taints(spec));
    }

    /** The template alone, whatever the rest says. */
    Terms.Template template(Meta meta, Tree spec) {
        return templates.read(meta, spec);
    }

    private static void refuseWhatIsNotBuilt(Meta meta, Tree spec) {
        if (spec.flag(false, "preAllocation")) {
            throw new MalformedObject("spec.preAllocation (true) is not built yet. Maybe leave it out");
        }
        if (meta.labels().has(PREFIX + "pre-allocation-required", "true")) {
            throw new MalformedObject(
                    "label %spre-allocation-required (true) is not built yet. Maybe leave it out".formatted(PREFIX));
        }
        for (String annotation : ANNOTATIONS_NOT_BUILT) {
            if (meta.annotations().has(annotation)) {
                throw new MalformedObject("annotation %s is not built yet. Maybe leave it out".formatted(annotation));
            }
        }
    }

    private static boolean restricted(Tree spec) {
        String policy = spec.text("allocatePolicy");
        return switch (policy) {
            case "", "Aligned" -> false;
            case "Restricted" -> true;
            default ->
                throw new MalformedObject(
                        "spec.allocatePolicy (%s) is neither Aligned nor Restricted".formatted(policy));
        };
    }

    /** The definition gives everybody a ttl, so that nobody can tell it was left out: expires, where it is, decides. */
    private static Optional<Instant> end(Instant created, Tree spec) {
        String expires = spec.text("expires");
        if (!expires.isEmpty()) {
            try {
                return Optional.of(Times.parse(expires));
            } catch (IllegalArgumentException malformed) {
                throw new MalformedObject("spec.expires " + malformed.getMessage(), malformed);
            }
        }
        Duration ttl = ttl(spec.text("ttl"));
        return ttl.isZero() ? Optional.empty() : Optional.of(created.plus(ttl));
    }

    private static Duration ttl(String text) {
        if (text.startsWith("-")) {
            throw new MalformedObject(
                    "spec.ttl (%s) is negative. Maybe 0s, which keeps it until it is deleted".formatted(text));
        }
        try {
            return switch (text) {
                case "" -> Duration.ofDays(1);
                case "0" -> Duration.ZERO;
                default -> GoDuration.parse(text);
            };
        } catch (IllegalArgumentException malformed) {
            throw new MalformedObject("spec.ttl (%s) %s".formatted(text, malformed.getMessage()), malformed);
        }
    }

    private static List<Taint> taints(Tree spec) {
        List<Taint> taints = new ArrayList<>();
        for (Tree taint : spec.trees("taints")) {
            if (taint.text("key").isEmpty()) {
                throw new MalformedObject("spec.taints[%d].key is empty".formatted(taints.size()));
            }
            try {
                taints.add(new Taint(taint.text("key"), taint.text("value"), Taints.effect(taint.text("effect"))));
            } catch (MalformedObject malformed) {
                throw new MalformedObject(
                        "spec.taints[%d].%s".formatted(taints.size(), malformed.getMessage()), malformed);
            }
        }
        return taints;
    }
}
