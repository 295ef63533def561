package dev.berth.core.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.reconcile.OneObject.Write;
import dev.berth.core.testing.RandomHistories;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/**
 * An API server that denies, contradicts for no reason, loses objects and shows late: a slow model, which reads all that
 * ever happened, says at each step whether a write may be sent. Once the faults stop the object is what it should be.
 */
class RandomWritesTest {
    private static final int STEPS = 300;

    /** What happened, in order. */
    private sealed interface Event {
        record Sent(Write write) implements Event {}

        record Answered(Instant at, Write write, WriteResult.ResultKind kind) implements Event {}

        record Shown() implements Event {}

        record Calm() implements Event {}
    }

    private final List<Event> log = new ArrayList<>();
    private final Deque<Write> underway = new ArrayDeque<>();
    private OneObject object = OneObject.withVersions();
    /** What the server has, and whether the watch has shown it. */
    private int stored;

    private int version = 1;
    private boolean shown = true;

    @RandomHistories(count = 200)
    void aWriteIsSentExactlyWhenTheHistoryAllowsIt(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        object = OneObject.withVersions();
        for (int step = 0; step < STEPS; step++) {
            act(random, step);
            reconcile("seed %d, step %d".formatted(seed, step));
        }
        for (int i = 0; i < 20; i++) {
            while (!underway.isEmpty()) {
                answer(underway.poll(), WriteResult.ResultKind.WRITTEN);
            }
            show();
            object.advance(Duration.ofSeconds(61));
            reconcile("seed %d, quiet".formatted(seed));
        }
        assertThat(stored).as("seed %d", seed).isEqualTo(object.desired);
        assertThat(object.reconciler.nextWake()).as("seed %d", seed).isEmpty();
    }

    private void act(SplittableRandom random, int step) {
        switch (random.nextInt(8)) {
            case 0 -> object.desire(step);
            case 1, 2 -> show();
            case 3 -> {
                if (!underway.isEmpty()) {
                    answer(underway.poll(), WriteResult.ResultKind.WRITTEN);
                }
            }
            case 4 -> {
                if (!underway.isEmpty()) {
                    answer(underway.poll(), randomFault(random));
                }
            }
            case 5 -> store(1_000_000 + step);
            case 6 -> object.advance(Duration.ofSeconds(random.nextInt(70)));
            default -> object.advance(Duration.ofMillis(random.nextInt(3_000)));
        }
    }

    private static WriteResult.ResultKind randomFault(SplittableRandom random) {
        WriteResult.ResultKind[] kinds = {
            WriteResult.ResultKind.CONFLICT, WriteResult.ResultKind.DENIED, WriteResult.ResultKind.NOT_FOUND
        };
        return kinds[random.nextInt(kinds.length)];
    }

    private void answer(Write write, WriteResult.ResultKind wish) {
        WriteResult.ResultKind kind = wish;
        if (wish == WriteResult.ResultKind.WRITTEN) {
            if (write.version().equals("v" + version)) {
                store(write.value());
            } else {
                kind = WriteResult.ResultKind.CONFLICT;
            }
        }
        log.add(new Event.Answered(object.handle.now(), write, kind));
        object.answer(write, kind);
    }

    private void store(int value) {
        stored = value;
        version++;
        shown = false;
    }

    private void show() {
        if (!shown) {
            shown = true;
            log.add(new Event.Shown());
            object.observe("v" + version, stored);
        }
    }

    private void reconcile(String where) {
        boolean expected = object.seen != object.desired && allowed();
        if (object.seen == object.desired && allowed() && isSettled()) {
            log.add(new Event.Calm());
        }
        object.reconciler.markDirty(OneObject.KEY);
        object.reconciler.reconcile(object.handle);
        List<Write> sent = new ArrayList<>();
        for (Effect effect : object.handle.drain()) {
            if (effect instanceof Write write) {
                sent.add(write);
                underway.add(write);
                log.add(new Event.Sent(write));
            }
        }
        assertThat(!sent.isEmpty()).as(where).isEqualTo(expected);
    }

    /** By what the whole log says: what became of the latest write, and for how long in a row that was nothing. */
    private boolean allowed() {
        int last = lastSent(log.size());
        if (last < 0) {
            return true;
        }
        Write write = ((Event.Sent) log.get(last)).write();
        int answer = answerTo(write, last);
        boolean newer = log.subList(last, log.size()).stream().anyMatch(Event.Shown.class::isInstance);
        if (answer < 0) {
            return newer;
        }
        Event.Answered answered = (Event.Answered) log.get(answer);
        boolean newerSince = log.subList(answer, log.size()).stream().anyMatch(Event.Shown.class::isInstance);
        boolean ends =
                answered.kind() == WriteResult.ResultKind.WRITTEN || answered.kind() == WriteResult.ResultKind.CONFLICT;
        if (newerSince || (newer && ends)) {
            return true;
        }
        long pause = pause(answered.kind(), failuresUpTo(answer));
        return !object.handle.now().isBefore(answered.at().plusSeconds(pause));
    }

    private static long pause(WriteResult.ResultKind kind, int failures) {
        boolean echo = kind == WriteResult.ResultKind.WRITTEN || kind == WriteResult.ResultKind.NOT_FOUND;
        return Math.min(60, (echo ? 10L : 1L) << Math.min(failures - 1, 10));
    }

    /** The answers to writes that were the latest then, back to the moment from which failures are counted. */
    private int failuresUpTo(int answered) {
        int failures = 0;
        for (int i = answered;
                i >= 0 && !(log.get(i) instanceof Event.Shown || log.get(i) instanceof Event.Calm);
                i--) {
            if (log.get(i) instanceof Event.Answered one && isLatest(i, one)) {
                failures++;
            }
        }
        return failures;
    }

    /** Nothing is wanted, nothing is waited for, and no denial stands: what failed before does not count any more. */
    private boolean isSettled() {
        for (int i = log.size() - 1; i >= 0; i--) {
            if (log.get(i) instanceof Event.Answered one
                    && one.kind() != WriteResult.ResultKind.CONFLICT
                    && isLatest(i, one)) {
                return one.kind() != WriteResult.ResultKind.DENIED;
            }
        }
        return true;
    }

    private boolean isLatest(int at, Event.Answered one) {
        return log.get(lastSent(at)) instanceof Event.Sent sent && sent.write().equals(one.write());
    }

    private int lastSent(int before) {
        for (int i = before - 1; i >= 0; i--) {
            if (log.get(i) instanceof Event.Sent) {
                return i;
            }
        }
        return -1;
    }

    private int answerTo(Write write, int from) {
        for (int i = from; i < log.size(); i++) {
            if (log.get(i) instanceof Event.Answered answered
                    && answered.write().equals(write)) {
                return i;
            }
        }
        return -1;
    }
}
