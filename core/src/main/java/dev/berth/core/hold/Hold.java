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
 * A place kept on one node for pods that are not there yet. A fact like any other: what is left of it follows from the
 * pods that claim it and from its backers, terminating pods whose room it will inherit.
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

    /** What is kept, pod slots among it: a hold that keeps no slot cannot count on one where pods are many. */
    public Resources size() {
        return size;
    }

    public List<HostPort> ports() {
        return ports;
    }

    /** The very devices that are kept, by name. */
    public Set<String> devices() {
        return devices;
    }

    public List<Owner> owners() {
        return ownerRule.owners();
    }

    /** Which pods may use it. */
    public OwnerRule ownerRule() {
        return ownerRule;
    }

    /** Whether its room is kept but no pod may begin to use it: it is not promised yet, or no longer. */
    public boolean isClosed() {
        return ownerRule.isClosed();
    }

    /** Why no pod may begin to use it, as a clause that ends a sentence; empty where pods may. */
    public Optional<String> closedReason() {
        return closedReason;
    }

    /** Whether the first claim spends it, be the claim smaller than the hold. */
    public boolean allocateOnce() {
        return allocateOnce;
    }

    public AllocatePolicy policy() {
        return policy;
    }

    /** When it ends at the latest; empty where an API object keeps it. */
    public Optional<Instant> deadline() {
        return deadline;
    }

    /**
     * Pods whose room is promised to this hold: terminating ones, or such as are about to be. While they are on the
     * node their room is in use and must not be kept a second time.
     */
    public Set<PodUid> backers() {
        return backers;
    }

    /** The hold of the same node from which it takes part of its room, if there is one. */
    public Optional<Draw> draw() {
        return draw;
    }

    /**
     * The pods that the hold's own object lists as its users. Tenants cannot write it, so it outlives edits of the
     * owners, removed records and restarts.
     */
    public Set<PodUid> listedUsers() {
        return listedUsers;
    }

    public Origin origin() {
        return origin;
    }

    /** The annotations by which the door's users know that a pod uses the hold, written together with its binding. */
    public SortedMap<String, String> bindAnnotations() {
        return bindAnnotations;
    }

    /** Whether the pod may begin to use it. */
    public boolean admits(Pod pod) {
        return ownerRule.admits(pod);
    }

    /** Whether it is for the pod. A hold that was closed since is still for the pods that use it. */
    public boolean matchesOwner(Pod pod) {
        return ownerRule.matches(pod);
    }

    /** Whether it may take room from the other hold. */
    public boolean mayDrawOn(Hold other) {
        return precedesInDrawOrder(other)
                && draw.filter(its -> other.matchesOwner(its.owner())).isPresent();
    }

    /**
     * Draws have an order: first nominations, then the other holds that have a draw, whether it gives anything or not, then
     * those that have none. No draw leads back. Else holds could draw on each other in a circle, in which each gives its room
     * to the next and none is kept; and a tenant could remove a hold between two others, so that both keep the room that
     * all three had once. Only a nomination can lose its source that way, and its door chooses another one in the same turn.
     */
    private boolean precedesInDrawOrder(Hold other) {
        return !other.isNomination() && (isNomination() || other.draw.isEmpty());
    }

    /** Whether it keeps room for one pod that preempts others: until they have left, the room is a promise. */
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

    /** A size of zero of a resource is not the same as none: claims count in the dimensions of the size. */
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

    /** Collects what a door knows of a hold. */
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

        /** Says why no pod may begin to use it, as a clause that ends a sentence; empty where pods may. */
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
