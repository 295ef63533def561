package dev.berth.app.run;

import static dev.berth.core.testing.SchedulerBuilder.aScheduler;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.DurabilityTracker;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.scheduling.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ResumeVersionTest {
    private final Set<PodUid> pendingPods = new TreeSet<>();
    private final List<Runnable> inbox = new ArrayList<>();
    private String versionRead = "";
    private boolean full;
    private final Scheduler scheduler = scheduler();
    private final ResumeVersion version = new ResumeVersion(() -> versionRead, this::submit);

    private Scheduler scheduler() {
        Ledger ledger = new Ledger();
        return aScheduler(ledger)
                .serving("s")
                .withDoors(new DurabilityTracker() {
                    @Override
                    public Origin.DoorId id() {
                        return Origin.DoorId.GODEL;
                    }

                    @Override
                    public Set<PodUid> podsPendingDurability() {
                        return Set.copyOf(pendingPods);
                    }
                })
                .build();
    }

    private CompletableFuture<Set<PodUid>> submit(Function<Scheduler, Set<PodUid>> question) {
        if (full) {
            throw new RejectedExecutionException("full");
        }
        CompletableFuture<Set<PodUid>> answer = new CompletableFuture<>();
        inbox.add(() -> answer.complete(question.apply(scheduler)));
        return answer;
    }

    private void runInbox() {
        inbox.forEach(Runnable::run);
        inbox.clear();
    }

    private void advanceTo(String to) {
        versionRead = to;
        version.advance();
        runInbox();
    }

    @Test
    void aVersionIsResumableOnceTheLoopHasProcessedIt() {
        versionRead = "5";
        assertThat(version.advance()).isEmpty();
        assertThat(version.advance()).as("the loop has not turned").isEmpty();
        runInbox();
        assertThat(version.advance()).contains("5");
    }

    @Test
    void aVersionIsNotResumableWhileDeletedPodsHavePendingWrites() {
        advanceTo("5");
        pendingPods.add(new PodUid("a"));
        advanceTo("7");
        assertThat(version.advance()).contains("5");
        runInbox();
        pendingPods.add(new PodUid("b"));
        assertThat(version.advance()).contains("5");
        pendingPods.remove(new PodUid("a"));
        runInbox();
        assertThat(version.advance()).as("b went later").contains("7");
        runInbox();
        assertThat(version.advance()).as("b is owed now").contains("7");
    }

    @Test
    void aProbeOfABusyLoopIsRetried() {
        advanceTo("5");
        full = true;
        versionRead = "7";
        assertThat(version.advance()).contains("5");
        full = false;
        assertThat(version.advance()).contains("5");
        runInbox();
        assertThat(version.advance()).contains("7");
    }
}
