package dev.berth.core.volumebinding.filter;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.volumebinding.PersistentVolumeBuilder.aVolume;
import static dev.berth.core.volumebinding.PersistentVolumeClaimBuilder.aClaim;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodVolumes.Disk;
import dev.berth.core.cluster.PodVolumes.DiskKind;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.CycleState;
import dev.berth.core.placement.filter.HoldVisibility;
import dev.berth.core.placement.filter.RequiredNodeNames;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.testing.HoldBuilder;
import dev.berth.core.testing.NodeBuilder;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.RandomSeeds;
import dev.berth.core.volumebinding.CsiDriver;
import dev.berth.core.volumebinding.CsiNode;
import dev.berth.core.volumebinding.CsiStorageCapacity;
import dev.berth.core.volumebinding.PersistentVolume;
import dev.berth.core.volumebinding.PersistentVolumeBuilder;
import dev.berth.core.volumebinding.PersistentVolumeClaim;
import dev.berth.core.volumebinding.PersistentVolumeClaimBuilder;
import dev.berth.core.volumebinding.StorageClass;
import dev.berth.core.volumebinding.StorageIndex;
import dev.berth.core.volumebinding.StorageObject;
import dev.berth.core.volumebinding.VolumeAttachment;
import dev.berth.core.volumebinding.filter.SlowVolumePlugins.Attempt;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The indexed rules against the obvious ones, over random histories of objects and pods. */
class VolumePluginsMatchSlowVolumePluginsTest {
    private static final String DRIVER = "disks.example.com";
    private static final List<String> CLASSES = List.of("", "now", "local", "made");

    @Test
    void volumePluginsSayWhatSlowVolumePluginsSay() {
        Map<String, Integer> seen = new TreeMap<>();
        RandomSeeds.forEach(0, 25, seed -> new RandomVolumes(seed).live(120, seen));
        RandomSeeds.checkOverAll(() -> assertThat(seen.keySet())
                .as("what the histories led to: %s", seen)
                .contains(
                        "",
                        "node(s) had no available disk",
                        "node(s) exceed max volume count",
                        "node(s) didn't match PersistentVolume's node affinity",
                        "node(s) didn't find available persistent volumes to bind",
                        "node(s) did not have enough free storage",
                        "node(s) had no available volume zone",
                        "pod has unbound immediate PersistentVolumeClaims",
                        "held: node(s) had no available disk",
                        "held: node(s) exceed max volume count",
                        "held: node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode"
                                + " already in-use by another pod",
                        "feasible only with its hold"));
    }

    @Test
    @Tag("long")
    void volumePluginsSayWhatSlowVolumePluginsSayInLongRuns() {
        Map<String, Integer> seen = new TreeMap<>();
        RandomSeeds.forEach(1000, 3000, seed -> new RandomVolumes(seed).live(300, seen));
        assertThat(seen).isNotEmpty();
    }

    private static final class RandomVolumes {
        private final long seed;
        private final Random random;
        private final Ledger ledger = new Ledger();
        private final StorageIndex storageIndex = new StorageIndex();
        private final VolumeClaimUsers volumeClaimUsers = new VolumeClaimUsers(ledger);
        private final VolumePlugins check = new VolumePlugins(
                ledger, storageIndex, AssumedVolumes.NONE, volumeClaimUsers, Set.of("default-scheduler"));
        private final Map<String, StorageObject> objects = new TreeMap<>();
        private final Map<String, Pod> pods = new HashMap<>();
        private final Map<HoldId, Hold> holds = new TreeMap<>();

        RandomVolumes(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            for (int i = 0; i < 4; i++) {
                NodeBuilder node = aNode("n" + i).with("100 cpu");
                if (i > 0) {
                    node.inZone(i == 1 ? "a" : "b");
                }
                ledger.put(node.build());
            }
            put(new StorageClass("now", "class-now", DRIVER, false, List.of()));
            put(new StorageClass("local", "class-local", "kubernetes.io/no-provisioner", true, List.of()));
            put(new StorageClass("made", "class-made", DRIVER, true, List.of()));
        }

