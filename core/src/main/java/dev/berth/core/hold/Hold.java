package dev.berth.core.hold;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Taint;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Resources of one node that are held for pods that do not exist yet. A hold is a fact like any other: what is left of
 * it follows from its claims and its backers. Backers are terminating pods whose resources the hold will get.
 */
public final class Hold {
    private final HoldId id;
    private final NodeUid node;
    private final Resources size;
    private final List<HostPort> ports;
    private final Set<String> devices;
    private final OwnerRule ownerRule;
    private final Optional<String> closedReason;
    private final boolean allocateOnce;
    private final AllocatePolicy policy;
    private final Optional<Instant> deadline;
    private final Set<PodUid> backers;
    private final Optional<Draw> draw;
    private final Set<PodUid> listedUsers;
    private final Origin origin;
    private final SortedMap<String, String> bindAnnotations;

    private Hold(Builder builder) {
        this.id = builder.id;
        this.node = builder.node;
        this.size = builder.size;
        this.ports = builder.ports.stream().sorted().distinct().toList();
        this.devices = Set.copyOf(builder.devices);
        this.ownerRule = new OwnerRule(builder.owners, builder.taints, builder.closedReason.isPresent());
        this.closedReason = builder.closedReason;
        this.allocateOnce = builder.allocateOnce;
        this.policy = builder.policy;
        this.deadline = builder.deadline;
        this.backers = Set.copyOf(builder.backers);
        this.draw = builder.draw;
        this.listedUsers = Set.copyOf(builder.listedUsers);
        this.origin = builder.origin;
        this.bindAnnotations = Collections.unmodifiableSortedMap(new TreeMap<>(builder.bindAnnotations));
        if (draw.isPresent() && draw.get().source().equals(id)) {
            throw new IllegalArgumentException("hold (%s) cannot draw on itself".formatted(id));
        }
        for (int i = 0; i < size.size(); i++) {
            if (size.amountAt(i) < 0) {
                throw new IllegalArgumentException(
                        "hold (%s): size of %s (%d) is negative".formatted(id, size.nameAt(i), size.amountAt(i)));
            }
        }
    }

    public static Builder builder(HoldId id, NodeUid node, Origin origin) {
        return new Builder(id, node, origin);
    }

    public HoldId id() {
        return id;
    }

    public NodeUid node() {
        return node;
    }

    /**
     * The held resources, including pod slots. A hold without a pod slot has no slot for its owner on a node with many
     * pods.
     */
    public Resources size() {
        return size;
    }

    public List<HostPort> ports() {
        return ports;
    }

    /** The held devices, by name. */
    public Set<String> devices() {
        return devices;
    }

    public List<Owner> owners() {
        return ownerRule.owners();
    }

    /** The pods that may use it. */
    public OwnerRule ownerRule() {
        return ownerRule;
    }

    /**
     * Whether the resources are held but no further pod may use them: the hold is not promised yet, or not any more.
     */
    public boolean isClosed() {
        return ownerRule.isClosed();
    }

    /** Why no further pod may use it, as a clause that ends a sentence; empty if pods may use it. */
    public Optional<String> closedReason() {
        return closedReason;
    }

    /** Whether the first claim consumes it, even if the claim is smaller than the hold. */
    public boolean allocateOnce() {
        return allocateOnce;
    }

    public AllocatePolicy policy() {
        return policy;
    }

    /** When it ends at the latest; empty if it ends with an API object. */
    public Optional<Instant> deadline() {
        return deadline;
    }

    /**
     * Pods whose resources are promised to this hold: they terminate, or are about to. While they are on the node, they
     * use these resources, which must not be counted twice.
     */
    public Set<PodUid> backers() {
        return backers;
    }

    /** The hold of the same node from which it takes some of its resources, if there is one. */
    public Optional<Draw> draw() {
        return draw;
    }

    /**
     * The pods that the hold's own object lists as its users. Tenants cannot write this list. It survives edits of the
     * owners, removed records and restarts.
     */
    public Set<PodUid> listedUsers() {
        return listedUsers;
    }

    public Origin origin() {
        return origin;
    }

    /** The annotations by which the door's users see that a pod uses the hold. The bind writes them. */
    public SortedMap<String, String> bindAnnotations() {
        return bindAnnotations;
    }

    /** Whether the pod may start to use it. */
    public boolean admits(Pod pod) {
        return ownerRule.admits(pod);
    }

    /** Whether an owner rule matches the pod. A hold that was closed since still belongs to the pods that use it. */
    public boolean matchesOwner(Pod pod) {
        return ownerRule.matches(pod);
    }

