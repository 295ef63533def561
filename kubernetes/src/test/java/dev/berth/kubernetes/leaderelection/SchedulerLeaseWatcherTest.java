package dev.berth.kubernetes.leaderelection;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.kubernetes.time.Clocks;
import dev.berth.kubernetes.time.ManualTimer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Berth serves no scheduler name whose own scheduler holds its Lease. */
class SchedulerLeaseWatcherTest {
    private static final SchedulerLease KOORD = SchedulerLease.parse("koordinator-system/koord-scheduler");
    private static final SchedulerLease KUBE = SchedulerLease.parse("kube-system/kube-scheduler");
    private static final Duration VALID = Duration.ofSeconds(15);

    private final ManualTimer world = new ManualTimer();
    private final Map<SchedulerLease, LeaseStore.LeaseResult> answers =
            new TreeMap<>((one, other) -> one.toString().compareTo(other.toString()));
    private final List<String> changes = new ArrayList<>();
    private int reads;
    private final SchedulerLeaseWatcher watcher = new SchedulerLeaseWatcher(
            this::read,
            new SchedulerLeaseWatcher.WatcherTimeSources(
                    world, Duration.ofSeconds(2), new Clocks(world, this::ticks), () -> Optional.of(world.instant())),
            this::recordChange);

    private long ticks() {
        return Duration.between(Instant.EPOCH, world.instant()).toNanos();
    }

    private CompletableFuture<LeaseStore.LeaseResult> read(SchedulerLease lease) {
        reads++;
        CompletableFuture<LeaseStore.LeaseResult> answer = new CompletableFuture<>();
        LeaseStore.LeaseResult present = answers.getOrDefault(lease, new LeaseStore.LeaseResult.NotFound());
        world.schedule(Duration.ofMillis(10), () -> answer.complete(present));
        return answer;
    }

    private void recordChange() {
        changes.add(blocked());
    }

    private String blocked() {
        return String.join(",", watcher.blockedNames().keySet());
    }

    private SchedulerLeaseWatcher.BlockedName block() {
        return requireNonNull(watcher.blockedNames().get("koord-scheduler"));
    }

    private void watchKoordScheduler() {
        CompletableFuture<Void> known =
                watcher.watch(Map.of("koord-scheduler", KOORD)).toCompletableFuture();
        world.advance(Duration.ofMillis(10));
        assertThat(known).isDone();
    }

    /** The holder renews at the present time, by its own clock. */
    private void renew(SchedulerLease lease, String holder, Duration clockAhead) {
        answers.put(
                lease,
                new LeaseStore.LeaseResult.Found(Lease.newLease(lease.namespace(), lease.name())
                        .heldBy(holder, VALID, world.instant().plus(clockAhead))));
    }

    private void renewFor(Duration time) {
        for (long seconds = 0; seconds < time.toSeconds(); seconds += 2) {
            renew(KOORD, "koord-1", Duration.ZERO);
            world.advance(Duration.ofSeconds(2));
        }
    }

    private void release() {
        Lease held = Lease.newLease(KOORD.namespace(), KOORD.name()).heldBy("koord-1", VALID, world.instant());
        answers.put(KOORD, new LeaseStore.LeaseResult.Found(held.released(world.instant())));
    }

    @Test
    void aNameIsBlockedUntilItsLeaseWasRead() {
        watcher.watch(Map.of("koord-scheduler", KOORD));
        world.advance(Duration.ofMillis(9));
        assertThat(block().certain()).as("a late answer proves nothing").isFalse();
        world.advance(Duration.ofMillis(1));
        assertThat(blocked()).isEmpty();
        assertThat(changes).as("the engine starts to serve the name").containsExactly("");
    }

    @Test
    void aNameWithoutALeaseIsServedAtOnce() {
        watchKoordScheduler();
        assertThat(blocked()).isEmpty();
    }

    @Test
    void aNameWhoseSchedulerRenewsItsLeaseIsBlocked() {
        renew(KOORD, "koord-1", Duration.ZERO);
        watchKoordScheduler();
        renewFor(Duration.ofMinutes(5));
        assertThat(block())
                .hasToString(
                        "its own scheduler holds the Lease koordinator-system/koord-scheduler. Berth serves the name when the Lease expires or is released (koord-1 holds it)");
    }

    @Test
    void aReleasedLeaseFreesTheNameWithinTwoSeconds() {
        renew(KOORD, "koord-1", Duration.ZERO);
        watchKoordScheduler();
        renewFor(Duration.ofSeconds(20));
        release();
        world.advance(Duration.ofSeconds(3));
        assertThat(blocked()).isEmpty();
        assertThat(changes).last().isEqualTo("");
    }

