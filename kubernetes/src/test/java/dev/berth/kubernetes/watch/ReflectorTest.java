package dev.berth.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.testing.RandomSeeds;
import dev.berth.kubernetes.time.ManualTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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

    private final ManualTimer time = new ManualTimer();
    private final FakeListerWatcher server = new FakeListerWatcher();
    private final VerifyingEventHandler verifyingEventHandler = new VerifyingEventHandler();
    private final Reflector<FakeListerWatcher.FakeObject> reflector = new Reflector<>(
            "things",
            server,
            verifyingEventHandler,
            new Reflector.Context(time, time, new Random(7), new OutageLog(time, "here:6443")),
            SETTINGS);

    @BeforeEach
    void putTwoObjects() {
        server.put("a");
        server.put("b");
    }

    @Test
    void listedObjectsAreDeliveredBeforeWatchEvents() {
        start();
        server.put("c");
        server.put("a");
        server.delete("b");
        server.deliver();
        assertThat(verifyingEventHandler.lines)
                .containsExactly("seen a", "seen b", "listed", "seen c", "seen a", "gone b");
        assertThat(verifyingEventHandler.resourceVersion).isEqualTo(Long.toString(server.version()));
    }

    @Test
    void aPagedListIsOneList() {
        server.put("c");
        server.setPageSize(1);
        reflector.start();
        time.run();
        server.deliver();
        server.deliver();
        assertThat(verifyingEventHandler.lines).containsExactly("seen a", "seen b");
        server.deliver();
        assertThat(verifyingEventHandler.lines).containsExactly("seen a", "seen b", "seen c", "listed");
    }

    @Test
    void aBrokenWatchResumesAtItsResourceVersion() {
        start();
        server.put("c");
        server.deliver();
        String last = Long.toString(server.version());
        server.breakConnections();
        server.delete("a");
        time.advance(LONG_ENOUGH);
        server.deliver();
        assertThat(server.watchRequests()).last().isEqualTo(last);
        assertThat(server.listRequests()).isEqualTo(1);
        assertThat(verifyingEventHandler.lines).endsWith("gone a");
    }

    @Test
    void aWatchThatRepeatedlyBreaksAtTheSameEventIsFailingUntilItRecovers() {
        start();
        assertThat(reflector.health().watchStatus().isFailing()).isFalse();
        for (int i = 0; i < WatchHealth.FAILING_AFTER; i++) {
            server.failWatches(ListWatchFailure.retryable("this event cannot be read"));
            time.advance(LONG_ENOUGH);
        }
        WatchHealth.WatchStatus failing = reflector.health().watchStatus();
        assertThat(failing.isFailing()).isTrue();
        assertThat(failing.lastError()).isEqualTo("this event cannot be read");
        assertThat(failing.failures()).isEqualTo(WatchHealth.FAILING_AFTER);
        server.put("c");
        server.deliver();
        WatchHealth.WatchStatus works = reflector.health().watchStatus();
        assertThat(works.isFailing()).isFalse();
        assertThat(works.lastError()).isEmpty();
        assertThat(works.failures()).isEqualTo(WatchHealth.FAILING_AFTER);
    }

    @Test
    void aQuietWatchThatStaysOpenIsHealthyAgain() {
        start();
        for (int i = 0; i < WatchHealth.FAILING_AFTER; i++) {
            server.failWatches(ListWatchFailure.retryable("connection lost"));
            time.advance(LONG_ENOUGH);
        }
        server.deliver();
        assertThat(reflector.health().watchStatus().isFailing()).isTrue();
        time.advance(SETTINGS.minWatchDuration());
        assertThat(reflector.health().watchStatus().isFailing()).isFalse();
    }

    @Test
    void aDeletedCrdIsReportedMissingUntilItReturnsAndTheWatchIsNotFailing() {
        start();
        time.advance(LONG_ENOUGH);
        ListWatchFailure absent = new ListWatchFailure(
                ListWatchFailure.FailureCause.NOT_INSTALLED, "the API server has no things", Optional.empty());
        server.delete("a");
        server.delete("b");
        server.deliver();
        server.failNext(absent);
        server.failWatches(absent);
        server.deliver();
        assertThat(reflector.health().watchStatus().kindMissing()).isTrue();
        assertThat(reflector.health().watchStatus().isFailing()).isFalse();
        time.advance(LONG_ENOUGH);
        server.deliver();
        assertThat(reflector.health().watchStatus().kindMissing()).isFalse();
    }

    @Test
    void anObjectThatBecomesUnreadableKeepsItsLastStateAndIsReportedOnce() {
        start();
        server.corrupt("a");
        server.corrupt("a");
        server.put("b");
        server.deliver();
        assertThat(verifyingEventHandler.present).containsOnlyKeys("a", "b");
        assertThat(verifyingEventHandler.lines)
                .containsOnlyOnce("unreadable a is corrupt")
                .endsWith("seen b");
        assertThat(reflector.health().watchStatus().unreadableObjects()).isEqualTo(1);
        server.compact();
        server.failWatches(new ListWatchFailure(ListWatchFailure.FailureCause.EXPIRED, "too old", Optional.empty()));
        time.advance(LONG_ENOUGH);
        server.deliver();
        assertThat(verifyingEventHandler.present).containsOnlyKeys("a", "b");
        server.delete("a");
        server.deliver();
        assertThat(verifyingEventHandler.present).containsOnlyKeys("b");
        assertThat(reflector.health().watchStatus().unreadableObjects()).isZero();
    }

    @Test
    void aBookmarkAdvancesTheResourceVersion() {
        start();
        long before = server.version();
        server.bookmark();
        server.endWatches();
        time.advance(LONG_ENOUGH);
        assertThat(server.watchRequests()).containsOnly(Long.toString(before));
    }

    @Test
    void anExpiredVersionLeadsToARelistThatDeliversMissedChanges() {
        start();
        server.breakConnections();
        server.delete("a");
        server.put("c");
        server.compact();
        time.advance(LONG_ENOUGH);
        server.deliver();
        assertThat(server.listRequests()).isEqualTo(2);
        assertThat(verifyingEventHandler.lines)
                .containsExactly("seen a", "seen b", "listed", "seen b", "gone a", "seen c");
        assertThat(verifyingEventHandler.syncedCount).isEqualTo(1);
    }

    @Test
    void anIdleWatchIsReplaced() {
        start();
        time.advance(SETTINGS.idleTimeout().minusSeconds(1));
        assertThat(server.watchRequests()).hasSize(1);
        time.advance(Duration.ofSeconds(1));
        assertThat(server.watchRequests()).hasSize(2);
        server.put("c");
        server.deliver();
        assertThat(verifyingEventHandler.lines).endsWith("seen c");
    }

    @Test
    void bookmarksKeepAQuietWatchAlive() {
        start();
        for (int minute = 0; minute < 20; minute++) {
            time.advance(Duration.ofMinutes(1));
            server.bookmark();
        }
        assertThat(server.watchRequests()).hasSize(1);
    }

    @Test
    void anIdleListIsRestarted() {
        reflector.start();
        time.run();
        time.advance(SETTINGS.idleTimeout().plus(LONG_ENOUGH));
        assertThat(server.listRequests()).isEqualTo(2);
        server.deliver();
        assertThat(verifyingEventHandler.lines).containsExactly("seen a", "seen b", "listed");
    }

    @Test
    void aWatchThatEndsNormallyIsResumedImmediately() {
        start();
        time.advance(Duration.ofMinutes(1));
        server.endWatches();
        assertThat(server.watchRequests()).hasSize(2);
    }

    @Test
    void aWatchThatEndsImmediatelyIsRetriedWithBackoff() {
        start();
        for (int i = 0; i < 1000; i++) {
            server.endWatches();
            time.advance(Duration.ofMillis(100));
        }
        assertThat(server.watchRequests()).hasSizeLessThan(20);
    }

    @ParameterizedTest
    @EnumSource(names = {"EXPIRED", "NOT_INSTALLED", "NOT_SERVED"})
    void aWatchRejectedRightAfterItsListIsRetriedWithBackoff(ListWatchFailure.FailureCause why) {
        server.rejectWatches(new ListWatchFailure(why, "no watch", Optional.empty()));
        reflector.start();
        for (int i = 0; i < 1000; i++) {
            time.advance(Duration.ofMillis(100));
            server.deliver();
        }
        assertThat(server.listRequests()).isBetween(3, 20);
        server.acceptWatches();
        server.put("c");
        time.advance(LONG_ENOUGH);
        server.deliver();
        assertThat(verifyingEventHandler.present).isEqualTo(server.fakeObjects());
        assertThat(server.isWatched()).isTrue();
        assertThat(verifyingEventHandler.syncedCount).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"EXPIRED", "NOT_INSTALLED", "NOT_SERVED"})
    void aVersionThatExpiresAfterALongWatchIsRelistedImmediately(ListWatchFailure.FailureCause why) {
        start();
        time.advance(LONG_ENOUGH);
        server.failWatches(new ListWatchFailure(why, "no more", Optional.empty()));
        assertThat(server.listRequests()).isEqualTo(2);
    }

    @Test
    void aVersionThatExpiresWhileAWatchIsBrokenIsRelistedImmediately() {
        start();
        time.advance(LONG_ENOUGH);
        server.breakConnections();
        server.delete("a");
        server.compact();
        time.advance(SETTINGS.initialBackoff().multipliedBy(2));
        assertThat(server.listRequests()).isEqualTo(2);
    }

    @Test
    void retryAfterOfTheServerIsHonoured() {
        server.failNext(new ListWatchFailure(
                ListWatchFailure.FailureCause.RETRYABLE, "too many requests", Optional.of(Duration.ofSeconds(90))));
        reflector.start();
        time.advance(Duration.ofSeconds(89));
        assertThat(server.listRequests()).isEqualTo(1);
        time.advance(Duration.ofSeconds(1));
        assertThat(server.listRequests()).isEqualTo(2);
    }

    @Test
    void replayedDeletionsAreDeliveredBeforeSynced() {
        String before = Long.toString(server.version());
        server.put("c");
        server.delete("a");
        server.delete("c");
        server.put("d");
        reflector.startWithReplay(before);
        time.run();
        server.deliver();
        assertThat(verifyingEventHandler.lines)
                .containsExactly("seen b", "seen d", "seen a", "gone a", "seen c", "gone c", "told", "listed");
        server.put("e");
        server.deliver();
        assertThat(verifyingEventHandler.lines).endsWith("listed", "seen e");
    }

    @Test
    void aReplayIsCompleteWhenABookmarkReachesTheListsVersion() {
        String before = Long.toString(server.version());
        reflector.startWithReplay(before);
        time.run();
        server.deliver();
        assertThat(verifyingEventHandler.lines).containsExactly("seen a", "seen b");
        server.bookmark();
        assertThat(verifyingEventHandler.lines).containsExactly("seen a", "seen b", "told", "listed");
    }

    @Test
    void aReplayThatEndsEarlyContinuesWhereItStopped() {
        String before = Long.toString(server.version());
        server.delete("a");
        String afterA = Long.toString(server.version());
        server.delete("b");
        reflector.startWithReplay(before);
        time.run();
        server.deliver(1);
        server.endWatches();
        assertThat(verifyingEventHandler.lines).containsExactly("seen a", "gone a");
        server.deliver();
        assertThat(verifyingEventHandler.lines)
                .containsExactly("seen a", "gone a", "seen b", "gone b", "told", "listed");
        assertThat(server.watchRequests()).startsWith(before, afterA);
    }

    @Test
    void aReplayThatEndsBeforeTheListsVersionIsLost() {
        String before = Long.toString(server.version());
        server.delete("a");
        reflector.startWithReplay(before);
        time.run();
        server.deliverLists();
        for (int i = 0; i < 3; i++) {
            server.endWatches();
        }
        assertThat(verifyingEventHandler.lines).containsExactly("seen b", "lost after " + before, "listed");
    }

    @Test
    void aReplayWithADeletionThatCannotBeReadIsLost() {
        String before = Long.toString(server.version());
        server.corrupt("a");
        server.delete("a");
        server.delete("b");
        reflector.startWithReplay(before);
        time.run();
        server.deliverLists();
        server.deliver(2);
        server.endWatches();
        server.deliver();
        assertThat(verifyingEventHandler.lines)
                .containsExactly("seen b", "gone b", "lost after " + (Long.parseLong(before) + 3), "listed");
    }

    @Test
    void anIdleReplayIsLost() {
        String before = Long.toString(server.version());
        reflector.startWithReplay(before);
        time.run();
        for (int i = 0; i < 3; i++) {
            server.deliver();
            assertThat(verifyingEventHandler.lines).containsExactly("seen a", "seen b");
            time.advance(SETTINGS.replayIdleTimeout());
        }
        assertThat(verifyingEventHandler.lines).containsExactly("seen a", "seen b", "lost after " + before, "listed");
    }

    /** A replay that is reported complete has delivered every deletion; otherwise it is reported lost. */
    @Test
    void aReplayReportedCompleteDeliversEveryDeletion() {
        List<Boolean> complete = new ArrayList<>();
        RandomSeeds.forEach(1, 500, seed -> complete.add(replay(seed)));
        RandomSeeds.checkOverAll(() -> {
            assertThat(Collections.frequency(complete, true)).isGreaterThan(100);
            assertThat(Collections.frequency(complete, false)).isGreaterThan(20);
        });
    }

    /** Whether the replay was called complete. */
    private static boolean replay(long seed) {
        Random random = new Random(seed);
        ManualTimer clock = new ManualTimer();
        FakeListerWatcher kind = new FakeListerWatcher();
        VerifyingEventHandler heard = new VerifyingEventHandler();
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
                        new Reflector.Context(clock, clock, random, new OutageLog(clock, "here:6443")),
                        SETTINGS)
                .startWithReplay(past);
        clock.run();
        kind.deliverLists();
        for (int step = 0; step < 40 && heard.syncedCount == 0; step++) {
            switch (random.nextInt(8)) {
                case 0 -> kind.endWatches();
                case 1 -> kind.breakConnections();
                case 2 -> clock.advance(SETTINGS.replayIdleTimeout());
                case 3 -> kind.bookmark();
                case 4 -> {
                    if (random.nextInt(8) == 0) {
                        kind.compact();
                    }
                }
                default -> kind.deliver(1);
            }
        }
        deliverUntilQuiet(clock, kind);
        boolean told = heard.lines.contains("told");
        assertThat(heard.syncedCount).as("seed %d", seed).isEqualTo(1);
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
        reflector.startWithReplay(before);
        time.run();
        server.deliverLists();
        time.advance(SETTINGS.replayIdleTimeout().multipliedBy(5));
        assertThat(verifyingEventHandler.lines).as("the past was not told yet").containsExactly("seen b");
        server.deliver();
        assertThat(verifyingEventHandler.lines).containsExactly("seen b", "seen a", "gone a", "told", "listed");
    }

    @Test
    void aReplayFromAnExpiredVersionIsReportedLost() {
        String before = Long.toString(server.version());
        server.delete("a");
        server.compact();
        reflector.startWithReplay(before);
        time.run();
        server.deliver();
        assertThat(verifyingEventHandler.lines).containsExactly("seen b", "lost after " + before, "listed");
    }

    @Test
    void aStoppedReflectorDeliversNothing() {
        start();
        reflector.stop();
        time.run();
        server.put("c");
        server.deliver();
        time.advance(Duration.ofHours(1));
        assertThat(verifyingEventHandler.lines).containsExactly("seen a", "seen b", "listed");
        assertThat(server.isWatched()).isFalse();
    }

    @Test
    void afterRandomFailuresTheHandlersStateEqualsTheServers() {
        RandomSeeds.forEach(1, 300, seed -> {
            Random random = new Random(seed);
            ManualTimer clock = new ManualTimer();
            FakeListerWatcher kind = new FakeListerWatcher();
            VerifyingEventHandler heard = new VerifyingEventHandler();
            new Reflector<>(
                            "things",
                            kind,
                            heard,
                            new Reflector.Context(clock, clock, random, new OutageLog(clock, "here:6443")),
                            SETTINGS)
                    .start();
            kind.setPageSize(random.nextInt(1, 6));
            int uids = 0;
            for (int step = 0; step < 300; step++) {
                uids = disturb(random, clock, kind, uids);
            }
            deliverUntilQuiet(clock, kind);
            assertThat(heard.present).as("seed %d", seed).isEqualTo(kind.fakeObjects());
            assertThat(heard.syncedCount).as("seed %d", seed).isEqualTo(1);
        });
    }

    private static int disturb(Random random, ManualTimer clock, FakeListerWatcher kind, int uids) {
        switch (random.nextInt(12)) {
            case 0, 1, 2 -> kind.put("t" + uids);
            case 3 -> kind.put("t" + random.nextInt(uids + 1) + "'" + uids);
            case 4, 5 -> {
                if (!kind.fakeObjects().isEmpty()) {
                    kind.delete(kind.fakeObjects().firstKey());
                }
            }
            case 6 -> kind.breakConnections();
            case 7 -> kind.endWatches();
            case 8 -> kind.compact();
            case 9 -> kind.bookmark();
            case 10 -> kind.deliver(random.nextInt(1, 4));
            default -> clock.advance(Duration.ofSeconds(random.nextInt(200)));
        }
        // A UID is never given again.
        return uids + 1;
    }

    private static void deliverUntilQuiet(ManualTimer clock, FakeListerWatcher kind) {
        for (int i = 0; i < 400; i++) {
            clock.advance(Duration.ofSeconds(60));
            kind.deliver();
        }
    }

    @Test
    void invalidSettingsAreRejected() {
        assertThatThrownBy(
                        () -> new ReflectorSettings(Duration.ZERO, LONG_ENOUGH, LONG_ENOUGH, LONG_ENOUGH, LONG_ENOUGH))
                .hasMessageContaining("idleTimeout (PT0S) must be positive");
    }

    private void start() {
        reflector.start();
        time.run();
        server.deliver();
    }
}
