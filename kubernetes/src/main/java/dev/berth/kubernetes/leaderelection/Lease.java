package dev.berth.kubernetes.leaderelection;

import dev.berth.kubernetes.json.JsonObject;
import dev.berth.kubernetes.time.Rfc3339;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** A Lease object. Fields that Berth does not use are preserved. */
record Lease(JsonObject object) {
    /** The pod resourceVersion up to which all consequences are written. */
    static final String RESUME_VERSION_ANNOTATION = "berth.dev/resume-version";

    /** The label of the members' Leases. */
    static final String MEMBER_LABEL = "berth.dev/member";

    /** The configuration of a member. */
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

    /** A Lease from a list, whose items have no kind. */
    static Lease fromListItem(JsonObject item) {
        return new Lease(item.with("coordination.k8s.io/v1", "apiVersion").with("Lease", "kind"));
    }

    String name() {
        return object.text("metadata", "name");
    }

    /** Empty if it was never written. */
    String resourceVersion() {
        return object.text("metadata", "resourceVersion");
    }

    /** The configuration of the member that holds this Lease. */
    String memberConfiguration() {
        return object.text("metadata", "annotations", MEMBER_CONFIGURATION_ANNOTATION);
    }

    /** The same Lease renewed by a member. */
    Lease renewedAsMember(MemberRegistrySettings settings, String configuration, Instant now) {
        return new Lease(heldBy(settings.identity(), settings.leaseDuration(), now)
                .object()
                .with(settings.leaderLeaseName(), "metadata", "labels", MEMBER_LABEL)
                .with(configuration, "metadata", "annotations", MEMBER_CONFIGURATION_ANNOTATION));
    }

    /** The same Lease of a member that ended: it is not active any more. */
    Lease withoutHolder() {
        return new Lease(object.with("", "spec", "holderIdentity"));
    }

    /** Empty if there is no holder. */
    String holderIdentity() {
        return object.text("spec", "holderIdentity");
    }

    /** The renewTime, by the holder's clock. Empty if it is missing or malformed. */
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

    /**
     * Changes with every write of the Lease. Clocks of other holders are not trusted, but that their times change is.
     */
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

    /** Without a holder: a candidate need not wait. */
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