    @Test
    void theLeaseOfAKilledSchedulerFreesTheNameWhenItExpires() {
        renew(KOORD, "koord-1", Duration.ZERO);
        watchKoordScheduler();
        renewFor(Duration.ofSeconds(20));
        world.advance(VALID.minusSeconds(3));
        assertThat(blocked()).isEqualTo("koord-scheduler");
        world.advance(Duration.ofSeconds(5));
        assertThat(blocked()).isEmpty();
    }

    @Test
    void aSchedulerThatComesBackTakesItsNameAgain() {
        watchKoordScheduler();
        world.advance(Duration.ofMinutes(1));
        renew(KOORD, "koord-1", Duration.ZERO);
        world.advance(Duration.ofSeconds(3));
        assertThat(blocked()).isEqualTo("koord-scheduler");
        release();
        world.advance(Duration.ofSeconds(3));
        assertThat(changes).containsExactly("", "koord-scheduler", "");
    }

    @Test
    void aStartingBerthDoesNotWaitForALeaseThatExpiredLongAgo() {
        renew(KOORD, "koord-1", Duration.ZERO);
        world.advance(VALID.plus(ObservedSchedulerLease.CLOCK_MARGIN));
        watchKoordScheduler();
        assertThat(blocked()).isEmpty();
    }

    @Test
    void aStartingBerthWaitsForALeaseThatItsHolderMayStillRenew() {
        renew(KOORD, "koord-1", Duration.ZERO);
        world.advance(VALID.plusSeconds(2));
        watchKoordScheduler();
        assertThat(blocked()).as("the holder's clock may be slow").isEqualTo("koord-scheduler");
        world.advance(Duration.ofSeconds(5));
        assertThat(blocked()).isEmpty();
    }

    @Test
    void aDeadHolderWhoseClockWasAheadBlocksTheNameForTheDurationOfTheLease() {
        renew(KOORD, "koord-1", Duration.ofHours(5));
        watchKoordScheduler();
        assertThat(blocked()).isEqualTo("koord-scheduler");
        world.advance(VALID.plus(ObservedSchedulerLease.CLOCK_MARGIN).plusSeconds(2));
        assertThat(blocked()).isEmpty();
    }

    @Test
    void aHolderWhoseClockIsBehindBlocksTheNameWithItsNextRenewal() {
        renew(KOORD, "koord-1", Duration.ofHours(-5));
        watchKoordScheduler();
        renew(KOORD, "koord-1", Duration.ofHours(-5).plusSeconds(2));
        world.advance(Duration.ofSeconds(3));
        assertThat(blocked()).isEqualTo("koord-scheduler");
    }

    @Test
    void aLeaseThatBerthMayNotReadBlocksTheNameAndSaysWhatToDo() {
        answers.put(KOORD, new LeaseStore.LeaseResult.Failed("403 Forbidden: leases is forbidden"));
        watchKoordScheduler();
        SchedulerLeaseWatcher.BlockedName block = block();
        assertThat(block.certain()).isFalse();
        assertThat(block)
                .asString()
                .contains(
                        "the Lease koordinator-system/koord-scheduler cannot be read",
                        "permission to get this Lease",
                        "403 Forbidden");
    }

    @Test
    void aFailureThatLastsBlocksTheNameThoughTheLeaseWasFreeBefore() {
        watchKoordScheduler();
        answers.put(KOORD, new LeaseStore.LeaseResult.Failed("timeout"));
        world.advance(Duration.ofSeconds(10));
        assertThat(blocked()).as("one lost answer proves nothing").isEmpty();
        world.advance(Duration.ofSeconds(10));
        assertThat(blocked()).isEqualTo("koord-scheduler");
    }

    @Test
    void ofSeveralNamesOnlyTheConcernedOneIsBlocked() {
        renew(KUBE, "kube-1", Duration.ZERO);
        watcher.watch(Map.of("koord-scheduler", KOORD, "default-scheduler", KUBE));
        world.advance(Duration.ofMillis(10));
        assertThat(blocked()).isEqualTo("default-scheduler");
    }

    @Test
    void anotherHolderOfTheSameLeaseChangesNothingForTheEngine() {
        renew(KOORD, "koord-1", Duration.ZERO);
        watchKoordScheduler();
        renew(KOORD, "koord-2", Duration.ZERO);
        world.advance(Duration.ofSeconds(3));
        assertThat(block().detail()).isEqualTo("koord-2 holds it");
        assertThat(changes).as("after the first answer").containsExactly("koord-scheduler");
    }

    @Test
    void noLeaseIsReadForNamesWithoutOne() {
        CompletableFuture<Void> known = watcher.watch(Map.of()).toCompletableFuture();
        world.advance(Duration.ofMinutes(1));
        assertThat(known).isDone();
        assertThat(reads).isZero();
    }

    @Test
    void aMalformedLeaseIsRejected() {
        assertThatThrownBy(() -> SchedulerLease.parse("koord-scheduler"))
                .hasMessage(
                        "(koord-scheduler) must be the namespace and the name of a Lease, such as kube-system/kube-scheduler");
    }
}
