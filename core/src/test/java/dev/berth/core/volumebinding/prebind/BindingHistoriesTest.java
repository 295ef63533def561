package dev.berth.core.volumebinding.prebind;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.volumebinding.PersistentVolumeBuilder.aVolume;
import static dev.berth.core.volumebinding.PersistentVolumeClaimBuilder.aClaim;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.testing.RandomSeeds;
import dev.berth.core.volumebinding.PersistentVolume;
import dev.berth.core.volumebinding.PersistentVolumeClaim;
import dev.berth.core.volumebinding.StorageClass;
import dev.berth.core.volumebinding.VolumeWrite;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Pods compete for local volumes while responses get lost, writes are denied, conflict or are not shown, volumes
 * change, pods are deleted, and controllers are slow. No pod is bound before its volumes are, and no volume goes to two
 * claims. In the end every pod that can be bound is bound where its volume is.
 */
class BindingHistoriesTest {
    @Test
    void everyPodThatCanHaveItsVolumeGetsItInTheEnd() {
        AtomicInteger bound = new AtomicInteger();
        RandomSeeds.forEach(0, 40, seed -> bound.addAndGet(new History(seed).live(80)));
        RandomSeeds.checkOverAll(() -> assertThat(bound.get())
                .as("pods that were bound in all histories")
                .isGreaterThan(100));
    }

    @Test
    @Tag("long")
    void everyPodThatCanHaveItsVolumeGetsItInTheEndInLongRuns() {
        AtomicInteger bound = new AtomicInteger();
        RandomSeeds.forEach(1000, 5000, seed -> bound.addAndGet(new History(seed).live(200)));
        RandomSeeds.checkOverAll(() -> assertThat(bound.get())
                .as("pods that were bound in all histories")
                .isGreaterThan(5000));
    }

    private static final class History {
        private final long seed;
        private final Random random;
        private final VolumeBindingScene scene = new VolumeBindingScene();
        private final Map<String, Pod> pods = new TreeMap<>();
        private final Map<String, String> hosts = new HashMap<>();
        private int born;

        History(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            if (seed % 2 == 1) {
                scene.limitToOneObjectPerTurn();
            }
            scene.upsert(new StorageClass("local", "class", "kubernetes.io/no-provisioner", true, List.of()));
            for (String node : List.of("n1", "n2", "n3")) {
                scene.upsert(aNode(node).with("64 cpu"));
            }
        }

        /** How many pods are bound in the end. */
        int live(int steps) {
            for (int step = 0; step < steps; step++) {
                act();
                scene.run();
                check(step);
            }
            comeToRest();
            return scene.bound.size();
        }

        private void act() {
            switch (random.nextInt(10)) {
                case 0 -> {
                    String name = "v" + born;
                    hosts.put(name, "n" + (1 + random.nextInt(3)));
                    scene.upsert(aVolume(name).ofClass("local").on(hosts.get(name)));
                    born++;
                }
                case 1, 2 -> {
                    scene.upsert(aClaim("c" + born).ofClass("local"));
                    Pod pod = aPod("p" + born)
                            .mounting("c" + born)
                            .asking("1 cpu")
                            .build();
                    pods.put(pod.name(), pod);
                    scene.upsert(pod);
                    born++;
                }
                case 3 -> answer(true);
                case 4 -> answer(false);
                case 5 -> control();
                case 6 -> disturb();
                case 7 -> delete();
                case 8 -> refuse();
                default -> scene.advance(Duration.ofSeconds(random.nextInt(4) == 0 ? 700 : 3));
            }
            confirm();
        }

        /** One write is carried out; its answer comes, or gets lost so that it is sent once more. */
        private void answer(boolean arrives) {
            if (scene.sent.isEmpty()) {
                return;
            }
            VolumeWrite write = (VolumeWrite) scene.sent.remove(random.nextInt(scene.sent.size()));
            WriteResult writeResult = scene.perform(write);
            scene.scheduler().onWriteResult(write, arrives ? writeResult : scene.perform(write), scene.clock.instant());
        }

        /** One write is not carried out, for no reason that shows, or its echo is late. */
        private void refuse() {
            if (scene.sent.isEmpty()) {
                return;
            }
            VolumeWrite write = (VolumeWrite) scene.sent.remove(random.nextInt(scene.sent.size()));
            WriteResult.ResultKind[] kinds = WriteResult.ResultKind.values();
            scene.scheduler()
                    .onWriteResult(
                            write,
                            new WriteResult(kinds[random.nextInt(kinds.length)], "for no reason"),
                            scene.clock.instant());
        }

        private void control() {
            scene.volumes.values().stream()
                    .filter(volume -> volume.state().claimRef().isPresent()
                            && volume.state().available())
                    .findFirst()
                    .ifPresent(volume -> scene.controllerBinds(volume.name()));
        }

        /** A different client changes a volume. */
        private void disturb() {
            List<PersistentVolume> volumes = List.copyOf(scene.volumes.values());
            if (!volumes.isEmpty()) {
                PersistentVolume volume = volumes.get(random.nextInt(volumes.size()));
                scene.change(volume, volume.state());
            }
        }

        private void delete() {
            List<String> names = List.copyOf(pods.keySet());
            if (!names.isEmpty()) {
                String name = names.get(random.nextInt(names.size()));
                pods.remove(name);
                scene.bound.remove(name);
                scene.deletePod(name);
            }
        }

        /** The watch shows what is bound. */
        private void confirm() {
            scene.bound.forEach((name, node) -> {
                Pod pod = pods.get(name);
                if (pod != null && pod.nodeName().isEmpty()) {
                    Pod there = pod.boundTo(node);
                    pods.put(name, there);
                    scene.scheduler().apply(new Fact.PodUpserted(there), scene.clock.instant());
                    scene.scheduler().onBound(new Effect.Bind(Effect.PodRef.of(there), node, Map.of()));
                }
            });
        }

        private void check(int step) {
            scene.bound.forEach((name, node) -> {
                PersistentVolumeClaim claim = scene.claim(name.replace('p', 'c'));
                assertThat(claim.isBound())
                        .as("seed %d, step %d: %s is bound before its volume", seed, step, name)
                        .isTrue();
                assertThat(hosts.get(claim.state().volumeName()))
                        .as("seed %d, step %d: %s is where its volume is", seed, step, name)
                        .isEqualTo(node);
            });
            Set<String> taken = new HashSet<>();
            scene.claims.values().stream()
                    .map(claim -> claim.state().volumeName())
                    .filter(volume -> !volume.isEmpty())
                    .forEach(volume -> assertThat(taken.add(volume))
                            .as("seed %d, step %d: %s has two claims", seed, step, volume)
                            .isTrue());
        }

        private void comeToRest() {
            for (int round = 0; round < 400; round++) {
                answer(true);
                control();
                scene.advance(Duration.ofSeconds(2));
                confirm();
            }
            check(-1);
            long free = scene.volumes.values().stream()
                    .filter(volume -> volume.state().claimRef().isEmpty())
                    .count();
            List<String> unbound = pods.values().stream()
                    .filter(pod -> pod.nodeName().isEmpty())
                    .map(Pod::name)
                    .toList();
            assertThat(free == 0 || unbound.isEmpty())
                    .as("seed %d: %d volumes are free and nobody has them: %s wait", seed, free, unbound)
                    .isTrue();
            for (String name : unbound) {
                assertThat(scene.ledger().assumption(new PodUid(name)))
                        .as("seed %d: %s has no place", seed, name)
                        .isEqualTo(Optional.empty());
            }
        }
    }
}
