package dev.berth.core.reconcile;

import static dev.berth.core.decision.Outcome.Kind.CONFLICT;
import static dev.berth.core.decision.Outcome.Kind.DENIED;
import static dev.berth.core.decision.Outcome.Kind.GONE;
import static dev.berth.core.decision.Outcome.Kind.WRITTEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Outcome;
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
    void everyStateMeetsEveryEventWithAVersion(String state, String event, String sent) {
        assertThat(sentAfter(OneObject.withVersions(), FIRST, state, event)).isEqualTo(sent);
    }

    /** The same where writes have no version: a write that differs overtakes the one under way. */
    @ParameterizedTest(name = "{0} + {1}: {2}")
    @CsvSource({
        "idle, none, -", "idle, same, 1", "idle, other, 2", "idle, soon, 1", "idle, late, 1",
        "in flight, none, -", "in flight, same, -", "in flight, other, 2", "in flight, soon, -", "in flight, late, -",
        "written, none, -", "written, same, -", "written, other, 2", "written, soon, -", "written, late, 1",
        "gone, none, -", "gone, same, -", "gone, other, 2", "gone, soon, -", "gone, late, 1",
        "conflict, none, -", "conflict, same, -", "conflict, other, -", "conflict, soon, 1", "conflict, late, 1",
        "denied, none, -", "denied, same, -", "denied, other, -", "denied, soon, 1", "denied, late, 1",
    })
    void everyStateMeetsEveryEventWithoutAVersion(String state, String event, String sent) {
        assertThat(sentAfter(OneObject.withoutVersions(), BARE, state, event)).isEqualTo(sent);
    }

    private static String sentAfter(OneObject object, Write first, String state, String event) {
        object.desired = 1;
        if (!state.equals("idle")) {
            object.want(1).settle();
        }
        switch (state) {
            case "written" -> object.answer(first, WRITTEN).settle();
            case "gone" -> object.answer(first, GONE).settle();
            case "conflict" -> object.answer(first, CONFLICT).settle();
            case "denied" -> object.answer(first, DENIED).settle();
            default -> {}
        }
        object.desk.take();
        switch (event) {
            case "none" -> object.want(0);
            case "same" -> object.want(1);
            case "other" -> object.want(2);
            case "newer" -> object.want(2).show("v2", 0);
            case "soon" -> object.want(1).pass(SECOND);
            case "late" -> object.want(1).pass(SECOND.multipliedBy(10));
            default -> throw new IllegalArgumentException(event);
        }
        List<Integer> sent = object.settle();
        return sent.isEmpty() ? "-" : String.valueOf(sent.get(0));
    }

    @Test
    void aDeniedWriteCountsUntilItIsTriedAgainAndTaken() {
        OneObject object = OneObject.withVersions();
        object.want(1).settle();
        assertThat(object.reconciler.retrying()).isZero();
        object.answer(FIRST, DENIED).settle();
        assertThat(object.reconciler.retrying()).isEqualTo(1);
        object.pass(SECOND.multipliedBy(10)).settle();
        assertThat(object.reconciler.retrying()).as("it is under way again").isZero();
        object.answer(FIRST, DENIED).settle();
        assertThat(object.reconciler.retrying()).isEqualTo(1);
        object.reconciler.forget(OneObject.KEY);
        assertThat(object.reconciler.retrying()).as("the object is gone").isZero();
    }

    @Test
    void aNewerVersionThatComesBeforeTheAnswerEndsTheWait() {
        OneObject object = OneObject.withVersions();
        object.want(1).settle();
        object.show("v2", 1).answer(FIRST, WRITTEN).settle();

        assertThat(object.reconciler.isEmpty()).isTrue();
        assertThat(object.reconciler.nextWake()).isEmpty();
    }

    @Test
    void aConflictAfterANewerVersionWasSeenIsTriedAgainAtOnce() {
        OneObject object = OneObject.withVersions();
        object.want(1).settle();
        object.desk.take();
        object.show("v2", 0).answer(FIRST, CONFLICT);

        assertThat(object.settle()).containsExactly(1);
    }

    @Test
    void theAnswerToAnOvertakenWriteChangesNothing() {
        OneObject object = OneObject.withoutVersions();
        object.want(1).settle();
        object.want(2).settle();

        assertThat(object.reconciler.answered(OneObject.KEY, BARE, new Outcome(DENIED, "because"), object.desk))
                .isFalse();
        assertThat(object.reconciler.inFlight(OneObject.KEY)).isTrue();
        assertThat(object.events()).isEmpty();
    }

    @Test
    void deniedWritesAreTriedAgainForEverAndAtLeastOnceAMinute() {
        assertThat(pauses(DENIED, 10)).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L, 60L);
    }

    @Test
    void conflictsThatBringNoNewVersionAreTriedAgainForEver() {
        assertThat(pauses(CONFLICT, 8)).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L);
    }

    @Test
    void writesWhoseEchoNeverComesAreTriedAgainForEver() {
        assertThat(pauses(WRITTEN, 5)).containsExactly(10L, 20L, 40L, 60L, 60L);
    }

    @Test
    void aMissingObjectThatTheWatchStillShowsIsTriedAgainForEver() {
        assertThat(pauses(GONE, 5)).containsExactly(10L, 20L, 40L, 60L, 60L);
    }

    private static List<Long> pauses(Outcome.Kind always, int rounds) {
        OneObject object = OneObject.withVersions();
        object.want(1);
        List<Long> pauses = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            assertThat(object.settle()).containsExactly(1);
            object.answer(FIRST, always).settle();
            object.desk.take();
            Duration pause = Duration.between(
                    object.desk.now(), object.reconciler.nextWake().orElseThrow());
            object.pass(pause.minusMillis(1));
            assertThat(object.settle()).isEmpty();
            object.pass(Duration.ofMillis(1));
            pauses.add(pause.toSeconds());
        }
        return pauses;
    }

    @Test
    void aNewerVersionStartsTheBackOffAgain() {
        OneObject object = OneObject.withVersions();
        deny(object, 4);
        object.show("v2", 0).settle();
        object.answer(new Write("v2", 1), DENIED).settle();

        assertThat(object.reconciler.nextWake()).contains(object.desk.now().plus(SECOND));
    }

    @Test
    void aDenialIsToldOnceForEachMessageAndTakenBackWhenAWriteIsTaken() {
        OneObject object = OneObject.withVersions();
        object.want(1);
        List<String> notes = new ArrayList<>();
        Consumer<Outcome> attempt = outcome -> {
            object.settle();
            object.reconciler.answered(OneObject.KEY, FIRST, outcome, object.desk);
            object.desk.take().stream()
                    .filter(Effect.Announce.class::isInstance)
                    .map(Effect.Announce.class::cast)
                    .forEach(event -> notes.add(event.kind().reason() + ": " + event.note()));
            object.pass(Duration.ofMinutes(1));
        };
        attempt.accept(new Outcome(DENIED, "no."));
        attempt.accept(new Outcome(DENIED, "no."));
        attempt.accept(new Outcome(DENIED, "never", "patch reservations/status"));
        attempt.accept(new Outcome(DENIED, "no."));
        attempt.accept(Outcome.WRITTEN);
        attempt.accept(new Outcome(DENIED, "no."));

        assertThat(notes)
                .containsExactly(
                        "WriteDenied: The API server denied a write: no. Berth tries again, at least once a minute.",
                        "WriteDenied: The API server denied a write (patch reservations/status): never. Berth tries again, at"
                                + " least once a minute.",
                        "WriteAllowed: The API server accepts the write that it denied before.",
                        "WriteDenied: The API server denied a write: no. Berth tries again, at least once a minute.");
    }

    @Test
    void aDenialIsKnownUntilItsBackOffEnds() {
        OneObject object = OneObject.withVersions();
        deny(object, 1);
        Supplier<Boolean> denied = () -> object.reconciler.denial(OneObject.KEY).isPresent();

        assertThat(denied.get()).isTrue();
        object.pass(SECOND).settle();
        assertThat(denied.get()).isFalse();
    }

    @Test
    void theBackOffGoesOnAlthoughNothingIsWantedInBetween() {
        OneObject object = OneObject.withVersions();
        deny(object, 3);
        object.want(0).pass(Duration.ofMinutes(1)).settle();
        deny(object, 1);

        assertThat(object.reconciler.nextWake()).contains(object.desk.now().plus(SECOND.multipliedBy(8)));
    }

    @Test
    void aForgottenObjectLeavesNothingBehind() {
        OneObject object = OneObject.withVersions();
        deny(object, 1);
        object.reconciler.touch(OneObject.KEY);
        object.reconciler.forget(OneObject.KEY);

        assertThat(object.reconciler.isEmpty()).isTrue();
        assertThat(object.reconciler.nextWake()).isEmpty();
    }

    @Test
    void objectsThatATurnHasNoTimeForStayDue() {
        OneObject object = OneObject.withVersions();
        object.desk.hurried = true;
        List.of("a", "b", "c").forEach(object.reconciler::touch);
        List<String> seen = new ArrayList<>();
        Supplier<Boolean> turn = () -> object.reconciler.forEachDue(object.desk, key -> {
            seen.add(key);
            object.reconciler.reconcile(key, object.desk);
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
        object.want(1);
        for (int i = 0; i < times; i++) {
            object.pass(i == 0 ? Duration.ZERO : Duration.ofMinutes(1)).settle();
            object.answer(FIRST, DENIED);
            object.reconciler.reconcile(object.desk);
        }
    }
}