        void live(int steps, Map<String, Integer> seen) {
            for (int step = 0; step < steps; step++) {
                change();
                compare(candidate(step), false, step, seen);
                compare(reservation(), true, step, seen);
            }
        }

        private void change() {
            switch (random.nextInt(14)) {
                case 0, 1, 2 -> put(volume());
                case 3, 4, 5 -> put(claim());
                case 6 -> put(new CsiNode(any("n0", "n1", "n2"), "csinode-" + random.nextInt(3), limits(), Set.of()));
                case 7 -> put(new CsiDriver(DRIVER, "driver", random.nextBoolean()));
                case 8 -> put(new CsiStorageCapacity("capacity-" + random.nextInt(3), "made", topology(), largest()));
                case 9 -> {
                    int number = random.nextInt(4);
                    put(new VolumeAttachment(
                            "a" + number,
                            "attachment-" + number,
                            any(DRIVER, ""),
                            any("n0", "n1"),
                            Optional.of(volumeName())));
                }
                case 10 -> remove();
                case 11, 12 -> hold();
                default -> pod();
            }
        }

        private Map<String, Long> limits() {
            return random.nextInt(4) == 0 ? Map.of() : Map.of(DRIVER, (long) random.nextInt(3));
        }

        private Optional<LabelSelector> topology() {
            return random.nextInt(4) == 0
                    ? Optional.empty()
                    : Optional.of(LabelSelector.of(Labels.of(Node.ZONE_LABEL, any("a", "b"))));
        }

        private Optional<Long> largest() {
            return random.nextInt(4) == 0 ? Optional.empty() : Optional.of((1L + random.nextInt(3)) << 30);
        }

        private void put(StorageObject object) {
            storageIndex.put(object);
            // Of two of one name the last one seen is the one there is.
            objects.values()
                    .removeIf(known ->
                            !known.uid().equals(object.uid()) && name(known).equals(name(object)));
            objects.put(object.uid(), object);
        }

        private static String name(StorageObject object) {
            if (object instanceof PersistentVolumeClaim claim) {
                return "claim " + claim.key();
            }
            if (object instanceof PersistentVolume volume) {
                return "volume " + volume.name();
            }
            return object instanceof CsiNode node ? "node " + node.name() : object.uid();
        }

        private void remove() {
            if (random.nextInt(3) == 0) {
                // News that a namesake of something went must not take the present one away.
                storageIndex.remove("claim-c0-old");
                objects.remove("claim-c0-old");
                return;
            }
            List<String> uids = List.copyOf(objects.keySet());
            String uid = uids.get(random.nextInt(uids.size()));
            if (!uid.startsWith("class-") || random.nextInt(5) == 0) {
                storageIndex.remove(uid);
                objects.remove(uid);
            }
        }

        private PersistentVolume volume() {
            PersistentVolumeBuilder volume = aVolume(volumeName())
                    .ofClass(any(CLASSES.toArray(new String[0])))
                    .sized(any("1Gi", "1Gi", "2Gi", "3Gi"))
                    .withAccessModes(random.nextInt(4) == 0 ? "ReadWriteMany" : "ReadWriteOnce");
            switch (random.nextInt(4)) {
                case 0 -> volume.on(any("n0", "n1"), any("n2", "n3"));
                case 1 -> volume.where(Node.ZONE_LABEL, any("a", "b"));
                case 2 -> volume.on("n1").where(Node.ZONE_LABEL, "b");
                default -> {}
            }
            sometimes(3, () -> volume.labelled(Node.ZONE_LABEL, any("a", "b", "a__b")));
            sometimes(2, () -> volume.ofDriver(DRIVER));
            sometimes(8, volume::asBlock);
            sometimes(8, volume::deleting);
            sometimes(6, volume::unavailable);
            sometimes(8, () -> volume.ofAttributes("fast"));
            sometimes(6, () -> volume.reservedFor(claimName()));
            sometimes(6, () -> volume.boundTo(aClaim(claimName()).build()));
            sometimes(4, () -> volume.labelled("colour", "blue"));
            return volume.build();
        }

