package dev.berth.kubernetes.election;

import dev.berth.kubernetes.json.Tree;
import dev.berth.kubernetes.time.Times;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** A Lease object. Fields that are nobody's business here stay as they are. */
record Lease(Tree object) {
    /** Up to which version of pods everything that follows from them has been written. */
    static final String DURABLE_VERSION = "berth.dev/durable-version";

    /** The label of the Leases that members keep. */
    static final String MEMBER_LABEL = "berth.dev/member";

    /** What a member is configured for. */
    static final String MEMBER_CONTENT = "berth.dev/configuration";

    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    static Lease fresh(String namespace, String name) {
        return new Lease(Tree.EMPTY
                .with("coordination.k8s.io/v1", "apiVersion")
                .with("Lease", "kind")
                .with(name, "metadata", "name")
                .with(namespace, "metadata", "namespace"));
    }

    /** A Lease out of a list, where objects do not say their kind. */
    static Lease listed(Tree item) {
        return new Lease(item.with("coordination.k8s.io/v1", "apiVersion").with("Lease", "kind"));
    }

    String name() {
        return object.text("metadata", "name");
    }

    /** Empty where it was never written. */
    String version() {
        return object.text("metadata", "resourceVersion");
    }

    /** What the member is configured for that keeps this Lease. */
    String memberContent() {
        return object.text("metadata", "annotations", MEMBER_CONTENT);
    }

    /** The same as a member's, renewed. */
    Lease member(MemberSettings settings, String content, Instant now) {
        return new Lease(heldBy(settings.identity(), settings.lasts(), now)
                .object()
                .with(settings.ledger(), "metadata", "labels", MEMBER_LABEL)
                .with(content, "metadata", "annotations", MEMBER_CONTENT));
    }

    /** The same of a member that ended: it no longer counts. */
    Lease ended() {
        return new Lease(object.with("", "spec", "holderIdentity"));
    }

    /** Empty where nobody holds it. */
    String holder() {
        return object.text("spec", "holderIdentity");
    }

    /** When it was renewed last, by its holder's clock. Empty where it does not say so, or not as a time. */
    Optional<Instant> renewed() {
        String text = object.text("spec", "renewTime");
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Times.parse(text));
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    Duration duration() {
        return Duration.ofSeconds(object.number("spec", "leaseDurationSeconds"));
    }

    long transitions() {
        return object.number("spec", "leaseTransitions");
    }

    Optional<String> durableVersion() {
        String version = object.text("metadata", "annotations", DURABLE_VERSION);
        return version.isEmpty() ? Optional.empty() : Optional.of(version);
    }

    /** What changes whenever somebody writes the lease: others' clocks are not to be trusted, that they tick is. */
    String mark() {
        return "%s/%s/%d/%s"
                .formatted(
                        holder(),
                        object.text("spec", "renewTime"),
                        transitions(),
                        object.text("metadata", "resourceVersion"));
    }

    Lease heldBy(String holder, Duration duration, Instant now) {
        Tree next = object;
        if (!holder.equals(holder())) {
            long transitions = object.has("spec") ? transitions() + 1 : 0;
            next = next.with(MICROS.format(now), "spec", "acquireTime").with(transitions, "spec", "leaseTransitions");
        }
        return new Lease(next.with(holder, "spec", "holderIdentity")
                .with(duration.toSeconds(), "spec", "leaseDurationSeconds")
                .with(MICROS.format(now), "spec", "renewTime"));
    }

    /** Nobody holds it; whoever wants it need not wait. */
    Lease letGo(Instant now) {
        return new Lease(object.with("", "spec", "holderIdentity")
                .with(1, "spec", "leaseDurationSeconds")
                .with(MICROS.format(now), "spec", "renewTime"));
    }

    Lease with(Optional<String> durableVersion) {
        return durableVersion.isEmpty()
                ? this
                : new Lease(object.with(durableVersion.get(), "metadata", "annotations", DURABLE_VERSION));
    }
}
