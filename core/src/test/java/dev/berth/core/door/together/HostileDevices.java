package dev.berth.core.door.together;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeTerm;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.door.device.Device;
import dev.berth.core.door.device.DeviceClaim;
import dev.berth.core.door.device.DeviceFact;
import dev.berth.core.door.device.ObjectRef;
import dev.berth.core.door.device.ObjectStatus;
import java.util.List;
import java.util.Optional;

/** ExtendedResources and ExtendedResourceClaims as any program may write them. */
final class HostileDevices {
    private final HostileDice dice;

    HostileDevices(HostileDice dice) {
        this.dice = dice;
    }

    DeviceFact.DeviceSeen device() {
        NodeTerm there = new NodeTerm(
                List.of(new Requirement(Node.HOSTNAME_LABEL, Requirement.Operator.IN, List.of("n" + dice.nextInt(3)))),
                List.of());
        return new DeviceFact.DeviceSeen(new Device(
                ref("", "d" + dice.nextInt(3)),
                dice.oneIn(4) ? List.of() : List.of(there),
                dice.one("gpu", "", "other"),
                dice.one("", "gpu-0", "gpu-1"),
                Labels.of("type", "k80"),
                new Device.Link(
                        dice.one("", "default"), dice.one("", "c1"), dice.one("", " ", "/", "p1", "p2", "nobody")),
                ObjectStatus.NONE,
                problem()));
    }

    DeviceFact.ClaimSeen claim() {
        List<String> names =
                dice.one(List.<String>of(), List.of("d1"), List.of("d1", "d1"), List.of("d0", "d1"), List.of(""));
        return new DeviceFact.ClaimSeen(new DeviceClaim(
                ref("default", "c" + (1 + dice.nextInt(2))),
                new DeviceClaim.Ask(
                        dice.one("gpu", ""),
                        LabelSelector.EVERYTHING,
                        names,
                        dice.one(0L, 1L, 2L, -1L, Long.MAX_VALUE, Long.MIN_VALUE)),
                new DeviceClaim.Written(names, Optional.empty(), Optional.empty()),
                ObjectStatus.NONE,
                problem()));
    }

    private ObjectRef ref(String namespace, String name) {
        return new ObjectRef(dice.one("g1", "g2"), namespace, name, name, dice.version());
    }

    private Optional<String> problem() {
        return dice.oneIn(5) ? Optional.of("problem") : Optional.empty();
    }
}