        private PersistentVolumeClaim claim() {
            PersistentVolumeClaimBuilder claim = aClaim(claimName())
                    .ofClass(any(CLASSES.toArray(new String[0])))
                    .asking(any("1Gi", "2Gi"))
                    .withAccessModes(any("ReadWriteOnce", "ReadWriteOnce", "ReadWriteOncePod", "ReadWriteMany"));
            switch (random.nextInt(6)) {
                case 0, 1 -> claim.boundTo(volumeName());
                case 2 -> claim.withVolumeName(volumeName());
                case 3 -> claim.withSelectedNode(any("n0", "n1", "n2"));
                default -> {}
            }
            sometimes(10, claim::lost);
            sometimes(10, claim::deleting);
            sometimes(8, claim::asBlock);
            sometimes(6, () -> claim.selecting("colour", "blue"));
            sometimes(8, claim::askingForNoSize);
            sometimes(2, () -> claim.ownedBy("p" + random.nextInt(4)));
            sometimes(8, () -> claim.uid(claim.build().uid() + "-old"));
            return claim.build();
        }

        private void sometimes(int outOf, Runnable change) {
            if (random.nextInt(outOf) == 0) {
                change.run();
            }
        }

        private void pod() {
            int number = random.nextInt(6);
            String name = "there-" + number;
            Pod known = pods.remove(name);
            if (known != null) {
                volumeClaimUsers.remove(known);
                ledger.removePod(known.uid());
            } else {
                PodBuilder pod = mounts(aPod(name).asking("1m cpu").labelled("app", any("web", "db")));
                sometimes(3, () -> pod.using("h" + random.nextInt(3)));
                if (random.nextInt(5) > 0) {
                    pod.on(any("n0", "n1", "n2"));
                }
                Pod there = pod.build();
                ledger.put(there);
                pods.put(name, there);
                volumeClaimUsers.add(there);
            }
        }

        /** A hold is put, changed or removed. Pods on its node may use it, and some of them back it. */
        private void hold() {
            HoldId id = new HoldId("h" + random.nextInt(3));
            if (random.nextInt(4) == 0) {
                ledger.removeHold(id);
                holds.remove(id);
                return;
            }
            PodBuilder standIn = aPod("reserve-" + id.value());
            sometimes(2, () -> standIn.mounting(claimName()));
            sometimes(2, () -> standIn.mounting(claimName()));
            sometimes(2, () -> standIn.mountingEphemeralOfClass(any("made", "made", "now", "local", "unknown")));
            sometimes(5, () -> standIn.mounting(disk()));
            HoldBuilder hold = aHold(id.value())
                    .on(any("n0", "n1", "n2", "unknown"))
                    .keeping("1m cpu")
                    .countingAs(standIn);
            hold.forPodsLabelled("app", any("web", "web", "nobody"));
            sometimes(4, hold::allocateOnce);
            sometimes(6, hold::closed);
            sometimes(6, () -> hold.backedBy("there-" + random.nextInt(6)));
            ledger.put(hold.build());
            holds.put(id, hold.build());
        }

        private PodBuilder mounts(PodBuilder pod) {
            sometimes(2, () -> pod.mounting(claimName()));
            sometimes(2, () -> pod.mounting(claimName()));
            sometimes(6, () -> pod.mountingEphemeral("scratch"));
            sometimes(8, () -> pod.mounting(disk()));
            return pod;
        }

        private Disk disk() {
            DiskKind kind = any(DiskKind.AWS_EBS, DiskKind.GCE_PD, DiskKind.ISCSI, DiskKind.RBD);
            List<String> monitors =
                    kind == DiskKind.RBD ? List.of(any("m1", "m2"), "m3" + random.nextInt(2)) : List.of();
            return new Disk(kind, any("d1", "d2"), monitors, random.nextBoolean());
        }

