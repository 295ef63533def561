package dev.berth.core.door.alldoors;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.door.devices.Device;
import dev.berth.core.door.devices.DeviceClaim;
import dev.berth.core.door.devices.DeviceFact;
import dev.berth.core.door.devices.DeviceObjectRef;
import dev.berth.core.door.devices.DeviceObjectStatus;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** ExtendedResources and ExtendedResourceClaims as any program may write them. */
final class DeviceFuzzer {
    /** More than a pod can have. */
    private static final int TOO_MANY = 1_001;

    private final FuzzRandom dice;

    DeviceFuzzer(FuzzRandom dice) {
        this.dice = dice;
    }

    DeviceFact.DeviceUpserted device() {
        NodeSelectorTerm there = new NodeSelectorTerm(
                List.of(new Requirement(Node.HOSTNAME_LABEL, Requirement.Operator.IN, List.of("n" + dice.nextInt(3)))),
                List.of());
        return new DeviceFact.DeviceUpserted(new Device(
                ref("", "d" + dice.nextInt(3)),
                dice.oneIn(4) ? List.of() : List.of(there),
                dice.one("gpu", "", "other"),
                dice.one("", "gpu-0", "gpu-1"),
                Labels.of("type", "k80"),
                new Device.DeviceBinding(
                        dice.one("", "default"), dice.one("", "c1"), dice.one("", " ", "/", "p1", "p2", "nobody")),
                DeviceObjectStatus.NONE,
                problem()));
    }

    DeviceFact.ClaimUpserted claim() {
        List<String> names = dice.oneIn(8)
                ? dice.one(upTo(TOO_MANY), upTo(TOO_MANY - 1), List.of("d".repeat(TOO_MANY)))
                : dice.one(List.<String>of(), List.of("d1"), List.of("d1", "d1"), List.of("d0", "d1"), List.of(""));
        return new DeviceFact.ClaimUpserted(new DeviceClaim(
                ref("default", "c" + (1 + dice.nextInt(2))),
                new DeviceClaim.DeviceClaimSpec(
                        dice.one("gpu", ""),
                        LabelSelector.EVERYTHING,
                        names,
                        dice.one(0L, 1L, 2L, 1_000L, 1_001L, -1L, Long.MAX_VALUE, Long.MIN_VALUE)),
                new DeviceClaim.DeviceClaimAllocation(names, Optional.empty(), Optional.empty()),
                DeviceObjectStatus.NONE,
                problem()));
    }

    private static List<String> upTo(int count) {
        return IntStream.range(0, count).mapToObj(i -> "d" + i).toList();
    }

    /** The annotation of a pod that names claims, up to as many as it has room for. */
    String named() {
        return dice.oneIn(8)
                ? dice.one(joined(TOO_MANY, "c", ","), "c".repeat(TOO_MANY))
                : dice.one("c1", "c1,c1", "c1,c2", ",", " ", "");
    }

    /** The annotation of a pod that names its devices, up to as many as it has room for. */
    String record() {
        return dice.oneIn(8)
                ? dice.one(
                        "c1=" + joined(TOO_MANY, "d", ","),
                        "c1=" + joined(TOO_MANY - 1, "d", ","),
                        "c1=" + "d1,".repeat(TOO_MANY),
                        joined(TOO_MANY, "c", "=d1;"),
                        "c1=" + "d".repeat(TOO_MANY))
                : dice.one("c1=d1", "c1=", "=", ";", "c1=d1,d1", "c1=d0,d1", "c1=d1;c2=d1", "c1", ",", "c1= ");
    }

    private static String joined(int count, String prefix, String separator) {
        return IntStream.range(0, count).mapToObj(i -> prefix + i).collect(Collectors.joining(separator));
    }

    private DeviceObjectRef ref(String namespace, String name) {
        return new DeviceObjectRef(dice.one("g1", "g2"), namespace, name, name, dice.version());
    }

    private Optional<String> problem() {
        return dice.oneIn(5) ? Optional.of("problem") : Optional.empty();
    }
}
