package dev.berth.core.door.device;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.placement.filter.Keeper;
import dev.berth.core.placement.filter.Veto;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The pods and holds that have the devices which a refused pod needs. */
final class Blockers {
    private final LedgerView ledger;
    private final Usage usage;

    Blockers(LedgerView ledger, Usage usage) {
        this.ledger = ledger;
        this.usage = usage;
    }

    /** A user is named by its own node alone: a device may have moved since, and no message is to name a pod twice. */
    Veto namingUsers(Veto veto, Pod pod, Node node, List<Device> devices) {
        Map<PodUid, Pod> users = new LinkedHashMap<>();
        devices.stream()
                .flatMap(device -> usage.ofDevice(device.name()).stream())
                .map(Usage.User::pod)
                .filter(user -> !user.uid().equals(pod.uid()))
                .filter(user ->
                        ledger.placeOf(user.uid()).filter(node.name()::equals).isPresent())
                .forEach(user -> users.putIfAbsent(user.uid(), user));
        List<Keeper> keepers = users.values().stream()
                .map(user -> new Keeper(
                        new HoldId("device-user/" + user.uid()),
                        new Origin(Origin.Door.DEVICES, "pod " + user),
                        0,
                        Optional.empty()))
                .toList();
        return new Veto(veto.code(), veto.resource(), 0, 0, 0, keepers, veto.about());
    }

    /** That holds keep the devices, by their names. */
    static Veto held(List<Device> devices, Map<String, Hold> kept) {
        List<Keeper> keepers = devices.stream()
                .flatMap(device -> Optional.ofNullable(kept.get(device.name())).stream())
                .map(Keeper::of)
                .distinct()
                .sorted((one, other) -> one.hold().compareTo(other.hold()))
                .toList();
        return new Veto(Veto.Code.DEVICES_HELD, Optional.empty(), 0, 0, 0, keepers);
    }
}