    /** Whether it may draw on the other hold. */
    public boolean mayDrawOn(Hold other) {
        return precedesInDrawOrder(other)
                && draw.filter(its -> other.matchesOwner(its.owner())).isPresent();
    }

    /**
     * Draws have an order: first nominations, then other holds that have a draw, even if it gives nothing, then holds
     * without a draw. No draw goes against this order. Otherwise holds could draw on each other in a circle, and the
     * resources of all of them would be held nowhere. A tenant could also remove a hold between two others, and both
     * would hold the resources of all three. Only a nomination can lose its source in this way, and preemption chooses
     * a new one in the same turn.
     */
    private boolean precedesInDrawOrder(Hold other) {
        return !other.isNomination() && (isNomination() || other.draw.isEmpty());
    }

    /**
     * Whether it holds resources for a preemptor. Until the victims have terminated, the resources are only promised.
     */
    public boolean isNomination() {
        return origin.component() == Origin.PluginId.PREEMPTION;
    }

    public Builder toBuilder() {
        return new Builder(id, node, origin)
                .size(size)
                .ports(ports)
                .devices(devices)
                .owners(ownerRule.owners())
                .closedReason(closedReason)
                .taints(ownerRule.taints())
                .allocateOnce(allocateOnce)
                .policy(policy)
                .deadline(deadline)
                .backers(backers)
                .draw(draw)
                .listedUsers(listedUsers)
                .bindAnnotations(bindAnnotations);
    }

    /** A resource with size zero differs from a missing resource: claims count in the dimensions of the size. */
    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof Hold hold
                        && id.equals(hold.id)
                        && node.equals(hold.node)
                        && size.hasSameNamesAndAmounts(hold.size)
                        && ports.equals(hold.ports)
                        && devices.equals(hold.devices)
                        && ownerRule.equals(hold.ownerRule)
                        && closedReason.equals(hold.closedReason)
                        && allocateOnce == hold.allocateOnce
                        && policy.equals(hold.policy)
                        && deadline.equals(hold.deadline)
                        && backers.equals(hold.backers)
                        && draw.equals(hold.draw)
                        && listedUsers.equals(hold.listedUsers)
                        && origin.equals(hold.origin)
                        && bindAnnotations.equals(hold.bindAnnotations));
    }

    @Override
    public int hashCode() {
        return Objects.hash(id, node);
    }

    @Override
    public String toString() {
        return "%s (%s)".formatted(id, origin.displayName());
    }

    /** Builds a hold. */
    public static final class Builder {
        private final HoldId id;
        private final NodeUid node;
        private final Origin origin;
        private Resources size = Resources.NONE;
        private List<HostPort> ports = List.of();
        private Set<String> devices = Set.of();
        private List<Owner> owners = List.of();
        private Optional<String> closedReason = Optional.empty();
        private List<Taint> taints = List.of();
        private boolean allocateOnce;
        private AllocatePolicy policy = new AllocatePolicy.Aligned();
        private Optional<Instant> deadline = Optional.empty();
        private Set<PodUid> backers = Set.of();
        private Optional<Draw> draw = Optional.empty();
        private Set<PodUid> listedUsers = Set.of();
        private Map<String, String> bindAnnotations = Map.of();

        private Builder(HoldId id, NodeUid node, Origin origin) {
            this.id = id;
            this.node = node;
            this.origin = origin;
        }

        public Builder size(Resources value) {
            size = value;
            return this;
        }

        public Builder ports(List<HostPort> value) {
            ports = value;
            return this;
        }

        public Builder devices(Set<String> value) {
            devices = new TreeSet<>(value);
            return this;
        }

        public Builder owners(List<Owner> value) {
            owners = value;
            return this;
        }

        /** Sets why no further pod may use it, as a clause that ends a sentence; empty if pods may use it. */
        public Builder closedReason(Optional<String> why) {
            closedReason = why;
            return this;
        }

        public Builder taints(List<Taint> value) {
            taints = value;
            return this;
        }

        public Builder allocateOnce(boolean value) {
            allocateOnce = value;
            return this;
        }

        public Builder policy(AllocatePolicy value) {
            policy = value;
            return this;
        }

        public Builder deadline(Optional<Instant> value) {
            deadline = value;
            return this;
        }

        public Builder backers(Set<PodUid> value) {
            backers = value;
            return this;
        }

        public Builder draw(Optional<Draw> value) {
            draw = value;
            return this;
        }

        public Builder listedUsers(Set<PodUid> value) {
            listedUsers = value;
            return this;
        }

        public Builder bindAnnotations(Map<String, String> value) {
            bindAnnotations = value;
            return this;
        }

        public Hold build() {
            return new Hold(this);
        }
    }
}