        private Pod candidate(int step) {
            PodBuilder pod = mounts(aPod("p" + random.nextInt(4)).labelled("app", any("web", "db")));
            pod.uid(step % 2 == 0 ? pod.build().name() : "p0");
            return pod.build();
        }

        /** A reservation is placed for the first time, or it moves and has a hold already. */
        private Pod reservation() {
            PodBuilder pod = aPod("reserve-h" + random.nextInt(4)).labelled("app", "web");
            sometimes(2, () -> pod.mounting(claimName()));
            sometimes(2, () -> pod.mountingEphemeralOfClass(any("made", "now")));
            sometimes(6, () -> pod.mounting(disk()));
            return pod.build();
        }

        private void compare(Pod pod, boolean request, int step, Map<String, Integer> seen) {
            if (!check.appliesTo(pod)) {
                return;
            }
            SlowVolumePlugins slow = new SlowVolumePlugins(ledger, objects.values(), pods.values(), holds.values());
            Optional<String> preFilterVeto = slow.preFilter(pod);
            assertThat(check.preFilter(pod).map(Veto::message))
                    .as("seed %d, step %d, pod %s of %s", seed, step, pod, objects)
                    .isEqualTo(preFilterVeto);
            preFilterVeto.ifPresent(words -> seen.merge(words, 1, Integer::sum));
            CycleState cycle = new CycleState(
                    pod,
                    RequiredNodeNames.UNRESTRICTED,
                    new HoldVisibility(
                            request ? List.of() : ledger.rulesAdmitting(pod),
                            pod.spec().reservations().ignored()));
            for (int slot = 0; slot < ledger.slotBound(); slot++) {
                NodeState state = ledger.nodeAt(slot).orElseThrow();
                boolean withoutHold =
                        compareOn(state, cycle, new Attempt(pod, request, Optional.empty()), slow, step, seen);
                for (Hold hold : request
                        ? List.<Hold>of()
                        : ledger.claimableHolds(state, cycle.visibility().ownerRules())) {
                    boolean withHold =
                            compareOn(state, cycle, new Attempt(pod, false, Optional.of(hold)), slow, step, seen);
                    if (withHold && !withoutHold) {
                        seen.merge("feasible only with its hold", 1, Integer::sum);
                    }
                }
            }
        }

        /** Returns whether the node is feasible. */
        private boolean compareOn(
                NodeState state,
                CycleState cycle,
                Attempt attempt,
                SlowVolumePlugins slow,
                int step,
                Map<String, Integer> seen) {
            Pod pod = attempt.pod();
            Optional<String> preFilterVeto = slow.preFilter(pod);
            List<Veto> vetoes = check.vetoes(cycle, state, attempt.hold());
            Set<String> fast = vetoes.stream().map(Veto::message).collect(Collectors.toCollection(TreeSet::new));
            Set<String> expected =
                    preFilterVeto.isPresent() ? Set.of(preFilterVeto.get()) : slow.messages(attempt, state);
            assertThat(fast)
                    .as(
                            "seed %d, step %d, %s with %s on %s of %s and %s",
                            seed, step, attempt, pod.volumes(), state.node().name(), objects, holds)
                    .isEqualTo(expected);
            seen.merge(String.join(" and ", fast), 1, Integer::sum);
            vetoes.stream()
                    .filter(veto -> !veto.blockingHolds().isEmpty())
                    .forEach(veto -> seen.merge("held: " + veto.message(), 1, Integer::sum));
            return fast.isEmpty();
        }

        private String volumeName() {
            return "v" + random.nextInt(6);
        }

        private String claimName() {
            return "c" + random.nextInt(5);
        }

        @SafeVarargs
        private <T> T any(T... values) {
            return values[random.nextInt(values.length)];
        }
    }
}
