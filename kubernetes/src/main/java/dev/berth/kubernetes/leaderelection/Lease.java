package dev.berth.kubernetes.leaderelection;

import dev.berth.kubernetes.json.JsonObject;
import dev.berth.kubernetes.time.Rfc3339;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** A Lease object. Fields that are nobody's business here stay as they are. */
record Lease(JsonObject object) {
    /** Up to which version of pods everything that follows from them has been written. */
    static final String RESUME_VERSION_ANNOTATION = "berth.dev/resume-version";

    /** The label of the Leases that members keep. */
    static final String MEMBER_LABEL = "berth.dev/member";

    /** What a member is configured for. */
    static final String MEMBER_CONFIGURATION_ANNOTATION = "berth.dev/configuration";

    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    static Lease newLease(String namespace, String name) {
        return new Lease(JsonObject.EMPTY
                .with("coordination.k8s.io/v1", "apiVersion")
                .with("Lease", "kind")
                .with(name, "metadata", "name")
                .with(namespace, "metadata", "namespace"));
    }

    /** A Lease out of a list, where objects do not say their kind. */
    static Lease fromListItem(JsonObject item) {
        return new Lease(item.with("coordination.k8s.io/v1", "apiVersion").with("Lease", "kind"));
    }

    String name() {
        return object.text("metadata", "name");
    }

    /** Empty where it was never written. */
    String resourceVersion() {
        return object.text("metadata", "resourceVersion");
    }

    /** What the member is configured for that keeps this Lease. */
    String memberConfiguration() {
        return object.text("metadata", "annotations", MEMBER_CONFIGURATION_ANNOTATION);
    }

    /** The same as a member's, renewed. */
    Lease renewedAsMember(MemberRegistrySettings settings, String configuration, Instant now) {
        return new Lease(heldBy(settings.identity(), settings.leaseDuration(), now)
                .object()
                .with(settings.leaderLeaseName(), "metadata", "labels", MEMBER_LABEL)
                .with(configuration, "metadata", "annotations", MEMBER_CONFIGURATION_ANNOTATION));
    }

    /** The same of a member that ended: it no longer counts. */
    Lease withoutHolder() {
        return new Lease(object.with("", "spec", "holderIdentity"));
    }

    /** Empty where nobody holds it. */
    String holderIdentity() {
        return object.text("spec", "holderIdentity");
    }

    /** When it was renewed last, by its holder's clock. Empty where it does not say so, or not as a time. */
    Optional<Instant> renewTime() {
        String text = object.text("spec", "renewTime");
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Rfc3339.parse(text));
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    Duration leaseDuration() {
        return Duration.ofSeconds(object.number("spec", "leaseDurationSeconds"));
    }

    long leaseTransitions() {
        return object.number("spec", "leaseTransitions");
    }

    Optional<String> resumeVersion() {
        String version = object.text("metadata", "annotations", RESUME_VERSION_ANNOTATION);
        return version.isEmpty() ? Optional.empty() : Optional.of(version);
    }

    /** What changes whenever somebody writes the lease: others' clocks are not to be trusted, that they tick is. */
    String fingerprint() {
        return "%s/%s/%d/%s"
                .formatted(
                        holderIdentity(),
                        object.text("spec", "renewTime"),
                        leaseTransitions(),
                        object.text("metadata", "resourceVersion"));
    }

    Lease heldBy(String holder, Duration duration, Instant now) {
        JsonObject next = object;
        if (!holder.equals(holderIdentity())) {
            long transitions = object.has("spec") ? leaseTransitions() + 1 : 0;
            next = next.with(MICROS.format(now), "spec", "acquireTime").with(transitions, "spec", "leaseTransitions");
        }
        return new Lease(next.with(holder, "spec", "holderIdentity")
                .with(duration.toSeconds(), "spec", "leaseDurationSeconds")
                .with(MICROS.format(now), "spec", "renewTime"));
    }

    /** Nobody holds it; whoever wants it need not wait. */
    Lease released(Instant now) {
        return new Lease(object.with("", "spec", "holderIdentity")
                .with(1, "spec", "leaseDurationSeconds")
                .with(MICROS.format(now), "spec", "renewTime"));
    }

    Lease withResumeVersion(Optional<String> resumeVersion) {
        return resumeVersion.isEmpty()
                ? this
                : new Lease(object.with(resumeVersion.get(), "metadata", "annotations", RESUME_VERSION_ANNOTATION));
    }
}
