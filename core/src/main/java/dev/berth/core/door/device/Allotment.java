package dev.berth.core.door.device;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.DeviceUse;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.Devices;
import dev.berth.core.placement.filter.Veto;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Which devices of a node a pod would get for its claims, all of them together, or why it would not. */
final class Allotment implements Devices {
    private static final String TOO_FEW =
            "extended resources that can be allocated on this node are less than pod needs";
    private static final String UNAVAILABLE = "there are unavailable extended resources in extended resource claim";
    private static final String NOT_FOR_CLAIM = "extended resource that can be allocated are not satisfy [%s] needs";
    private static final String NOT_TOGETHER = "node can allocate extended resource are not satisfy pod needs";

    private final LedgerView ledger;
    private final Inventory inventory;
    private final ClaimFile claims;
    private final Usage usage;
    private final Duplicates duplicates;
    private final Blockers blockers;
    /** Brings the usage up to date. */
    private final Runnable beforehand;
    /** Placement asks about one pod and node after node. */
    private Optional<DeviceRequest> last = Optional.empty();
    /** The claims of that pod that there are and that another pod may have, as of {@link #usageVersion}. */
    private List<DeviceClaim.Key> contested = List.of();

    private long usageVersion;

    Allotment(
            LedgerView ledger,
            Inventory inventory,
            ClaimFile claims,
            Usage usage,
            Duplicates duplicates,
            Runnable beforehand) {
        this.ledger = ledger;
        this.inventory = inventory;
        this.claims = claims;
        this.usage = usage;
        this.duplicates = duplicates;
        this.blockers = new Blockers(ledger, usage);
        this.beforehand = beforehand;
    }

    /**
     * What the pod gets, or the veto.
     *
     * @param helpful which devices could lift the veto, were they free
     */
    record Outcome(DeviceUse use, Optional<Veto> veto, Predicate<Device> helpful) {
        private static Outcome refused(Veto veto) {
            return new Outcome(DeviceUse.NONE, Optional.of(veto), device -> false);
        }

        private static Outcome refused(String about, Predicate<Device> helpful) {
            return new Outcome(DeviceUse.NONE, Optional.of(Veto.of(Veto.Code.DEVICES, about)), helpful);
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
        beforehand.run();
        DeviceRequest request = request(pod);
        Optional<String> obstacle = takenBefore(pod).or(request::obstacle);
        if (obstacle.isPresent()) {
            return Outcome.refused(Veto.of(Veto.Code.DEVICE_CLAIM, obstacle.get()));
        }
        Offer offer = offer(pod, state, own);
        Outcome outcome = give(request, offer.present, offer.available);
        if (outcome.veto.isEmpty()) {
            return outcome;
        }
        List<Device> wanted = offer.present.stream()
                .filter(request::wants)
                .filter(device -> inventory.usableOn(device, state.node()))
                .toList();
        if (wouldDoWithoutHolds(request, offer, wanted)) {
            return Outcome.refused(Blockers.held(wanted, offer.kept));
        }
        List<Device> helpful = wanted.stream().filter(outcome.helpful).toList();
        return Outcome.refused(blockers.namingUsers(outcome.veto.get(), pod, state.node(), helpful));
    }

    private static boolean wouldDoWithoutHolds(DeviceRequest request, Offer offer, List<Device> wanted) {
        Set<String> free = names(wanted);
        free.retainAll(offer.kept.keySet());
        if (free.isEmpty()) {
            return false;
        }
        free.addAll(names(offer.available));
        List<Device> withKept = offer.present.stream()
                .filter(device -> free.contains(device.name()))
                .toList();
        return give(request, offer.present, withKept).veto.isEmpty();
    }

    private DeviceRequest request(Pod pod) {
        Optional<DeviceRequest> known = last.filter(it -> it.isOf(pod, claims));
        DeviceRequest request = known.orElseGet(() -> new DeviceRequest(pod, claims));
        if (known.isEmpty() || usageVersion != usage.version()) {
            last = Optional.of(request);
            // A pod keeps its devices when its claim is deleted; who names the claim then waits for the claim, not for
            // the pod.
            contested = request.keys().stream()
                    .filter(usage::mayBeTaken)
                    .filter(key -> claims.named(key).isPresent())
                    .toList();
            usageVersion = usage.version();
        }
        return request;
    }

