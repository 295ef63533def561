package dev.berth.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.kubernetes.time.ManualTime;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReflectorTest {
    private static final ReflectorSettings SETTINGS = ReflectorSettings.DEFAULT;
    private static final Duration LONG_ENOUGH = Duration.ofMinutes(1);

    private final ManualTime time = new ManualTime();
    private final FakeKind server = new FakeKind();
    private final Diary diary = new Diary();
    private final Reflector<FakeKind.Thing> reflector = new Reflector<>(
            "things",
            server,
            diary,
            new Reflector.Surroundings(time, time, new Random(7), new OutageLog(time, "here:6443")),
            SETTINGS);

    @BeforeEach
    void twoThingsAreThere() {
        server.put("a");
        server.put("b");
    }

    @Test
    void whatIsThereIsToldAndThenWhatHappens() {
        start();
        server.put("c");
        server.put("a");
        server.delete("b");
        server.deliver();
        assertThat(diary.lines).containsExactly("seen a", "seen b", "listed", "seen c", "seen a", "gone b");
        assertThat(diary.reached).isEqualTo(Long.toString(server.version()));
    }

    @Test
    void aListInPartsIsOneList() {
        server.put("c");
        server.inPartsOf(1);
        reflector.start();
        time.run();
        server.deliver();
        server.deliver();
        assertThat(diary.lines).containsExactly("seen a", "seen b");
        server.deliver();
        assertThat(diary.lines).containsExactly("seen a", "seen b", "seen c", "listed");
    }

    @Test
    void aBrokenWatchGoesOnWhereItWas() {
        start();
        server.put("c");
        server.deliver();
        String last = Long.toString(server.version());
        server.breakOff();
        server.delete("a");
        time.advance(LONG_ENOUGH);
        server.deliver();
        assertThat(server.watchesAsked()).last().isEqualTo(last);
        assertThat(server.listsAsked()).isEqualTo(1);
        assertThat(diary.lines).endsWith("gone a");
    }

    @Test
    void aWatchThatBreaksAtTheSameEventAgainAndAgainIsFailingUntilItWorks() {
        start();
        assertThat(reflector.health().state().failing()).isFalse();
        for (int i = 0; i < WatchHealth.FAILING_AFTER; i++) {
            server.failWatches(Failure.broken("this event cannot be read"));
            time.advance(LONG_ENOUGH);
        }
        WatchHealth.State failing = reflector.health().state();
        assertThat(failing.failing()).isTrue();
        assertThat(failing.error()).isEqualTo("this event cannot be read");
        assertThat(failing.failures()).isEqualTo(WatchHealth.FAILING_AFTER);
        server.put("c");
        server.deliver();
        WatchHealth.State works = reflector.health().state();
        assertThat(works.failing()).isFalse();
        assertThat(works.error()).isEmpty();
        assertThat(works.failures()).isEqualTo(WatchHealth.FAILING_AFTER);
    }

    @Test
    void aQuietWatchThatStaysOpenWorksAgain() {
        start();
        for (int i = 0; i < WatchHealth.FAILING_AFTER; i++) {
            server.failWatches(Failure.broken("connection lost"));
            time.advance(LONG_ENOUGH);
        }
        server.deliver();
        assertThat(reflector.health().state().failing()).isTrue();
        time.advance(SETTINGS.tooShort());
        assertThat(reflector.health().state().failing()).isFalse();
    }

    @Test
    void aDefinitionThatIsDeletedIsMissingUntilItComesBackAndTheWatchDoesNotFail() {
        start();
        time.advance(LONG_ENOUGH);
        Failure absent = new Failure(Failure.Kind.ABSENT, "the API server has no things", Optional.empty());
        server.delete("a");
        server.delete("b");
        server.deliver();
        server.failNext(absent);
        server.failWatches(absent);
        server.deliver();
        assertThat(reflector.health().state().missing()).isTrue();
        assertThat(reflector.health().state().failing()).isFalse();
        time.advance(LONG_ENOUGH);
        server.deliver();
        assertThat(reflector.health().state().missing()).isFalse();
    }

    @Test
    void anObjectThatBecomesUnreadableStaysAsItWasAndIsReportedOnce() {
        start();
        server.corrupt("a");
        server.corrupt("a");
        server.put("b");
        server.deliver();
        assertThat(diary.present).containsOnlyKeys("a", "b");
        assertThat(diary.lines).containsOnlyOnce("unreadable a is corrupt").endsWith("seen b");
        assertThat(reflector.health().state().unreadable()).isEqualTo(1);
        server.forget();
        server.failWatches(new Failure(Failure.Kind.EXPIRED, "too old", Optional.empty()));
        time.advance(LONG_ENOUGH);
        server.deliver();
        assertThat(diary.present).containsOnlyKeys("a", "b");
        server.delete("a");
        server.deliver();
        assertThat(diary.present).containsOnlyKeys("b");
        assertThat(reflector.health().state().unreadable()).isZero();
    }

    @Test
    void aBookmarkMovesTheVersionOn() {
        start();
        long before = server.version();
        server.bookmark();
        server.endWatches();
        time.advance(LONG_ENOUGH);
        assertThat(server.watchesAsked()).containsOnly(Long.toString(before));
    }

    @Test
    void aForgottenVersionLeadsToANewListThatTellsWhatWasMissed() {
        start();
        server.breakOff();
        server.delete("a");
        server.put("c");
        server.forget();
        time.advance(LONG_ENOUGH);
        server.deliver();
        assertThat(server.listsAsked()).isEqualTo(2);
        assertThat(diary.lines).containsExactly("seen a", "seen b", "listed", "seen b", "gone a", "seen c");
        assertThat(diary.listed).isEqualTo(1);
    }

    @Test
    void aSilentWatchIsGivenUpAndAnotherBegun() {
        start();
        time.advance(SETTINGS.silence().minusSeconds(1));
        assertThat(server.watchesAsked()).hasSize(1);
        time.advance(Duration.ofSeconds(1));
        assertThat(server.watchesAsked()).hasSize(2);
        server.put("c");
        server.deliver();
        assertThat(diary.lines).endsWith("seen c");
    }

    @Test
    void bookmarksKeepAQuietWatchAlive() {
        start();
        for (int minute = 0; minute < 20; minute++) {
            time.advance(Duration.ofMinutes(1));
            server.bookmark();
        }
        assertThat(server.watchesAsked()).hasSize(1);
    }

    @Test
    void aSilentListIsBegunAnew() {
        reflector.start();
        time.run();
        time.advance(SETTINGS.silence().plus(LONG_ENOUGH));
        assertThat(server.listsAsked()).isEqualTo(2);
        server.deliver();
        assertThat(diary.lines).containsExactly("seen a", "seen b", "listed");
    }

    @Test
    void aWatchThatEndsInGoodOrderIsContinuedAtOnce() {
        start();
        time.advance(Duration.ofMinutes(1));
        server.endWatches();
        assertThat(server.watchesAsked()).hasSize(2);
    }

    @Test
    void watchesThatEndAtOnceAreNotBegunInAHurry() {
        start();
        for (int i = 0; i < 1000; i++) {
            server.endWatches();
            time.advance(Duration.ofMillis(100));
        }
        assertThat(server.watchesAsked()).hasSizeLessThan(20);
    }

    @ParameterizedTest
    @EnumSource(names = {"EXPIRED", "ABSENT", "NOT_OFFERED"})
    void aWatchRefusedRightAfterItsListIsNotAskedForInAHurry(Failure.Kind why) {
        server.refuseWatches(new Failure(why, "no watch", Optional.empty()));
        reflector.start();
        for (int i = 0; i < 1000; i++) {
            time.advance(Duration.ofMillis(100));
            server.deliver();
        }
        assertThat(server.listsAsked()).isBetween(3, 20);
        server.grantWatches();
        server.put("c");
        time.advance(LONG_ENOUGH);
        server.deliver();
        assertThat(diary.present).isEqualTo(server.things());
        assertThat(server.watched()).isTrue();
        assertThat(diary.listed).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"EXPIRED", "ABSENT", "NOT_OFFERED"})
    void aVersionThatIsForgottenAfterALongWatchIsListedAnewAtOnce(Failure.Kind why) {
        start();
        time.advance(LONG_ENOUGH);
        server.failWatches(new Failure(why, "no more", Optional.empty()));
        assertThat(server.listsAsked()).isEqualTo(2);
    }

    @Test
    void aVersionThatIsForgottenWhileAWatchIsBrokenIsListedAnewAtOnce() {
        start();
        time.advance(LONG_ENOUGH);
        server.breakOff();
        server.delete("a");
        server.forget();
        time.advance(SETTINGS.firstPause().multipliedBy(2));
        assertThat(server.listsAsked()).isEqualTo(2);
    }

    @Test
    void theServersWishToBeLeftAloneIsHonoured() {
        server.failNext(new Failure(Failure.Kind.BROKEN, "too many requests", Optional.of(Duration.ofSeconds(90))));
        reflector.start();
        time.advance(Duration.ofSeconds(89));
        assertThat(server.listsAsked()).isEqualTo(1);
        time.advance(Duration.ofSeconds(1));
        assertThat(server.listsAsked()).isEqualTo(2);
    }

    @Test
    void theDeletionsOfThePastAreToldBeforeTheListIsCalledComplete() {
        String before = Long.toString(server.version());
        server.put("c");
        server.delete("a");
        server.delete("c");
        server.put("d");
        reflector.startAfter(before);
        time.run();
        server.deliver();
        assertThat(diary.lines)
                .containsExactly("seen b", "seen d", "seen a", "gone a", "seen c", "gone c", "told", "listed");
        server.put("e");
        server.deliver();
        assertThat(diary.lines).endsWith("listed", "seen e");
    }

    @Test
    void aReplayIsCompleteWhenABookmarkReachesTheListsVersion() {
        String before = Long.toString(server.version());
        reflector.startAfter(before);
        time.run();
        server.deliver();
        assertThat(diary.lines).containsExactly("seen a", "seen b");
        server.bookmark();
        assertThat(diary.lines).containsExactly("seen a", "seen b", "told", "listed");
    }

    @Test
    void aReplayThatEndsEarlyContinuesWhereItStopped() {
        String before = Long.toString(server.version());
        server.delete("a");
        String afterA = Long.toString(server.version());
        server.delete("b");
        reflector.startAfter(before);
        time.run();
        server.deliver(1);
        server.endWatches();
        assertThat(diary.lines).containsExactly("seen a", "gone a");
        server.deliver();
        assertThat(diary.lines).containsExactly("seen a", "gone a", "seen b", "gone b", "told", "listed");
        assertThat(server.watchesAsked()).startsWith(before, afterA);
    }

    @Test
    void aReplayThatEndsBeforeItsProofIsLost() {
        String before = Long.toString(server.version());
        server.delete("a");
        reflector.startAfter(before);
        time.run();
        server.deliverLists();
        for (int i = 0; i < 3; i++) {
            server.endWatches();
        }
        assertThat(diary.lines).containsExactly("seen b", "lost after " + before, "listed");
    }

    @Test
    void aReplayWithADeletionThatCannotBeReadIsLost() {
        String before = Long.toString(server.version());
        server.corrupt("a");
        server.delete("a");
        server.delete("b");
        reflector.startAfter(before);
        time.run();
        server.deliverLists();
        server.deliver(2);
        server.endWatches();
        server.deliver();
        assertThat(diary.lines)
                .containsExactly("seen b", "gone b", "lost after " + (Long.parseLong(before) + 3), "listed");
    }

    @Test
    void aSilentReplayIsLost() {
        String before = Long.toString(server.version());
        reflector.startAfter(before);
        time.run();
        for (int i = 0; i < 3; i++) {
            server.deliver();
            assertThat(diary.lines).containsExactly("seen a", "seen b");
            time.advance(SETTINGS.historyQuiet());
        }
        assertThat(diary.lines).containsExactly("seen a", "seen b", "lost after " + before, "listed");
    }

    /** A replay that is called complete has told every deletion; one that is not is called lost. */
    @Test
    void whateverHappensAReplayThatIsCalledCompleteToldEveryDeletion() {
        int complete = 0;
        int lost = 0;
        for (long seed = 1; seed <= 500; seed++) {
            boolean told = replay(seed);
            complete += told ? 1 : 0;
            lost += told ? 0 : 1;
        }
        assertThat(complete).isGreaterThan(100);
        assertThat(lost).isGreaterThan(20);
    }

    /** Whether the replay was called complete. */
    private static boolean replay(long seed) {
        Random random = new Random(seed);
        ManualTime clock = new ManualTime();
        FakeKind kind = new FakeKind();
        Diary heard = new Diary();
        for (int i = 0; i < 8; i++) {
            kind.put("old" + i);
        }
        String past = Long.toString(kind.version());
        Set<String> deleted = new TreeSet<>();
        for (int i = 0; i < 8; i++) {
            if (random.nextBoolean()) {
                if (random.nextInt(32) == 0) {
                    kind.corrupt("old" + i);
                }
                kind.delete("old" + i);
                deleted.add("old" + i);
            } else if (random.nextBoolean()) {
                kind.put("new" + i);
            }
        }
        new Reflector<>(
                        "things",
                        kind,
                        heard,
                        new Reflector.Surroundings(clock, clock, random, new OutageLog(clock, "here:6443")),
                        SETTINGS)
                .startAfter(past);
        clock.run();
        kind.deliverLists();
        for (int step = 0; step < 40 && heard.listed == 0; step++) {
            switch (random.nextInt(8)) {
                case 0 -> kind.endWatches();
                case 1 -> kind.breakOff();
                case 2 -> clock.advance(SETTINGS.historyQuiet());
                case 3 -> kind.bookmark();
                case 4 -> {
                    if (random.nextInt(8) == 0) {
                        kind.forget();
                    }
                }
                default -> kind.deliver(1);
            }
        }
        settle(clock, kind);
        boolean told = heard.lines.contains("told");
        assertThat(heard.listed).as("seed %d", seed).isEqualTo(1);
        assertThat(heard.lines.stream().anyMatch(line -> line.startsWith("lost")))
                .as("seed %d", seed)
                .isEqualTo(!told);
        if (told) {
            assertThat(heard.lines)
                    .as("seed %d: called complete too early", seed)
                    .containsAll(deleted.stream().map(it -> "gone " + it).toList());
        }
        return told;
    }

    @Test
    void aServerThatIsSlowToAnswerLosesNoDeletion() {
        String before = Long.toString(server.version());
        server.delete("a");
        reflector.startAfter(before);
        time.run();
        server.deliverLists();
        time.advance(SETTINGS.historyQuiet().multipliedBy(5));
        assertThat(diary.lines).as("the past was not told yet").containsExactly("seen b");
        server.deliver();
        assertThat(diary.lines).containsExactly("seen b", "seen a", "gone a", "told", "listed");
    }

    @Test
    void aPastThatIsForgottenIsSaidToBeLost() {
        String before = Long.toString(server.version());
        server.delete("a");
        server.forget();
        reflector.startAfter(before);
        time.run();
        server.deliver();
        assertThat(diary.lines).containsExactly("seen b", "lost after " + before, "listed");
    }

    @Test
    void aStoppedReflectorIsSilent() {
        start();
        reflector.stop();
        time.run();
        server.put("c");
        server.deliver();
        time.advance(Duration.ofHours(1));
        assertThat(diary.lines).containsExactly("seen a", "seen b", "listed");
        assertThat(server.watched()).isFalse();
    }

    @Test
    void whateverHappensTheDiaryEndsUpEqualToTheServer() {
        for (long seed = 1; seed <= 300; seed++) {
            Random random = new Random(seed);
            ManualTime clock = new ManualTime();
            FakeKind kind = new FakeKind();
            Diary heard = new Diary();
            new Reflector<>(
                            "things",
                            kind,
                            heard,
                            new Reflector.Surroundings(clock, clock, random, new OutageLog(clock, "here:6443")),
                            SETTINGS)
                    .start();
            kind.inPartsOf(random.nextInt(1, 6));
            int uids = 0;
            for (int step = 0; step < 300; step++) {
                uids = happen(random, clock, kind, uids);
            }
            settle(clock, kind);
            assertThat(heard.present).as("seed %d", seed).isEqualTo(kind.things());
            assertThat(heard.listed).as("seed %d", seed).isEqualTo(1);
        }
    }

    private static int happen(Random random, ManualTime clock, FakeKind kind, int uids) {
        switch (random.nextInt(12)) {
            case 0, 1, 2 -> kind.put("t" + uids);
            case 3 -> kind.put("t" + random.nextInt(uids + 1) + "'" + uids);
            case 4, 5 -> {
                if (!kind.things().isEmpty()) {
                    kind.delete(kind.things().firstKey());
                }
            }
            case 6 -> kind.breakOff();
            case 7 -> kind.endWatches();
            case 8 -> kind.forget();
            case 9 -> kind.bookmark();
            case 10 -> kind.deliver(random.nextInt(1, 4));
            default -> clock.advance(Duration.ofSeconds(random.nextInt(200)));
        }
        // A UID is never given again.
        return uids + 1;
    }

    private static void settle(ManualTime clock, FakeKind kind) {
        for (int i = 0; i < 400; i++) {
            clock.advance(Duration.ofSeconds(60));
            kind.deliver();
        }
    }

    @Test
    void settingsThatMakeNoSenseAreRefused() {
        assertThatThrownBy(
                        () -> new ReflectorSettings(Duration.ZERO, LONG_ENOUGH, LONG_ENOUGH, LONG_ENOUGH, LONG_ENOUGH))
                .hasMessageContaining("silence (PT0S) must be positive");
    }

    private void start() {
        reflector.start();
        time.run();
        server.deliver();
    }
}
