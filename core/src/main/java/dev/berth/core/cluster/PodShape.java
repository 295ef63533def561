package dev.berth.core.cluster;

import dev.berth.core.cluster.neighbour.PodAffinity;
import dev.berth.core.cluster.neighbour.SpreadConstraint;
import dev.berth.core.resource.PodRequests;
import dev.berth.core.resource.Resources;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * All of a pod's specification that placement reads, apart from its labels and its owner. Pods made from one template
 * have equal shapes and share one instance, which is why it knows its hash.
 */
public final class PodShape {
    private final Resources requests;
    private final Resources scoringRequests;
    private final Resources scoringWhenPlaced;
    private final NodeAffinity affinity;
    private final Tolerations tolerations;
    private final List<HostPort> hostPorts;
    private final List<String> images;
    private final List<String> mountedImages;
    private final Set<Need> needs;
    private final PodAffinity podAffinity;
    private final List<SpreadConstraint> spread;
    private final List<String> features;
    private final Optional<String> excess;
    private final int hash;
    /** Computed when first asked for: threads that ask at once compute the same. */
    private int retainedBytes;

    private PodShape(Builder builder) {
        this.requests = requireNoneNegative(builder.requests);
        this.scoringRequests = builder.scoringRequests;
        this.scoringWhenPlaced = builder.scoringWhenPlaced.orElse(builder.scoringRequests);
        this.affinity = builder.affinity;
        this.tolerations = new Tolerations(builder.tolerations);
        this.hostPorts = builder.hostPorts.stream().sorted().distinct().toList();
        this.images = List.copyOf(builder.images);
        this.mountedImages = List.copyOf(builder.mountedImages);
        this.needs = Set.copyOf(builder.needs);
        this.podAffinity = builder.podAffinity;
        this.spread = List.copyOf(builder.spread);
        this.features = builder.features.stream().sorted().distinct().toList();
        this.excess = PodLimits.exceeded(this);
        this.hash = Objects.hash(
                requests, scoringRequests, affinity, tolerations.list(), hostPorts, images, needs, podAffinity, spread);
    }

    /** Sums of amounts that are never negative do not depend on the order of the summands, even where they are capped. */
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

    /** What the pod takes of a node. The pod slot is not among it: every pod takes one. */
    public Resources requests() {
        return requests;
    }

    /** Cpu and memory as the scores count them: a container that requests none counts as 100m and 200MiB. */
    public Resources scoringRequests() {
        return scoringRequests;
    }

    /**
     * Cpu and memory as the score of the least allocated node counts the pod while it is being placed. Differs from
     * {@link #scoringRequests} where the pod requests for itself, which Kubernetes 1.36 does not see there.
     */
    public Resources scoringWhenPlaced() {
        return scoringWhenPlaced;
    }

    public NodeAffinity affinity() {
        return affinity;
    }

    public List<Toleration> tolerations() {
        return tolerations.list();
    }

    public List<HostPort> hostPorts() {
        return hostPorts;
    }

    /** One entry for each container, init containers too, normalised with tag. */
    public List<String> images() {
        return images;
    }

    /** The images that are mounted as volumes. */
    public List<String> mountedImages() {
        return mountedImages;
    }

    /** What it asks for that cannot be decided yet: not empty means refused in words. */
    public Set<Need> needs() {
        return needs;
    }

    public PodAffinity podAffinity() {
        return podAffinity;
    }

    /** Its own topology spread constraints. Where there are any, the system's default ones do not apply. */
    public List<SpreadConstraint> spread() {
        return spread;
    }

    /** What a node must have declared that it can do, in the order of the names. */
    public List<String> features() {
        return features;
    }

    /** What it has more of than Berth decides on, in words: not empty means refused everywhere. */
    public Optional<String> excess() {
        return excess;
    }

    public boolean tolerates(Taint taint) {
        return tolerations.tolerate(taint);
    }

    /** About how many bytes it keeps from being collected. */
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
                || (other instanceof PodShape shape
                        && shape.hash == hash
                        && shape.requests.equals(requests)
                        && shape.scoringRequests.equals(scoringRequests)
                        && shape.scoringWhenPlaced.equals(scoringWhenPlaced)
                        && shape.affinity.equals(affinity)
                        && shape.tolerations.list().equals(tolerations.list())
                        && shape.hostPorts.equals(hostPorts)
                        && shape.images.equals(images)
                        && shape.mountedImages.equals(mountedImages)
                        && shape.needs.equals(needs)
                        && shape.podAffinity.equals(podAffinity)
                        && shape.spread.equals(spread)
                        && shape.features.equals(features));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** Says only what differs from a pod that asks for nothing. */
    public static final class Builder {
        private Resources requests = Resources.NONE;
        private Resources scoringRequests = Resources.NONE;
        private Optional<Resources> scoringWhenPlaced = Optional.empty();
        private NodeAffinity affinity = NodeAffinity.NONE;
        private List<Toleration> tolerations = List.of();
        private List<HostPort> hostPorts = List.of();
        private List<String> images = List.of();
        private List<String> mountedImages = List.of();
        private Set<Need> needs = EnumSet.noneOf(Need.class);
        private PodAffinity podAffinity = PodAffinity.NONE;
        private List<SpreadConstraint> spread = List.of();
        private List<String> features = List.of();

        private Builder() {}

        public Builder requests(Resources value) {
            requests = value;
            return this;
        }

        public Builder scoringRequests(Resources value) {
            scoringRequests = value;
            return this;
        }

        /** Where it differs from the scoring requests. */
        public Builder scoringWhenPlaced(Resources value) {
            scoringWhenPlaced = Optional.of(value);
            return this;
        }

        /** All three at once. */
        public Builder requests(PodRequests value) {
            return requests(value.requests())
                    .scoringRequests(value.scoring())
                    .scoringWhenPlaced(value.scoringWhenPlaced());
        }

        public Builder affinity(NodeAffinity value) {
            affinity = value;
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

        /** Those that are mounted as volumes. */
        public Builder mountedImages(List<String> value) {
            mountedImages = value;
            return this;
        }

        public Builder needs(Set<Need> value) {
            needs = value;
            return this;
        }

        public Builder podAffinity(PodAffinity value) {
            podAffinity = value;
            return this;
        }

        public Builder spread(List<SpreadConstraint> value) {
            spread = value;
            return this;
        }

        public Builder features(List<String> value) {
            features = value;
            return this;
        }

        public PodShape build() {
            return new PodShape(this);
        }
    }
}
