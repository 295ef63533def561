package dev.berth.core.testing;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.AllocatePolicy;
import dev.berth.core.hold.ComponentId;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.hold.Owner;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Builds a hold: {@code aHold("h").on("n1").keeping("4 cpu").forPodsLabelled("app", "web").build()}. By default it is
 * shared and aligned, has one pod slot, comes from a Reservation of its own name, and admits no pod.
 */
public final class HoldBuilder {
    private final String id;
    private String node = "";
    private Resources size = Resources.of(ResourceName.PODS, 1);
    private final List<HostPort> ports = new ArrayList<>();
    private final List<Owner> owners = new ArrayList<>();
    private final Set<PodUid> backers = new TreeSet<>();
    private final Set<PodUid> listedUsers = new TreeSet<>();
    private final Set<String> devices = new TreeSet<>();
    private boolean allocateOnce;
    private AllocatePolicy policy = new AllocatePolicy.Aligned();
    private Optional<Instant> deadline = Optional.empty();
    private Optional<Draw> draw = Optional.empty();
    private Optional<Origin> origin = Optional.empty();
    private Optional<Pod> neighbour = Optional.empty();
    private Optional<String> closedReason = Optional.empty();

    private HoldBuilder(String id) {
        this.id = id;
    }

    public static HoldBuilder aHold(String id) {
        return new HoldBuilder(id);
    }

    public HoldBuilder on(String nodeUid) {
        node = nodeUid;
        return this;
    }

    public HoldBuilder keeping(String... amounts) {
        return keeping(Amounts.amounts(amounts));
    }

    public HoldBuilder keeping(Resources amounts) {
        for (int i = 0; i < amounts.size(); i++) {
            size = size.with(amounts.nameAt(i), amounts.amountAt(i));
        }
        return this;
    }

    public HoldBuilder keepingHostPort(int port) {
        ports.add(new HostPort("TCP", HostPort.ANY_ADDRESS, port));
        return this;
    }

    public HoldBuilder keepingDevice(String device) {
        devices.add(device);
        return this;
    }

    public HoldBuilder forOwner(Owner owner) {
        owners.add(owner);
        return this;
    }

    public HoldBuilder forPodsLabelled(String key, String value) {
        LabelSelector selector = LabelSelector.of(Labels.of(key, value));
        return forOwner(Owner.ofLabels(selector));
    }

    public HoldBuilder forAllPods() {
        return forOwner(Owner.ofLabels(LabelSelector.EVERYTHING));
    }

    /** A pod such as {@code default/web-0}. */
    public HoldBuilder forPod(String namespaceAndName) {
        int slash = namespaceAndName.indexOf('/');
        Owner.PodMatch match = new Owner.PodMatch(
                Optional.empty(),
                Optional.of(namespaceAndName.substring(0, slash)),
                Optional.of(namespaceAndName.substring(slash + 1)));
        return forOwner(Owner.ofPod(match));
    }

    /** Pods controlled by the likes of {@code ReplicaSet/web}. */
    public HoldBuilder forPodsOf(String kindAndName) {
        int slash = kindAndName.indexOf('/');
        Owner.ControllerMatch match = new Owner.ControllerMatch(
                Optional.empty(),
                Optional.of(kindAndName.substring(0, slash)),
                Optional.empty(),
                Optional.of(kindAndName.substring(slash + 1)),
                Optional.empty());
        return forOwner(Owner.ofController(match));
    }

    public HoldBuilder allocateOnce() {
        allocateOnce = true;
        return this;
    }

    /** Of the named resources no more than the hold has left. */
    public HoldBuilder restrictedTo(String... resources) {
        policy = new AllocatePolicy.Restricted(
                Arrays.stream(resources).map(ResourceName::new).collect(Collectors.toSet()));
        return this;
    }

    /** No owner may use these amounts. Call it after {@link #restrictedTo}. */
    public HoldBuilder keepingFromOwners(String... amounts) {
        Resources innerReserved = Amounts.amounts(amounts);
        policy = policy instanceof AllocatePolicy.Restricted restricted
                ? new AllocatePolicy.Restricted(restricted.resources(), innerReserved)
                : new AllocatePolicy.Aligned(innerReserved);
        return this;
    }

    public HoldBuilder until(Instant instant) {
        deadline = Optional.of(instant);
        return this;
    }

    public HoldBuilder backedBy(String podUid) {
        backers.add(new PodUid(podUid));
        return this;
    }

    /** Its object says that the pod uses it. */
    public HoldBuilder listingUser(String podUid) {
        listedUsers.add(new PodUid(podUid));
        return this;
    }

    /** It takes part of its room from the other hold, for the pod. */
    public HoldBuilder drawingOn(String hold, PodBuilder owner) {
        draw = Optional.of(new Draw(new HoldId(hold), owner.build()));
        return this;
    }

    /** It counts as this pod until a pod uses it. */
    public HoldBuilder countingAs(PodBuilder pod) {
        neighbour = Optional.of(pod.build());
        return this;
    }

    /** No further pod may use it. */
    public HoldBuilder closed() {
        closedReason = Optional.of("it is closed");
        return this;
    }

    public HoldBuilder from(ComponentId component, String displayName) {
        origin = Optional.of(new Origin(component, displayName));
        return this;
    }

    public Hold build() {
        return Hold.builder(
                        new HoldId(id),
                        new NodeUid(node),
                        origin.orElseGet(() -> new Origin(Origin.DoorId.KOORDINATOR, "Reservation " + id)))
                .size(size)
                .ports(ports)
                .devices(devices)
                .owners(owners)
                .allocateOnce(allocateOnce)
                .policy(policy)
                .deadline(deadline)
                .backers(backers)
                .listedUsers(listedUsers)
                .draw(draw)
                .neighbour(neighbour)
                .closedReason(closedReason)
                .build();
    }
}
