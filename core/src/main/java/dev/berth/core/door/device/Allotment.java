package dev.berth.core.door.device;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.DeviceUse;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.Devices;
import dev.berth.core.placement.filter.Keeper;
import dev.berth.core.placement.filter.Veto;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Which devices of a node a pod would get for its claims, all of them together, or why it would not. */
final class Allotment implements Devices {
    private static final String TOO_FEW =
            "extended resources that can be allocated on this node are less than pod needs";
    private static final String NO_SUCH = "there are no such %s extended resource";
    private static final String UNAVAILABLE = "there are unavailable extended resources in extended resource claim";
    private static final String NOT_FOR_CLAIM = "extended resource that can be allocated are not satisfy [%s] needs";
    private static final String NOT_TOGETHER = "node can allocate extended resource are not satisfy pod needs";

    private final LedgerView ledger;
    private final Inventory inventory;
    private final ClaimFile claims;
    private final Usage usage;
    private final Duplicates duplicates;

    Allotment(LedgerView ledger, Inventory inventory, ClaimFile claims, Usage usage, Duplicates duplicates) {
        this.ledger = ledger;
        this.inventory = inventory;
        this.claims = claims;
        this.usage = usage;
        this.duplicates = duplicates;
    }

    /** What the pod gets, or the veto. */
    record Outcome(DeviceUse use, Optional<Veto> veto) {
        private static Outcome refused(Veto.Code code, String about) {
            return new Outcome(DeviceUse.NONE, Optional.of(Veto.of(code, about)));
        }
    }

    /** The devices of one node as one pod finds them. */
    private record Offer(List<Device> present, List<Device> available, Map<String, Hold> kept) {}

    @Override
    public boolean wantedBy(Pod pod) {
        return pod.annotations().has(DeviceClaim.ANNOTATION);
    }

    @Override
    public Optional<Veto> veto(Pod pod, NodeState state, Optional<Hold> own) {
        return on(pod, state, own).veto();
    }

    Outcome on(Pod pod, NodeState state, Optional<Hold> own) {
        List<DeviceClaim> wanted = new ArrayList<>();
        for (String name : DeviceClaim.namedBy(pod)) {
            DeviceClaim.Key key = new DeviceClaim.Key(pod.namespace(), name);
            Optional<String> obstacle = obstacle(pod, key);
            if (obstacle.isPresent()) {
                return Outcome.refused(Veto.Code.DEVICE_CLAIM, obstacle.get());
            }
            claims.named(key).ifPresent(wanted::add);
        }
        Offer offer = offer(pod, state, own);
        Outcome outcome = give(wanted, offer.present, offer.available);
        if (outcome.veto.isEmpty()) {
            return outcome;
        }
        Outcome refused = naming(users(pod, wanted, offer.present), outcome.veto.get());
        if (offer.kept.isEmpty()) {
            return refused;
        }
        List<Device> withKept = offer.present.stream()
                .filter(device -> offer.available.contains(device) || offer.kept.containsKey(device.name()))
                .toList();
        return give(wanted, offer.present, withKept).veto.isEmpty() ? held(offer.kept) : refused;
    }

    /** The other pods that have devices of the kinds that are wanted. */
    private List<Keeper> users(Pod pod, List<DeviceClaim> wanted, List<Device> present) {
        return present.stream()
                .filter(device ->
                        wanted.stream().anyMatch(claim -> claim.ask().resource().equals(device.resource())))
                .flatMap(device -> usage.ofDevice(device.name()).stream())
                .map(Usage.User::pod)
                .filter(user -> !user.uid().equals(pod.uid()))
                .distinct()
                .map(user -> new Keeper(
                        new HoldId("device-user/" + user.uid()),
                        new Origin(Origin.Door.DEVICES, "pod " + user),
                        0,
                        Optional.empty()))
                .toList();
    }

    private static Outcome naming(List<Keeper> users, Veto veto) {
        return new Outcome(
                DeviceUse.NONE, Optional.of(new Veto(veto.code(), veto.resource(), 0, 0, 0, users, veto.about())));
    }

    /** Why the claim is of no use to the pod on any node. */
    private Optional<String> obstacle(Pod pod, DeviceClaim.Key key) {
        Optional<Usage.User> other =
                usage.ofClaim(key).filter(user -> !user.pod().uid().equals(pod.uid()));
        if (other.isPresent()) {
            return Optional.of("ExtendedResourceClaim %s is bound to pod %s"
                    .formatted(key.name(), other.get().pod().name()));
        }
        Optional<DeviceClaim> claim = claims.named(key);
        return claim.isEmpty()
                ? Optional.of("extendedresourceclaims \"%s\" not found".formatted(key.name()))
                : claim.get().flaw().map(flaw -> "ExtendedResourceClaim %s: %s".formatted(key.name(), flaw));
    }

