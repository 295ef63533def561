package dev.berth.core.door.devices;

import static dev.berth.core.door.devices.DeviceFixtures.claim;
import static dev.berth.core.door.devices.DeviceFixtures.claimOn;
import static dev.berth.core.door.devices.DeviceFixtures.device;
import static dev.berth.core.door.devices.DeviceFixtures.duplicate;
import static dev.berth.core.door.devices.DeviceFixtures.moved;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.DeviceUse;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.RandomHistories;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Pods with claims on one device or two come and go, tenants forge and remove records of devices, and Berth restarts, also
 * before it wrote one of the devices: a device is of the pod that Berth bound with it until that pod is gone, and while one
 * is free, a pod that claims one gets it. Operators write several objects for one device, and remove them: whatever the
 * objects are called, one device is of one pod. They write affinities that match both nodes, and correct them: nobody
 * gets such a device, and a pod that has it keeps it.
 */
class RandomDevicesTest {
    private static final int STEPS = 60;
    /** A little more than a pod can have. */
    private static final int LONG = 1_002;

    private static final List<String> DEVICES = List.of("er1", "er2", "er3");
    private static final Instant OLD = Instant.EPOCH;
    private static final Instant NEW = Instant.parse("2026-01-01T00:00:00Z");

    private DevicesScene cluster = new DevicesScene();
    /** By device, the pod that Berth bound with it. */
    private final Map<String, String> expected = new TreeMap<>();

    private int names;
    private boolean hurried;
    /** What operators do to affinities, beside all else. */
    private Random operators = new Random(0);

    @RandomHistories(count = 100)
    void aDeviceBelongsToThePodThatBerthBoundWithIt(long seed) {
        Random random = new Random(seed);
        operators = new Random(-seed);
        hurried = seed % 2 == 1;
        cluster = devicesTestCluster();
        cluster.upsert(aNode("n1").with("64 cpu")).upsert(aNode("n2").with("64 cpu"));
        DEVICES.forEach(name -> cluster.upsert(device(name, homeOf(name), "k80")));
        cluster.runUntilIdle();
        for (int step = 0; step < STEPS; step++) {
            act(random);
            editAffinity();
            for (String device : cluster.devices.keySet()) {
                assertThat(linkOf(device))
                        .as("seed %d, step %d, device %s", seed, step, device)
                        .isEqualTo(expected.getOrDefault(device, "//"));
                assertThat(cluster.devicePhase(device).equals(DeviceObjectStatus.AVAILABLE))
                        .as("seed %d, step %d, device %s can be had: %s", seed, step, device, cluster.device(device))
                        .isEqualTo(counts(device) && !expected.containsKey(device));
            }
            cluster.filter(
                    aPod("asks")
                            .asking("1 cpu")
                            .annotated(DeviceClaim.ANNOTATION, "c" + names)
                            .build(),
                    List.of("n1", "n2"));
            assertThat(expected.keySet().stream().map(this::idOf))
                    .as("seed %d, step %d: devices that pods use: %s", seed, step, expected)
                    .doesNotHaveDuplicates();
        }
    }

    private void act(Random random) {
        switch (random.nextInt(13)) {
            case 0, 1 -> come(random);
            case 9 -> comeWithTwoClaims();
            case 10 -> forgeALongRecordOnANewPod(random);
            case 11 -> claimTooMuch(random);
            case 2 -> one(pods(), random).forEach(this::go);
            case 3 -> forgeOnANewPod(random);
            case 4 -> one(pods(), random).forEach(pod -> rewrite(pod, "c%d=%s".formatted(names, any(random))));
            case 5 -> one(pods(), random).forEach(pod -> rewrite(pod, ""));
            case 6 -> restart(random);
            case 7 -> addDuplicate(random);
            case 8 ->
                one(unusedDuplicates(), random)
                        .forEach(name -> cluster.deleteDevice(name).runUntilIdle());
            default -> cluster.upsert(claim("c%d".formatted(++names), "k80", 1)).runUntilIdle();
        }
    }

