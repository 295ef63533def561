package dev.berth.core.hold;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.ReservationConstraints;
import dev.berth.core.cluster.Taint;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
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
 * it follows from its claims and its backers. Backers are pods whose resources the hold gets when they end.
 */
public final class Hold {
    /** The order in which a pod takes holds that fit it equally: by the order label, then the older one, then by id. */
    public static final Comparator<Hold> BY_PREFERENCE = Comparator.comparingLong(Hold::order)
            .thenComparing(
                    hold -> hold.reservation.map(ReservationInfo::created).orElse(Instant.EPOCH))
            .thenComparing(Hold::id);

    private final HoldId id;
    private final NodeUid node;
    private final Resources size;
    private final List<HostPort> ports;
    private final Set<String> devices;
    private final OwnerRule ownerRule;
    private final Optional<String> closedReason;
    private final Optional<String> unschedulableReason;
    private final Optional<ReservationInfo> reservation;
    private final boolean allocateOnce;
    private final AllocatePolicy policy;
    private final Resources innerReserved;
    private final Optional<Instant> deadline;
    private final Set<PodUid> backers;
    private final Optional<Draw> draw;
    private final Set<PodUid> listedUsers;
    private final Origin origin;
    private final SortedMap<String, String> bindAnnotations;
    private final Optional<Pod> neighbour;

