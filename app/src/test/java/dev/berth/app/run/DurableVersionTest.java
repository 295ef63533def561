package dev.berth.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Decider;
import dev.berth.core.decision.Door;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class DurableVersionTest {
    private final Set<PodUid> owed = new TreeSet<>();
    private final List<Runnable> inbox = new ArrayList<>();
    private String reached = "";
    private boolean full;
    private final Decider decider = decider();
    private final DurableVersion version = new DurableVersion(() -> reached, this::submit);

    private Decider decider() {
        Ledger ledger = new Ledger();
        return new Decider(
                ledger,
                new Placer(ledger, ScoreWeights.DEFAULT),
                new SchedulingQueue(BackOff.DEFAULT),
                Set.of("s"),
                List.of(new Door() {
                    @Override
                    public Origin.Door name() {
                        return Origin.Door.RETURN;
                    }

                    @Override
                    public Set<PodUid> owed() {
                        return Set.copyOf(owed);
                    }
                }));
    }

    private CompletableFuture<Set<PodUid>> submit(Function<Decider, Set<PodUid>> question) {
        if (full) {
            throw new RejectedExecutionException("full");
        }
        CompletableFuture<Set<PodUid>> answer = new CompletableFuture<>();
        inbox.add(() -> answer.complete(question.apply(decider)));
        return answer;
    }

    private void turn() {
        inbox.forEach(Runnable::run);
        inbox.clear();
    }

    private void reach(String to) {
        reached = to;
        version.renewed();
        turn();
    }

    @Test
    void aVersionIsDurableOnceTheLoopIsPastIt() {
        reached = "5";
        assertThat(version.renewed()).isEmpty();
        assertThat(version.renewed()).as("the loop has not turned").isEmpty();
        turn();
        assertThat(version.renewed()).contains("5");
    }

    @Test
    void aVersionIsNotDurableWhileSomethingIsOwedToPodsThatHadGone() {
        reach("5");
        owed.add(new PodUid("a"));
        reach("7");
        assertThat(version.renewed()).contains("5");
        turn();
        owed.add(new PodUid("b"));
        assertThat(version.renewed()).contains("5");
        owed.remove(new PodUid("a"));
        turn();
        assertThat(version.renewed()).as("b went later").contains("7");
        turn();
        assertThat(version.renewed()).as("b is owed now").contains("7");
    }

    @Test
    void aLoopThatIsTooBusyIsAskedAgain() {
        reach("5");
        full = true;
        reached = "7";
        assertThat(version.renewed()).contains("5");
        full = false;
        assertThat(version.renewed()).contains("5");
        turn();
        assertThat(version.renewed()).contains("7");
    }
}