    private void come(Random random) {
        names++;
        cluster.upsert(claim("c" + names, "k80", bothAreFree() && random.nextBoolean() ? 2 : 1));
        if (DEVICES.stream().noneMatch(this::isFree)) {
            assertThat(cluster.unschedulableMessage(coming("c" + names))).contains("less than pod needs");
            cluster.deletePod("p" + names).runUntilIdle();
            return;
        }
        bind("c" + names);
    }

    private boolean bothAreFree() {
        return isFree("er1") && isFree("er2");
    }

    /** Whether nobody has the device, by whatever object, and one of its objects says on which node it is. */
    private boolean isFree(String device) {
        return expected.keySet().stream().noneMatch(used -> idOf(used).equals(device))
                && cluster.devices.keySet().stream().anyMatch(name -> idOf(name).equals(device) && isSound(name));
    }

    private boolean isSound(String object) {
        return cluster.device(object).nodeTerms().size() == 1;
    }

    /** Whether of the objects of its device this one counts: the one that a pod has, else the first that is sound. */
    private boolean counts(String object) {
        List<String> same = cluster.devices.keySet().stream()
                .filter(name -> idOf(name).equals(idOf(object)))
                .toList();
        return same.stream()
                .filter(expected::containsKey)
                .findFirst()
                .or(() -> same.stream().filter(this::isSound).findFirst())
                .filter(object::equals)
                .isPresent();
    }

    /** An operator makes it match both nodes, or its own again. */
    private void editAffinity() {
        if (operators.nextInt(6) == 0) {
            String name = any(operators);
            String home = homeOf(idOf(name));
            Device device = cluster.device(name);
            cluster.upsert(isSound(name) ? moved(device, "n1", "n2") : moved(device, home))
                    .runUntilIdle();
        }
    }

    /** One takes any device, the other just the first, so that the one moves on. */
    private void comeWithTwoClaims() {
        if (counts("er1") && bothAreFree()) {
            names++;
            cluster.upsert(claim("c" + names, "k80", 1)).upsert(claimOn("named" + names, 0, "er1"));
            bind("c%d,named%1$d".formatted(names));
            assertThat(expected).containsEntry("er1", "default/named%d/p%1$d".formatted(names));
        }
    }

    private PodBuilder coming(String claims) {
        return aPod("p" + names)
                .asking("1 cpu")
                .annotated(DeviceClaim.ANNOTATION, claims)
                .with(made -> made.created(NEW));
    }

    private void bind(String claims) {
        Pod pod = cluster.scheduleAndBind(coming(claims));
        DeviceUse.recordedIn(pod.annotations())
                .orElseThrow()
                .byClaim()
                .forEach((claim, devices) -> devices.forEach(device -> {
                    assertThat(isSound(device))
                            .as("device %s of pod %s is on one node", device, pod)
                            .isTrue();
                    expected.put(device, "default/%s/%s".formatted(claim, pod.name()));
                }));
    }

    /** It names a claim that there may be, and as many devices as a pod can have, or more, some of them twice. */
    private void forgeALongRecordOnANewPod(Random random) {
        String claim = "c" + random.nextInt(names + 1);
        String others = IntStream.range(0, LONG - random.nextInt(5))
                .mapToObj(i -> "er" + i)
                .collect(Collectors.joining(","));
        cluster.upsert(aPod("p" + ++names)
                        .on("n1")
                        .annotated(DeviceClaim.ANNOTATION, claim)
                        .annotated(DeviceUse.ANNOTATION, "%s=%s,%s".formatted(claim, others, any(random)))
                        .with(made -> made.created(OLD)))
                .runUntilIdle();
    }

    /** No pod can have what these claims ask for; pods come that name them beside others. */
    private void claimTooMuch(Random random) {
        String[] many = IntStream.range(0, LONG).mapToObj(i -> "er" + i).toArray(String[]::new);
        String name = "c" + ++names;
        cluster.upsert(random.nextBoolean() ? claimOn(name, 0, many) : claim(name, "k80", LONG))
                .runUntilIdle();
        assertThat(cluster.unschedulableMessage(
                        aPod("p" + names).asking("1 cpu").annotated(DeviceClaim.ANNOTATION, name)))
                .as("what the author of a pod with a claim on too many devices reads")
                .contains("the maximum is 1000 devices per pod")
                .hasSizeLessThan(1_000);
        cluster.deletePod("p" + names).runUntilIdle();
    }

