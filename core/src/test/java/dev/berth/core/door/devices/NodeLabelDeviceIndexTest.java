package dev.berth.core.door.devices;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.testing.AllocatedBytes;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.RandomSeeds;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Devices that name their nodes by another label than the hostname. */
class NodeLabelDeviceIndexTest {
    private static final int NODES = 100;
    private static final int EACH = 10;

    @Test
    void aDeviceThatNamesItsNodeByAnotherLabelCostsADecisionAboutAsMuch() {
        cost("kubernetes.io/hostname");
        long byHost = cost("kubernetes.io/hostname");
        long byLabel = cost("machine");

        assertThat(byLabel).as("bytes of a decision, %d by hostname", byHost).isLessThan(2 * byHost);
    }

    @Test
    void devicesThatAreOnNoNodeCostADecisionNothing() {
        cost("rack");
        long few = nowhere(10);
        long many = nowhere(1_000);

        assertThat(many).as("bytes beside 1000 devices, %d beside 10", few).isLessThan(few + few / 2);
    }

    private static long cost(String label) {
        DevicesScene cluster = nodes();
        for (int i = 0; i < NODES * EACH; i++) {
            cluster.upsert(device("d" + i, in(label, "n" + i / EACH)));
        }
        return decided(cluster);
    }

    private static long nowhere(int devices) {
        DevicesScene cluster = nodes();
        for (int i = 0; i < devices; i++) {
            cluster.upsert(device("d" + i, in("rack", "r" + i)));
        }
        return decided(cluster);
    }

    private static DevicesScene nodes() {
        DevicesScene cluster = new DevicesScene();
        for (int i = 0; i < NODES; i++) {
            cluster.upsert(aNode("n" + i).with("8 cpu", "110 pods").labelled("machine", "n" + i));
        }
        return cluster;
    }

    /** The pod asks for more than any node has, so that every node is asked. */
    private static long decided(DevicesScene cluster) {
        cluster.upsert(DeviceFixtures.claim("c", "k80", EACH + 1)).runUntilIdle();
        PodBuilder pod = aPod("p").asking("1 cpu").annotated(DeviceClaim.ANNOTATION, "c");
        return AllocatedBytes.measure(() -> cluster.unschedulableMessage(pod));
    }

    @Test
    void theDevicesOfANodeAreThoseWhoseTermsMatchItAfterRandomChanges() {
        RandomSeeds.forEach(0, 200, seed -> {
            Random random = new Random(seed);
            DeviceInventory inventory = new DeviceInventory();
            Map<String, Node> nodes = new TreeMap<>();
            Map<String, Device> devices = new TreeMap<>();
            for (int step = 0; step < 60; step++) {
                change(random, inventory, nodes, devices);
                compare("seed %d, step %d".formatted(seed, step), inventory, nodes, devices);
            }
        });
    }

    private static void change(
            Random random, DeviceInventory inventory, Map<String, Node> nodes, Map<String, Device> devices) {
        String node = "n" + random.nextInt(30);
        String device = "d" + random.nextInt(8);
        switch (random.nextInt(6)) {
            case 0 -> {
                Node gone = nodes.remove(node);
                if (gone != null) {
                    inventory.remove(gone);
                }
            }
            case 1 -> {
                Device deleted = devices.remove(device);
                if (deleted != null) {
                    inventory.remove(deleted);
                }
            }
            case 2, 3 -> {
                Device seen = device(device, term(random));
                inventory.replace(Optional.ofNullable(devices.put(device, seen)), seen);
            }
            default -> {
                Node seen = aNode(node)
                        .labelled("machine", "m" + random.nextInt(4))
                        .labelled(random.nextInt(3) == 0 ? "spare" : "rack", "r" + random.nextInt(12))
                        .build();
                nodes.put(node, seen);
                inventory.put(seen);
            }
        }
    }

    private static NodeSelectorTerm term(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> in(Node.HOSTNAME_LABEL, "n" + random.nextInt(30));
            case 1 -> in("machine", "m" + random.nextInt(4));
            case 2 ->
                new NodeSelectorTerm(
                        List.of(new Requirement("rack", Requirement.Operator.NOT_IN, List.of("r1"))), List.of());
            default -> in("rack", "r" + random.nextInt(12));
        };
    }

    private static void compare(
            String when, DeviceInventory inventory, Map<String, Node> nodes, Map<String, Device> devices) {
        for (Node node : nodes.values()) {
            assertThat(inventory.findOn(node))
                    .as("%s: the devices on %s", when, node.name())
                    .containsExactlyElementsOf(devices.values().stream()
                            .filter(device -> device.isOn(node))
                            .toList());
        }
        for (Device device : devices.values()) {
            assertThat(inventory.findNodes(device))
                    .as("%s: the nodes of %s", when, device.name())
                    .containsExactlyElementsOf(
                            nodes.values().stream().filter(device::isOn).toList());
        }
    }

    private static NodeSelectorTerm in(String key, String value) {
        return new NodeSelectorTerm(List.of(new Requirement(key, Requirement.Operator.IN, List.of(value))), List.of());
    }

    private static Device device(String name, NodeSelectorTerm term) {
        return DeviceFixtures.device(
                DeviceFixtures.ref("", name, "1"), List.of(term), DeviceFixtures.GPU, Labels.of("type", "k80"));
    }
}