    private Offer offer(Pod pod, NodeState state, Optional<Hold> own) {
        List<Device> present = inventory.on(state.node());
        Map<String, Hold> kept = present.isEmpty() ? Map.of() : kept(state, own);
        List<Device> available = present.stream()
                .filter(device -> inventory.usableOn(device, state.node()))
                .filter(device -> usage.ofDevice(device.name())
                        .filter(user -> !user.pod().uid().equals(pod.uid()))
                        .isEmpty())
                .filter(device -> !kept.containsKey(device.name()))
                .filter(device ->
                        duplicates.countingInstead(device, state.node()).isEmpty())
                .toList();
        return new Offer(present, available, kept);
    }

    /** What the holds on the node keep of devices, other than the pod's own. */
    private Map<String, Hold> kept(NodeState state, Optional<Hold> own) {
        Map<String, Hold> kept = new HashMap<>();
        Optional<HoldId> drawnOn = own.flatMap(hold -> ledger.holdState(hold.id()))
                .flatMap(hold -> hold.draws().on());
        for (HoldId id : state.holds()) {
            boolean others = own.filter(hold -> hold.id().equals(id)).isEmpty() && !drawnOn.equals(Optional.of(id));
            if (others) {
                ledger.hold(id).ifPresent(hold -> hold.devices().forEach(device -> kept.put(device, hold)));
            }
        }
        return kept;
    }

    private static Outcome held(Map<String, Hold> kept) {
        List<Keeper> keepers = kept.values().stream()
                .map(Keeper::of)
                .distinct()
                .sorted((one, other) -> one.hold().compareTo(other.hold()))
                .toList();
        return new Outcome(
                DeviceUse.NONE, Optional.of(new Veto(Veto.Code.DEVICES_HELD, Optional.empty(), 0, 0, 0, keepers)));
    }

    private static Outcome give(List<DeviceClaim> wanted, List<Device> present, List<Device> available) {
        Optional<String> names = wrongNames(wanted, present, available);
        if (names.isPresent()) {
            return Outcome.refused(Veto.Code.DEVICES, names.get());
        }
        long total = 0;
        for (DeviceClaim claim : wanted) {
            long more = claim.ask().total();
            if (more > available.size() - total) {
                return Outcome.refused(Veto.Code.DEVICES, TOO_FEW);
            }
            total += more;
        }
        List<List<String>> demands = new ArrayList<>();
        for (DeviceClaim claim : wanted) {
            List<List<String>> its = demands(claim.ask(), available);
            if (Matching.of(its).isEmpty()) {
                return Outcome.refused(
                        Veto.Code.DEVICES, NOT_FOR_CLAIM.formatted(claim.ref().name()));
            }
            demands.addAll(its);
        }
        return Matching.of(demands)
                .map(given -> new Outcome(shared(wanted, given), Optional.empty()))
                .orElseGet(() -> Outcome.refused(Veto.Code.DEVICES, NOT_TOGETHER));
    }

    private static Optional<String> wrongNames(List<DeviceClaim> wanted, List<Device> present, List<Device> available) {
        List<String> names =
                wanted.stream().flatMap(claim -> claim.ask().names().stream()).toList();
        List<String> missing = names.stream()
                .filter(name ->
                        present.stream().noneMatch(device -> device.name().equals(name)))
                .toList();
        if (!missing.isEmpty()) {
            return Optional.of(NO_SUCH.formatted(missing));
        }
        boolean taken = names.stream()
                .anyMatch(name ->
                        available.stream().noneMatch(device -> device.name().equals(name)));
        return taken ? Optional.of(UNAVAILABLE) : Optional.empty();
    }

    /** One for each device that the claim asks for, with those that would do: the named ones themselves, then any. */
    private static List<List<String>> demands(DeviceClaim.Ask ask, List<Device> available) {
        List<String> alike = available.stream()
                .filter(device -> device.resource().equals(ask.resource()))
                .map(Device::name)
                .toList();
        List<String> matching = available.stream()
                .filter(device ->
                        alike.contains(device.name()) && ask.properties().matches(device.properties()))
                .map(Device::name)
                .toList();
        List<List<String>> demands = new ArrayList<>();
        ask.names().forEach(name -> demands.add(alike.contains(name) ? List.of(name) : List.of()));
        for (long more = ask.names().size(); more < ask.total(); more++) {
            demands.add(matching);
        }
        return demands;
    }

    /** The devices in the order of the demands, cut into those of each claim. */
    private static DeviceUse shared(List<DeviceClaim> wanted, List<String> given) {
        TreeMap<String, List<String>> byClaim = new TreeMap<>();
        int from = 0;
        for (DeviceClaim claim : wanted) {
            int to = from + (int) claim.ask().total();
            byClaim.put(
                    claim.ref().name(),
                    given.subList(from, to).stream().sorted().toList());
            from = to;
        }
        return new DeviceUse(byClaim);
    }
}