    private Hold(Builder builder) {
        this.id = builder.id;
        this.node = builder.node;
        this.size = builder.size;
        this.ports = builder.ports.stream().sorted().distinct().toList();
        this.devices = Set.copyOf(builder.devices);
        this.ownerRule = new OwnerRule(
                builder.owners,
                builder.taints,
                builder.unschedulableReason.isPresent(),
                builder.closedReason.isPresent());
        this.closedReason = builder.closedReason;
        this.unschedulableReason = builder.unschedulableReason;
        this.reservation = builder.reservation;
        this.allocateOnce = builder.allocateOnce;
        this.policy = builder.policy;
        this.innerReserved = innerReserved(builder.policy, builder.size);
        this.deadline = builder.deadline;
        this.backers = Set.copyOf(builder.backers);
        this.draw = builder.draw;
        this.listedUsers = Set.copyOf(builder.listedUsers);
        this.origin = builder.origin;
        this.bindAnnotations = Collections.unmodifiableSortedMap(new TreeMap<>(builder.bindAnnotations));
        this.neighbour = builder.neighbour;
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

    /** At most the size: a policy may name more than the hold has, or resources that it does not have. */
    private static Resources innerReserved(AllocatePolicy policy, Resources size) {
        return policy.innerReserved().isZero()
                ? Resources.NONE
                : policy.innerReserved().atLeastZero().inDimensionsOf(size).min(size);
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

    /**
     * Why no pod may use it that does not accept unschedulable Reservations, as a clause that ends a sentence; empty if it is
     * schedulable.
     */
    public Optional<String> unschedulableReason() {
        return unschedulableReason;
    }

    /** What pods select it by, if it is a Reservation that they can select. */
    public Optional<ReservationInfo> reservation() {
        return reservation;
    }

    /** Smaller first; {@link ReservationInfo#UNORDERED} for most holds. */
    public long order() {
        return reservation.map(ReservationInfo::order).orElse(ReservationInfo.UNORDERED);
    }

    /** Whether the first claim consumes it, even if the claim is smaller than the hold. */
    public boolean allocateOnce() {
        return allocateOnce;
    }

    public AllocatePolicy policy() {
        return policy;
    }

    /** What of the size no owner may use, in the dimensions of the size; usually nothing. */
    public Resources innerReserved() {
        return innerReserved;
    }

    /** When it ends at the latest; empty if it ends with an API object. */
    public Optional<Instant> deadline() {
        return deadline;
    }

    /**
     * Pods whose resources are promised to this hold: pods that terminate or are about to, and running pods that a
     * reservation takes over. While they are on the node, they use these resources, which must not be counted twice.
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

    /**
     * The pod that stands for the hold in the affinity terms, spread constraints and volume filters of other pods, until a
     * pod uses the hold: only its namespace, labels, affinity terms and volumes count. Empty if the hold is no neighbour
     * of pods.
     */
    public Optional<Pod> neighbour() {
        return neighbour;
    }

    /** Whether the pod may start to use it, apart from what the pod requires of its labels and its size. */
    public boolean admits(Pod pod) {
        return ownerRule.admits(pod) && hasRequiredName(pod);
    }

    /** Whether an owner rule matches the pod. A hold that was closed since still belongs to the pods that use it. */
    public boolean matchesOwner(Pod pod) {
        return ownerRule.matches(pod) && hasRequiredName(pod);
    }

    /** The owner rule ignores taints for a pod that names a Reservation. This must not let the pod use other Reservations. */
    private boolean hasRequiredName(Pod pod) {
        ReservationConstraints constraints = pod.spec().reservations();
        return !constraints.isByName()
                || reservation.isEmpty()
                || constraints.isNamed(reservation.get().name());
    }

    /**
     * Whether it has the labels, the name and the size that the pod requires of a Reservation.
     *
     * @param nodeLabels the labels of the hold's node
     */
    public boolean isSelectedBy(Pod pod, Labels nodeLabels) {
        ReservationConstraints constraints = pod.spec().reservations();
        if (reservation.isEmpty()) {
            return constraints.affinity().isEmpty();
        }
        return reservation.get().isSelectedBy(constraints.affinity(), nodeLabels)
                && constraints.hasExactSize(pod.spec().requests(), size);
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

    /** Whether a Koordinator Reservation holds it, also on the node to which the Reservation moves. */
    public boolean isReservation() {
        return origin.component() == Origin.DoorId.KOORDINATOR;
    }

    public Builder toBuilder() {
        return new Builder(id, node, origin)
                .size(size)
                .ports(ports)
                .devices(devices)
                .owners(ownerRule.owners())
                .closedReason(closedReason)
                .unschedulableReason(unschedulableReason)
                .reservation(reservation)
                .taints(ownerRule.taints())
                .allocateOnce(allocateOnce)
                .policy(policy)
                .deadline(deadline)
                .backers(backers)
                .draw(draw)
                .listedUsers(listedUsers)
                .bindAnnotations(bindAnnotations)
                .neighbour(neighbour);
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
                        && unschedulableReason.equals(hold.unschedulableReason)
                        && reservation.equals(hold.reservation)
                        && allocateOnce == hold.allocateOnce
                        && policy.equals(hold.policy)
                        && deadline.equals(hold.deadline)
                        && backers.equals(hold.backers)
                        && draw.equals(hold.draw)
                        && listedUsers.equals(hold.listedUsers)
                        && origin.equals(hold.origin)
                        && bindAnnotations.equals(hold.bindAnnotations)
                        && neighbour.equals(hold.neighbour));
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
        private Optional<String> unschedulableReason = Optional.empty();
        private Optional<ReservationInfo> reservation = Optional.empty();
        private List<Taint> taints = List.of();
        private boolean allocateOnce;
        private AllocatePolicy policy = new AllocatePolicy.Aligned();
        private Optional<Instant> deadline = Optional.empty();
        private Set<PodUid> backers = Set.of();
        private Optional<Draw> draw = Optional.empty();
        private Set<PodUid> listedUsers = Set.of();
        private Map<String, String> bindAnnotations = Map.of();
        private Optional<Pod> neighbour = Optional.empty();

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

        /** Sets why only pods that accept unschedulable Reservations may use it, as a clause that ends a sentence. */
        public Builder unschedulableReason(Optional<String> why) {
            unschedulableReason = why;
            return this;
        }

        public Builder reservation(Optional<ReservationInfo> value) {
            reservation = value;
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

        /** Sets the pod that stands for the hold in affinity terms and spread constraints of other pods. */
        public Builder neighbour(Optional<Pod> value) {
            neighbour = value;
            return this;
        }

        public Hold build() {
            return new Hold(this);
        }
    }
}