    private void go(Pod pod) {
        expected.values().removeIf(link -> link.endsWith("/" + pod.name()));
        cluster.deletePod(pod.uid().value()).runUntilIdle();
    }

    /** Its name is before or after that of the device's first object. */
    private void addDuplicate(Random random) {
        Device original = cluster.device(DEVICES.get(random.nextInt(DEVICES.size())));
        String name = (random.nextBoolean() ? "again-" : "other-") + original.name();
        if (!cluster.devices.containsKey(name)) {
            cluster.upsert(duplicate(name, original)).runUntilIdle();
        }
    }

    private List<String> unusedDuplicates() {
        return cluster.devices.keySet().stream()
                .filter(name -> !DEVICES.contains(name) && !expected.containsKey(name))
                .toList();
    }

    /** It claims nothing and is older than all others. */
    private void forgeOnANewPod(Random random) {
        String namespace = random.nextBoolean() ? "default" : "other";
        String record = "c%d=%s".formatted(random.nextInt(names + 1), any(random));
        cluster.upsert(aPod("%s/p%d".formatted(namespace, ++names))
                        .on("n1")
                        .annotated(DeviceUse.ANNOTATION, record)
                        .with(made -> made.created(OLD)))
                .runUntilIdle();
    }

    /** Its author rewrites the record, or removes all annotations. */
    private void rewrite(Pod pod, String record) {
        Labels annotations = record.isEmpty() ? Labels.NONE : Labels.of(DeviceUse.ANNOTATION, record);
        cluster.upsert(pod.toBuilder().annotations(annotations).build()).runUntilIdle();
    }

    private DevicesScene devicesTestCluster() {
        return hurried ? new DevicesScene().limitToOneObjectPerTurn() : new DevicesScene();
    }

    /** Another process finds what is there, in any order. */
    private void restart(Random random) {
        String unwritten = any(random);
        DevicesScene before = cluster;
        List<Pod> pods = new ArrayList<>(pods());
        Collections.shuffle(pods, random);
        cluster = devicesTestCluster();
        cluster.version = before.version;
        pods.forEach(cluster::upsert);
        before.devices
                .values()
                .forEach(device -> cluster.upsert(
                        device.name().equals(unwritten) && isRecorded(device, pods) ? unlinked(device) : device));
        before.claims.values().forEach(cluster::upsert);
        before.ledger().facts().nodes().forEach(cluster::upsert);
        cluster.runUntilIdle();
    }

    /** The object as it was before Berth wrote it. */
    private static Device unlinked(Device written) {
        return duplicate(written.name(), written);
    }

    /** Whether the record of the pod that has the device is as Berth wrote it. */
    private static boolean isRecorded(Device device, List<Pod> pods) {
        return pods.stream()
                .filter(pod -> pod.uid().value().equals(device.binding().podUid()))
                .anyMatch(pod -> pod.annotations().has(DeviceClaim.ANNOTATION));
    }

    private static String homeOf(String device) {
        return device.equals("er3") ? "n2" : "n1";
    }

    private List<Pod> pods() {
        return cluster.ledger().facts().pods();
    }

    private String any(Random random) {
        return List.copyOf(cluster.devices.keySet()).get(random.nextInt(cluster.devices.size()));
    }

    private static <T> List<T> one(List<T> all, Random random) {
        return all.isEmpty() ? List.of() : List.of(all.get(random.nextInt(all.size())));
    }

    private String idOf(String device) {
        return cluster.device(device).deviceId();
    }

    private String linkOf(String device) {
        Device.DeviceBinding deviceBinding = cluster.device(device).binding();
        return "%s/%s/%s".formatted(deviceBinding.claimNamespace(), deviceBinding.claimName(), deviceBinding.podUid());
    }
}
