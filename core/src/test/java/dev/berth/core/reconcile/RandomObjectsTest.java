package dev.berth.core.reconcile;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.effect.Effect;
import dev.berth.core.effect.Effect.RecordEvent;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.framework.Handle;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.reconcile.TestObjects.ObservedObject;
import dev.berth.core.reconcile.TestObjects.StatusWrite;
import dev.berth.core.testing.RandomHistories;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Objects that users create, edit and delete, an API server that denies, contradicts and shows late, and turns without
 * time. After each step the controller, which looks at changed objects alone, must have put, sent and reported the same as
 * a model that looks at every object in every step. Once the faults stop, all objects are as they should be.
 */
class RandomObjectsTest {
    private static final int STEPS = 200;

    private SplittableRandom random = new SplittableRandom(0);
    private final RecordingDoorHandle handle = new RecordingDoorHandle();
    private final TestObjects door = new TestObjects();
    private final FullScan model = new FullScan();
    /** What the API server has, and what the watch has to show of it. */
    private final Map<String, ObservedObject> stored = new TreeMap<>();

    private final Set<String> unshown = new HashSet<>();
    private final List<StatusWrite> inFlight = new ArrayList<>();
    private int created;
    private int versions = 1;

    @RandomHistories(count = 200)
    void theControllerDoesWhatAModelThatScansAllObjectsDoes(long seed) {
        random = new SplittableRandom(seed);
        play("seed %d".formatted(seed));
    }

    private void play(String seed) {
        for (int step = 0; step < STEPS; step++) {
            handle.outOfTime = random.nextBoolean();
            act();
            compare("%s, step %d".formatted(seed, step));
        }
        for (int i = 0; i < 20; i++) {
            List.copyOf(inFlight).forEach(write -> answer(write, WriteResult.ResultKind.WRITTEN));
            List.copyOf(unshown).forEach(this::show);
            advance(Duration.ofSeconds(61));
            compare(seed + ", quiet");
        }
        stored.values()
                .forEach(object -> assertThat(object.status()).as(seed).isEqualTo(object.desiredStatus(handle.now())));
        assertThat(door.controller.nextWake()).as(seed).isEmpty();
    }

    private void act() {
        switch (random.nextInt(10)) {
            case 0 -> create();
            case 1 -> pick().ifPresent(this::edit);
            case 2 -> {
                if (random.nextInt(4) == 0) {
                    pick().ifPresent(this::delete);
                }
            }
            case 3, 4 -> unshown.stream().sorted().findFirst().ifPresent(this::show);
            case 5, 6 -> pickInFlight().ifPresent(write -> answer(write, WriteResult.ResultKind.WRITTEN));
            case 7 -> pickInFlight().ifPresent(write -> answer(write, fault()));
            case 8 -> advance(Duration.ofSeconds(random.nextInt(70)));
            default -> advance(Duration.ofMillis(random.nextInt(3_000)));
        }
    }

    private Optional<String> pick() {
        return stored.isEmpty()
                ? Optional.empty()
                : stored.keySet().stream().skip(random.nextInt(stored.size())).findFirst();
    }

    private Optional<StatusWrite> pickInFlight() {
        return inFlight.isEmpty() ? Optional.empty() : Optional.of(inFlight.get(random.nextInt(inFlight.size())));
    }

    private WriteResult.ResultKind fault() {
        WriteResult.ResultKind[] kinds = {
            WriteResult.ResultKind.CONFLICT, WriteResult.ResultKind.DENIED, WriteResult.ResultKind.NOT_FOUND
        };
        return kinds[random.nextInt(kinds.length)];
    }

    private void create() {
        boolean versioned = random.nextBoolean();
        store(randomObject("o%d".formatted(created++), versioned ? "v0" : ""));
    }

    private ObservedObject randomObject(String uid, String version) {
        List<String> problems = Stream.of("a", "b", "c")
                .filter(problem -> random.nextInt(4) == 0)
                .toList();
        Optional<Instant> deadline =
                random.nextInt(3) == 0 ? Optional.of(handle.now().plusSeconds(random.nextInt(100))) : Optional.empty();
        return new ObservedObject(uid, version, random.nextInt(4), 0, problems, deadline);
    }

    private void edit(String uid) {
        ObservedObject before = requireNonNull(stored.get(uid));
        store(randomObject(uid, before.version()).withStatus(before.status()));
    }

    private void store(ObservedObject object) {
        versions++;
        ObservedObject next = object.version().isEmpty() ? object : object.withVersion("v" + versions);
        stored.put(object.uid(), next);
        unshown.add(object.uid());
    }

    private void delete(String uid) {
        stored.remove(uid);
        unshown.add(uid);
    }

