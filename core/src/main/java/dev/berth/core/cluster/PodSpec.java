package dev.berth.core.cluster;

import dev.berth.core.resource.PodRequests;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * The part of a pod's spec that placement reads. Pods of one template have equal specs and share one instance, so the hash is
 * stored.
 */
public final class PodSpec {
    private final Resources requests;
    private final Resources scoringRequests;
    private final Resources scoringWhenPlaced;
    private final NodeAffinity nodeAffinity;
    private final Tolerations tolerations;
    private final List<HostPort> hostPorts;
    private final List<String> images;
    private final List<String> mountedImages;
    private final Set<UnsupportedFeature> unsupportedFeatures;
    private final PodAffinity podAffinity;
    private final List<TopologySpreadConstraint> topologySpreadConstraints;
    private final List<String> requiredFeatures;
    private final ReservationConstraints reservations;
    private final Optional<String> invalidReason;
    private final int hash;
    /** Computed at the first call; zero before. Concurrent threads compute the same value. */
    private int retainedBytes;

    private PodSpec(Builder builder) {
        this.requests = requireNoneNegative(builder.requests);
        this.scoringRequests = builder.scoringRequests;
        this.scoringWhenPlaced = builder.scoringWhenPlaced.orElse(builder.scoringRequests);
        this.nodeAffinity = builder.nodeAffinity;
        this.tolerations = new Tolerations(builder.tolerations);
        this.hostPorts = builder.hostPorts.stream().sorted().distinct().toList();
        this.images = List.copyOf(builder.images);
        this.mountedImages = List.copyOf(builder.mountedImages);
        this.unsupportedFeatures =
                builder.unsupportedFeatures.isEmpty() ? Set.of() : Set.copyOf(builder.unsupportedFeatures);
        this.podAffinity = builder.podAffinity;
        this.topologySpreadConstraints = List.copyOf(builder.topologySpreadConstraints);
        this.requiredFeatures =
                builder.requiredFeatures.stream().sorted().distinct().toList();
        this.reservations = builder.reservations;
        this.invalidReason = reservations.problem().or(() -> PodLimits.exceeded(this));
        this.hash = Objects.hash(
                requests,
                scoringRequests,
                nodeAffinity,
                tolerations.list(),
                hostPorts,
                images,
                unsupportedFeatures,
                podAffinity,
                topologySpreadConstraints,
                reservations);
    }

