package dev.berth.core.reconcile;

import static dev.berth.core.effect.WriteResult.ResultKind.CONFLICT;
import static dev.berth.core.effect.WriteResult.ResultKind.DENIED;
import static dev.berth.core.effect.WriteResult.ResultKind.NOT_FOUND;
import static dev.berth.core.effect.WriteResult.ResultKind.WRITTEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.reconcile.OneObject.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReconcilerTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Write FIRST = new Write("v1", 1);
    private static final Write BARE = new Write("", 1);

    /**
     * Every state of an object whose writes have a version, with every event: whether a write is sent. The value 2 is wanted
     * in "other" and "newer"; nothing is wanted in "none".
     */
    @ParameterizedTest(name = "{0} + {1}: {2}")
    @CsvSource({
        "idle, none, -",
        "idle, same, 1",
        "idle, other, 2",
        "idle, newer, 2",
        "idle, soon, 1",
        "idle, late, 1",
        "in flight, none, -",
        "in flight, same, -",
        "in flight, other, -",
        "in flight, newer, 2",
        "in flight, soon, -",
        "in flight, late, -",
        "written, none, -",
        "written, same, -",
        "written, other, -",
        "written, newer, 2",
        "written, soon, -",
        "written, late, 1",
        "gone, none, -",
        "gone, same, -",
        "gone, other, -",
        "gone, newer, 2",
        "gone, soon, -",
        "gone, late, 1",
        "conflict, none, -",
        "conflict, same, -",
        "conflict, other, -",
        "conflict, newer, 2",
        "conflict, soon, 1",
        "conflict, late, 1",
        "denied, none, -",
        "denied, same, -",
        "denied, other, -",
        "denied, newer, 2",
        "denied, soon, 1",
        "denied, late, 1",
    })
    void everyStateHandlesEveryEventWithAVersion(String state, String event, String sent) {
        assertThat(sentAfter(OneObject.withVersions(), FIRST, state, event)).isEqualTo(sent);
    }

    /** The same for writes without a version: a different write replaces the one in flight. */
    @ParameterizedTest(name = "{0} + {1}: {2}")
    @CsvSource({
        "idle, none, -", "idle, same, 1", "idle, other, 2", "idle, soon, 1", "idle, late, 1",
        "in flight, none, -", "in flight, same, -", "in flight, other, 2", "in flight, soon, -", "in flight, late, -",
        "written, none, -", "written, same, -", "written, other, 2", "written, soon, -", "written, late, 1",
        "gone, none, -", "gone, same, -", "gone, other, 2", "gone, soon, -", "gone, late, 1",
        "conflict, none, -", "conflict, same, -", "conflict, other, -", "conflict, soon, 1", "conflict, late, 1",
        "denied, none, -", "denied, same, -", "denied, other, -", "denied, soon, 1", "denied, late, 1",
    })
    void everyStateHandlesEveryEventWithoutAVersion(String state, String event, String sent) {
        assertThat(sentAfter(OneObject.withoutVersions(), BARE, state, event)).isEqualTo(sent);
    }

    private static String sentAfter(OneObject object, Write first, String state, String event) {
        object.desired = 1;
        if (!state.equals("idle")) {
            object.desire(1).reconcile();
        }
        switch (state) {
            case "written" -> object.answer(first, WRITTEN).reconcile();
            case "gone" -> object.answer(first, NOT_FOUND).reconcile();
            case "conflict" -> object.answer(first, CONFLICT).reconcile();
            case "denied" -> object.answer(first, DENIED).reconcile();
            default -> {}
        }
        object.handle.drain();
        switch (event) {
            case "none" -> object.desire(0);
            case "same" -> object.desire(1);
            case "other" -> object.desire(2);
            case "newer" -> object.desire(2).observe("v2", 0);
            case "soon" -> object.desire(1).advance(SECOND);
            case "late" -> object.desire(1).advance(SECOND.multipliedBy(10));
            default -> throw new IllegalArgumentException(event);
        }
        List<Integer> sent = object.reconcile();
        return sent.isEmpty() ? "-" : String.valueOf(sent.get(0));
    }

    @Test
    void aDeniedWriteCountsAsRetryingUntilItSucceeds() {
        OneObject object = OneObject.withVersions();
        object.desire(1).reconcile();
        assertThat(object.reconciler.retryingCount()).isZero();
        object.answer(FIRST, DENIED).reconcile();
        assertThat(object.reconciler.retryingCount()).isEqualTo(1);
        object.advance(SECOND.multipliedBy(10)).reconcile();
        assertThat(object.reconciler.retryingCount())
                .as("it is under way again")
                .isZero();
        object.answer(FIRST, DENIED).reconcile();
        assertThat(object.reconciler.retryingCount()).isEqualTo(1);
        object.reconciler.remove(OneObject.KEY);
        assertThat(object.reconciler.retryingCount()).as("the object is gone").isZero();
    }

    @Test
    void aNewerVersionThatComesBeforeTheAnswerEndsTheWait() {
        OneObject object = OneObject.withVersions();
        object.desire(1).reconcile();
        object.observe("v2", 1).answer(FIRST, WRITTEN).reconcile();

        assertThat(object.reconciler.isEmpty()).isTrue();
        assertThat(object.reconciler.nextWake()).isEmpty();
    }

    @Test
    void aConflictAfterANewerVersionWasSeenIsTriedAgainAtOnce() {
        OneObject object = OneObject.withVersions();
        object.desire(1).reconcile();
        object.handle.drain();
        object.observe("v2", 0).answer(FIRST, CONFLICT);

        assertThat(object.reconcile()).containsExactly(1);
    }

    @Test
    void theResultOfAReplacedWriteChangesNothing() {
        OneObject object = OneObject.withoutVersions();
        object.desire(1).reconcile();
        object.desire(2).reconcile();

        assertThat(object.reconciler.onResult(OneObject.KEY, BARE, new WriteResult(DENIED, "because"), object.handle))
                .isFalse();
        assertThat(object.reconciler.isInFlight(OneObject.KEY)).isTrue();
        assertThat(object.events()).isEmpty();
    }

    @Test
    void deniedWritesAreRetriedForeverAtLeastOnceAMinute() {
        assertThat(pauses(DENIED, 10)).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L, 60L);
    }

    @Test
    void conflictsWithoutANewerVersionAreRetriedForever() {
        assertThat(pauses(CONFLICT, 8)).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L);
    }

    @Test
    void writesThatNeverShowInTheWatchAreRetriedForever() {
        assertThat(pauses(WRITTEN, 5)).containsExactly(10L, 20L, 40L, 60L, 60L);
    }

    @Test
    void aMissingObjectThatTheWatchStillShowsIsRetriedForever() {
        assertThat(pauses(NOT_FOUND, 5)).containsExactly(10L, 20L, 40L, 60L, 60L);
    }

    private static List<Long> pauses(WriteResult.ResultKind always, int rounds) {
        OneObject object = OneObject.withVersions();
        object.desire(1);
        List<Long> pauses = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            assertThat(object.reconcile()).containsExactly(1);
            object.answer(FIRST, always).reconcile();
            object.handle.drain();
            Duration pause = Duration.between(
                    object.handle.now(), object.reconciler.nextWake().orElseThrow());
            object.advance(pause.minusMillis(1));
            assertThat(object.reconcile()).isEmpty();
            object.advance(Duration.ofMillis(1));
            pauses.add(pause.toSeconds());
        }
        return pauses;
    }

    @Test
    void aNewerVersionStartsTheBackOffAgain() {
        OneObject object = OneObject.withVersions();
        deny(object, 4);
        object.observe("v2", 0).reconcile();
        object.answer(new Write("v2", 1), DENIED).reconcile();

        assertThat(object.reconciler.nextWake()).contains(object.handle.now().plus(SECOND));
    }

    @Test
    void aDenialIsReportedOncePerMessageAndClearedWhenAWriteSucceeds() {
        OneObject object = OneObject.withVersions();
        object.desire(1);
        List<String> notes = new ArrayList<>();
        Consumer<WriteResult> attempt = writeResult -> {
            object.reconcile();
            object.reconciler.onResult(OneObject.KEY, FIRST, writeResult, object.handle);
            object.handle.drain().stream()
                    .filter(Effect.RecordEvent.class::isInstance)
                    .map(Effect.RecordEvent.class::cast)
                    .forEach(event -> notes.add(event.kind().reason() + ": " + event.note()));
            object.advance(Duration.ofMinutes(1));
        };
        attempt.accept(new WriteResult(DENIED, "no."));
        attempt.accept(new WriteResult(DENIED, "no."));
        attempt.accept(new WriteResult(DENIED, "never", "patch reservations/status"));
        attempt.accept(new WriteResult(DENIED, "no."));
        attempt.accept(WriteResult.WRITTEN);
        attempt.accept(new WriteResult(DENIED, "no."));

        assertThat(notes)
                .containsExactly(
                        "WriteDenied: The API server denied a write: no. Berth tries again, at least once a minute.",
                        "WriteDenied: The API server denied a write (patch reservations/status): never. Berth tries"
                                + " again, at least once a minute.",
                        "WriteAllowed: The API server accepts the write that it denied before.",
                        "WriteDenied: The API server denied a write: no. Berth tries again, at least once a minute.");
    }

    @Test
    void aDenialIsKnownUntilItsBackOffEnds() {
        OneObject object = OneObject.withVersions();
        deny(object, 1);
        Supplier<Boolean> denied = () -> object.reconciler.denial(OneObject.KEY).isPresent();

        assertThat(denied.get()).isTrue();
        object.advance(SECOND).reconcile();
        assertThat(denied.get()).isFalse();
    }

    @Test
    void theBackoffContinuesAlthoughNothingIsDesiredInBetween() {
        OneObject object = OneObject.withVersions();
        deny(object, 3);
        object.desire(0).advance(Duration.ofMinutes(1)).reconcile();
        deny(object, 1);

        assertThat(object.reconciler.nextWake()).contains(object.handle.now().plus(SECOND.multipliedBy(8)));
    }

    @Test
    void aForgottenObjectLeavesNothingBehind() {
        OneObject object = OneObject.withVersions();
        deny(object, 1);
        object.reconciler.markDirty(OneObject.KEY);
        object.reconciler.remove(OneObject.KEY);

        assertThat(object.reconciler.isEmpty()).isTrue();
        assertThat(object.reconciler.nextWake()).isEmpty();
    }

    @Test
    void objectsThatATurnHasNoTimeForStayDue() {
        OneObject object = OneObject.withVersions();
        object.handle.outOfTime = true;
        List.of("a", "b", "c").forEach(object.reconciler::markDirty);
        List<String> seen = new ArrayList<>();
        Supplier<Boolean> turn = () -> object.reconciler.forEachDue(object.handle, key -> {
            seen.add(key);
            object.reconciler.reconcile(key, object.handle);
        });

        assertThat(turn.get()).isFalse();
        assertThat(seen).containsExactly("a");
        assertThat(turn.get()).isFalse();
        assertThat(turn.get()).isFalse();
        assertThat(seen).containsExactly("a", "b", "c");
        assertThat(turn.get()).isTrue();
        assertThat(object.reconciler.isEmpty()).isTrue();
    }

    private static void deny(OneObject object, int times) {
        object.desire(1);
        for (int i = 0; i < times; i++) {
            object.advance(i == 0 ? Duration.ZERO : Duration.ofMinutes(1)).reconcile();
            object.answer(FIRST, DENIED);
            object.reconciler.reconcile(object.handle);
        }
    }
}