    private void show(String uid) {
        unshown.remove(uid);
        ObservedObject object = stored.get(uid);
        if (object == null) {
            door.controller.remove(uid, handle);
            model.objects.remove(uid);
        } else {
            door.controller.upsert(uid, object, handle);
            model.upsert(object);
        }
    }

    private void answer(StatusWrite write, WriteResult.ResultKind wish) {
        inFlight.remove(write);
        WriteResult.ResultKind kind = wish;
        ObservedObject object = stored.get(write.uid());
        if (object == null) {
            kind = WriteResult.ResultKind.NOT_FOUND;
        } else if (wish == WriteResult.ResultKind.WRITTEN && !object.version().equals(write.version())) {
            kind = WriteResult.ResultKind.CONFLICT;
        } else if (wish == WriteResult.ResultKind.WRITTEN) {
            store(object.withStatus(write.status()));
        }
        WriteResult result = new WriteResult(kind, kind == WriteResult.ResultKind.WRITTEN ? "" : "because");
        door.controller.onWriteResult(write, result, handle);
        model.onWriteResult(write, result);
    }

    private void advance(Duration time) {
        handle.clock.advance(time);
        model.handle.clock.advance(time);
    }

    private void compare(String when) {
        while (!door.controller.reconcile(handle)) {
            assertThat(handle.outOfTime).as(when).isTrue();
        }
        model.reconcile();
        List<Effect> effects = handle.drain();
        assertThat(effects).as(when).containsExactlyInAnyOrderElementsOf(model.handle.drain());
        assertThat(handle.holds).as(when).isEqualTo(model.holds());
        assertThat(door.controller.invalidObjects()).as(when).isEqualTo(model.invalidObjects());
        assertThat(door.controller.retryingWrites()).as(when).isEqualTo(model.retryingWrites());
        assertThat(door.controller.nextWake()).as(when).isEqualTo(model.nextWake());
        for (Effect effect : effects) {
            if (effect instanceof StatusWrite write) {
                inFlight.add(write);
            }
        }
    }

    /** Looks at every object in every step, each by a reconciler of its own. */
    private static final class FullScan {
        private final RecordingDoorHandle handle = new RecordingDoorHandle();
        private final Map<String, ScannedObject> objects = new TreeMap<>();

        private static final class ScannedObject implements DesiredWrites<String, StatusWrite> {
            private final Reconciler<String, StatusWrite> reconciler = new Reconciler<>(this);
            private ObservedObject observed;
            private List<String> problemsBefore = List.of();

            private ScannedObject(ObservedObject observed) {
                this.observed = observed;
            }

            @Override
            public String observedVersion(String uid) {
                return observed.version();
            }

            @Override
            public Optional<StatusWrite> desiredWrite(String uid, Handle handle) {
                return TestObjects.writeOf(observed, handle.now());
            }

            @Override
            public EventTarget eventTarget(StatusWrite write) {
                return TestObjects.targetOf(write.uid());
            }

            @Override
            public String denialConsequence(StatusWrite write) {
                return "The status stays %d.".formatted(observed.status());
            }
        }

        void upsert(ObservedObject object) {
            objects.computeIfAbsent(object.uid(), uid -> new ScannedObject(object)).observed = object;
        }

        void onWriteResult(StatusWrite write, WriteResult result) {
            Optional.ofNullable(objects.get(write.uid()))
                    .ifPresent(object -> object.reconciler.onResult(write.uid(), write, result, handle));
        }

        void reconcile() {
            objects.forEach((uid, object) -> {
                for (String problem : object.observed.problems()) {
                    if (!object.problemsBefore.contains(problem)) {
                        handle.write(new RecordEvent(TestObjects.targetOf(uid), TestObjects.INVALID, problem));
                    }
                }
                object.problemsBefore = object.observed.problems();
                object.reconciler.markDirty(uid);
                object.reconciler.reconcile(handle);
            });
        }

        Map<HoldId, Hold> holds() {
            Map<HoldId, Hold> holds = new TreeMap<>();
            objects.values()
                    .forEach(object -> TestObjects.holdsOf(object.observed, handle.now())
                            .forEach(hold -> holds.put(hold.id(), hold)));
            return holds;
        }

        int invalidObjects() {
            return (int) objects.values().stream()
                    .filter(object -> !object.observed.problems().isEmpty())
                    .count();
        }

        int retryingWrites() {
            return objects.values().stream()
                    .mapToInt(object -> object.reconciler.retryingCount())
                    .sum();
        }

        Optional<Instant> nextWake() {
            return objects.values().stream()
                    .flatMap(object -> Stream.concat(
                            object.reconciler.nextWake().stream(),
                            object.observed.deadline().stream().filter(at -> at.isAfter(handle.now()))))
                    .min(Instant::compareTo);
        }
    }
}