    /** Sums of amounts that are not negative do not depend on their order, even where the sums are capped. */
    private static Resources requireNoneNegative(Resources requests) {
        for (int i = 0; i < requests.size(); i++) {
            if (requests.amountAt(i) < 0) {
                throw new IllegalArgumentException(
                        "request of %s (%d) is negative".formatted(requests.nameAt(i), requests.amountAt(i)));
            }
        }
        return requests;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** What the pod uses of a node, without its {@link dev.berth.core.resource.PodSlot}. */
    public Resources requests() {
        return requests;
    }

    /** Cpu and memory as scores count them: a container without requests counts as 100m and 200Mi. */
    public Resources scoringRequests() {
        return scoringRequests;
    }

    /**
     * Cpu and memory as LeastAllocated counts the incoming pod. Differs from {@link #scoringRequests} where the pod has
     * pod-level requests, which Kubernetes 1.36 ignores there.
     */
    public Resources scoringWhenPlaced() {
        return scoringWhenPlaced;
    }

    public NodeAffinity nodeAffinity() {
        return nodeAffinity;
    }

    public List<Toleration> tolerations() {
        return tolerations.list();
    }

    /** The same spec with these requests instead of its own of the same name, and with its other requests. */
    public PodSpec withRequests(Resources overrides) {
        if (overrides.size() == 0) {
            return this;
        }
        return builder()
                .requests(override(requests, overrides))
                .scoringRequests(override(scoringRequests, overrides).inDimensionsOf(scoringRequests))
                .scoringWhenPlaced(override(scoringWhenPlaced, overrides).inDimensionsOf(scoringWhenPlaced))
                .nodeAffinity(nodeAffinity)
                .tolerations(tolerations.list())
                .hostPorts(hostPorts)
                .images(images)
                .mountedImages(mountedImages)
                .unsupportedFeatures(unsupportedFeatures)
                .podAffinity(podAffinity)
                .topologySpreadConstraints(topologySpreadConstraints)
                .requiredFeatures(requiredFeatures)
                .build();
    }

    private static Resources override(Resources amounts, Resources overrides) {
        SortedMap<ResourceName, Long> all = amounts.toMap();
        all.putAll(overrides.toMap());
        return Resources.of(all);
    }

    public List<HostPort> hostPorts() {
        return hostPorts;
    }

    /** One normalized name with tag for each container, including init containers. */
    public List<String> images() {
        return images;
    }

    /** The images that the pod mounts as volumes. */
    public List<String> mountedImages() {
        return mountedImages;
    }

    /** The features of the pod that Berth does not support: if there are any, the pod stays unschedulable. */
    public Set<UnsupportedFeature> unsupportedFeatures() {
        return unsupportedFeatures;
    }

    public PodAffinity podAffinity() {
        return podAffinity;
    }

    /** The topology spread constraints of the pod. If there are any, the default constraints do not apply. */
    public List<TopologySpreadConstraint> topologySpreadConstraints() {
        return topologySpreadConstraints;
    }

    /** The features that a node must declare, in the order of their names. */
    public List<String> requiredFeatures() {
        return requiredFeatures;
    }

    /** What the pod says about the Reservations that it uses. */
    public ReservationConstraints reservations() {
        return reservations;
    }

    /**
     * The message about a malformed annotation or an exceeded limit, see {@link PodLimits}: if present, the pod stays
     * unschedulable.
     */
    public Optional<String> invalidReason() {
        return invalidReason;
    }

    public boolean tolerates(Taint taint) {
        return tolerations.tolerate(taint);
    }

    /** Whether the pod does not tolerate some NoSchedule or NoExecute taint. PreferNoSchedule keeps no pod away. */
    public boolean hasUntoleratedTaint(List<Taint> taints) {
        for (Taint taint : taints) {
            if (isRepelledBy(taint)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the taint keeps the pod away. */
    public boolean isRepelledBy(Taint taint) {
        return taint.effect() != Taint.TaintEffect.PREFER_NO_SCHEDULE && !tolerates(taint);
    }

    /** Whether the taint keeps the pod from using a Reservation. */
    public boolean isRepelledByReservation(Taint taint) {
        return isRepelledBy(taint) && !reservations.tolerates(taint);
    }

    /** About how many bytes it retains. */
    public long retainedBytes() {
        int known = retainedBytes;
        if (known == 0) {
            known = (int) Math.min(Integer.MAX_VALUE, RetainedBytes.of(this));
            retainedBytes = known;
        }
        return known;
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof PodSpec spec
                        && spec.hash == hash
                        && spec.requests.equals(requests)
                        && spec.scoringRequests.equals(scoringRequests)
                        && spec.scoringWhenPlaced.equals(scoringWhenPlaced)
                        && spec.nodeAffinity.equals(nodeAffinity)
                        && spec.tolerations.list().equals(tolerations.list())
                        && spec.hostPorts.equals(hostPorts)
                        && spec.images.equals(images)
                        && spec.mountedImages.equals(mountedImages)
                        && spec.unsupportedFeatures.equals(unsupportedFeatures)
                        && spec.podAffinity.equals(podAffinity)
                        && spec.topologySpreadConstraints.equals(topologySpreadConstraints)
                        && spec.requiredFeatures.equals(requiredFeatures)
                        && spec.reservations.equals(reservations));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    public Builder toBuilder() {
        return builder()
                .requests(requests)
                .scoringRequests(scoringRequests)
                .scoringWhenPlaced(scoringWhenPlaced)
                .nodeAffinity(nodeAffinity)
                .tolerations(tolerations.list())
                .hostPorts(hostPorts)
                .images(images)
                .mountedImages(mountedImages)
                .unsupportedFeatures(unsupportedFeatures)
                .podAffinity(podAffinity)
                .topologySpreadConstraints(topologySpreadConstraints)
                .requiredFeatures(requiredFeatures)
                .reservations(reservations);
    }

    /** Builds a spec. By default the pod requests nothing. */
    public static final class Builder {
        private Resources requests = Resources.NONE;
        private Resources scoringRequests = Resources.NONE;
        private Optional<Resources> scoringWhenPlaced = Optional.empty();
        private NodeAffinity nodeAffinity = NodeAffinity.NONE;
        private List<Toleration> tolerations = List.of();
        private List<HostPort> hostPorts = List.of();
        private List<String> images = List.of();
        private List<String> mountedImages = List.of();
        private Set<UnsupportedFeature> unsupportedFeatures = Set.of();
        private PodAffinity podAffinity = PodAffinity.NONE;
        private List<TopologySpreadConstraint> topologySpreadConstraints = List.of();
        private List<String> requiredFeatures = List.of();
        private ReservationConstraints reservations = ReservationConstraints.NONE;

        private Builder() {}

        public Builder requests(Resources value) {
            requests = value;
            return this;
        }

        public Builder scoringRequests(Resources value) {
            scoringRequests = value;
            return this;
        }

        /** Only where it differs from the scoring requests. */
        public Builder scoringWhenPlaced(Resources value) {
            scoringWhenPlaced = Optional.of(value);
            return this;
        }

        /** Sets all three kinds of requests. */
        public Builder requests(PodRequests value) {
            return requests(value.requests())
                    .scoringRequests(value.scoring())
                    .scoringWhenPlaced(value.scoringWhenPlaced());
        }

        public Builder nodeAffinity(NodeAffinity value) {
            nodeAffinity = value;
            return this;
        }

        public Builder tolerations(List<Toleration> value) {
            tolerations = value;
            return this;
        }

        public Builder hostPorts(List<HostPort> value) {
            hostPorts = value;
            return this;
        }

        public Builder images(List<String> value) {
            images = value;
            return this;
        }

        /** The images that the pod mounts as volumes. */
        public Builder mountedImages(List<String> value) {
            mountedImages = value;
            return this;
        }

        public Builder unsupportedFeatures(Set<UnsupportedFeature> value) {
            unsupportedFeatures = value;
            return this;
        }

        public Builder podAffinity(PodAffinity value) {
            podAffinity = value;
            return this;
        }

        public Builder topologySpreadConstraints(List<TopologySpreadConstraint> value) {
            topologySpreadConstraints = value;
            return this;
        }

        public Builder requiredFeatures(List<String> value) {
            requiredFeatures = value;
            return this;
        }

        public Builder reservations(ReservationConstraints value) {
            reservations = value;
            return this;
        }

        public PodSpec build() {
            return new PodSpec(this);
        }
    }
}