    private static Set<String> names(List<Device> devices) {
        return devices.stream().map(Device::name).collect(Collectors.toCollection(HashSet::new));
    }

    /** That another pod has one of the claims. */
    private Optional<String> takenBefore(Pod pod) {
        for (DeviceClaim.Key key : contested) {
            Optional<Usage.User> other =
                    usage.ofClaim(key).filter(user -> !user.pod().uid().equals(pod.uid()));
            if (other.isPresent()) {
                return Optional.of("ExtendedResourceClaim %s is bound to pod %s"
                        .formatted(key.name(), other.get().pod().name()));
            }
        }
        return Optional.empty();
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

    private static Outcome give(DeviceRequest request, List<Device> present, List<Device> available) {
        Optional<String> missing = request.missing(present);
        if (missing.isPresent()) {
            return Outcome.refused(missing.get(), device -> false);
        }
        Map<String, Device> free = new LinkedHashMap<>();
        available.forEach(device -> free.put(device.name(), device));
        if (!free.keySet().containsAll(request.names())) {
            return Outcome.refused(UNAVAILABLE, device -> request.names().contains(device.name()));
        }
        if (request.total() > free.size()) {
            return Outcome.refused(TOO_FEW, request::wants);
        }
        Map<DeviceRequest.Kind, List<String>> alike = new HashMap<>();
        request.byCount()
                .keySet()
                .forEach(kind -> alike.put(
                        kind,
                        available.stream()
                                .filter(kind::matches)
                                .map(Device::name)
                                .toList()));
        for (DeviceClaim claim : request.claims()) {
            if (!suffices(claim.ask(), free, alike)) {
                return Outcome.refused(
                        NOT_FOR_CLAIM.formatted(claim.ref().name()),
                        device -> DeviceRequest.wants(claim.ask(), device));
            }
        }
        return together(request, alike)
                .map(use -> new Outcome(use, Optional.empty(), device -> false))
                .orElseGet(
                        () -> Outcome.refused(NOT_TOGETHER, device -> !request.namesTwice() && request.wants(device)));
    }

    /** Whether the devices are enough for this claim alone. */
    private static boolean suffices(
            DeviceClaim.Ask ask, Map<String, Device> free, Map<DeviceRequest.Kind, List<String>> alike) {
        DeviceRequest.Kind kind = DeviceRequest.Kind.of(ask);
        int spare = alike.getOrDefault(kind, List.of()).size();
        for (String name : ask.names()) {
            Device device = free.get(name);
            if (device == null || !device.resource().equals(ask.resource())) {
                return false;
            }
            spare -= kind.matches(device) ? 1 : 0;
        }
        return DeviceRequest.byCount(ask) <= spare;
    }

    /** Those asked for by name go to the claims that name them; the others are shared among the kinds, and then claims. */
    private static Optional<DeviceUse> together(DeviceRequest request, Map<DeviceRequest.Kind, List<String>> alike) {
        if (request.namesTwice()) {
            return Optional.empty();
        }
        List<DeviceRequest.Kind> kinds = List.copyOf(request.byCount().keySet());
        List<Matching.Demand> demands = new ArrayList<>();
        request.byCount()
                .forEach((kind, count) -> demands.add(new Matching.Demand(
                        alike.getOrDefault(kind, List.of()).stream()
                                .filter(name -> !request.names().contains(name))
                                .toList(),
                        count)));
        return Matching.of(demands).map(given -> {
            Map<DeviceRequest.Kind, Iterator<String>> byKind = new HashMap<>();
            for (int i = 0; i < kinds.size(); i++) {
                byKind.put(kinds.get(i), given.get(i).iterator());
            }
            return shared(request.claims(), byKind);
        });
    }

    private static DeviceUse shared(List<DeviceClaim> claims, Map<DeviceRequest.Kind, Iterator<String>> byKind) {
        TreeMap<String, List<String>> byClaim = new TreeMap<>();
        for (DeviceClaim claim : claims) {
            List<String> devices = new ArrayList<>(claim.ask().names());
            Iterator<String> others =
                    byKind.getOrDefault(DeviceRequest.Kind.of(claim.ask()), Collections.emptyIterator());
            while (devices.size() < claim.ask().total()) {
                devices.add(others.next());
            }
            Collections.sort(devices);
            byClaim.put(claim.ref().name(), devices);
        }
        return new DeviceUse(byClaim);
    }
}
