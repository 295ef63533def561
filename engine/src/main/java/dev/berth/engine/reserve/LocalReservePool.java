package dev.berth.engine.reserve;

import dev.berth.core.decision.Decider;
import dev.berth.core.decision.Desk;
import dev.berth.core.door.reserve.ReserveAnswer;
import dev.berth.core.door.reserve.ReserveDoor;
import dev.berth.core.door.reserve.ReservePool;
import dev.berth.core.door.reserve.ReserveRequest;
import dev.berth.core.hold.Origin;
import dev.berth.engine.LedgerLoop;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/**
 * The pool in the process of the ledger: each question is one command of the loop. What cannot be answered now, because
 * the cluster is not read yet, the loop is too busy or has ended, is refused in words.
 */
public final class LocalReservePool implements ReservePool {
    private static final String NOT_READY =
            "Berth is not ready: it has not read the whole cluster yet, or another replica leads. Maybe try again soon";

    private final LedgerLoop loop;
    private final InstantSource clock;
    private final Duration patience;

    /**
     * Opens the pool.
     *
     * @param patience how long to wait for a loop that does not answer; longer than the door's own time to answer
     */
    public LocalReservePool(LedgerLoop loop, InstantSource clock, Duration patience) {
        this.loop = loop;
        this.clock = clock;
        this.patience = patience;
    }

    /**
     * A question on its way. Either it is answered or who asked gives up, never both: what was promised to nobody is
     * taken back by the door.
     */
    private final class Question implements ReserveDoor.Asker {
        private final ReserveRequest request;
        private final CompletableFuture<ReserveAnswer> answer = new CompletableFuture<>();
        private final AtomicBoolean over = new AtomicBoolean();

        private Question(ReserveRequest request) {
            this.request = request;
        }

        @Override
        public boolean hears(ReserveAnswer words) {
            boolean first = over.compareAndSet(false, true);
            if (first) {
                loop.answer(answer, words);
            }
            return first;
        }

        private boolean giveUp() {
            return over.compareAndSet(false, true);
        }

        private boolean isOver() {
            return over.get();
        }
    }

    @Override
    public ReserveAnswer reserve(ReserveRequest request) throws InterruptedException {
        Question question = new Question(request);
        CompletableFuture<ReserveAnswer> answer = ask(question, (door, desk) -> door.reserve(request, desk, question));
        try {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException silent) {
            return question.giveUp()
                    ? refused(request, "Berth did not decide within %d ms, and keeps nothing".formatted(millis()))
                    : decided(question, answer);
        } catch (ExecutionException ended) {
            return refused(request, "Berth could not decide: " + ended.getMessage());
        } catch (InterruptedException interrupted) {
            question.giveUp();
            throw interrupted;
        }
    }

    /** The loop has answered and is about to publish what it decided. */
    private ReserveAnswer decided(Question question, CompletableFuture<ReserveAnswer> answer)
            throws InterruptedException {
        try {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException stuck) {
            return refused(
                    question.request,
                    "Berth decided and could not say what within %d ms. Maybe it is reserved: unreserve to be sure"
                            .formatted(2 * millis()));
        } catch (ExecutionException ended) {
            return refused(question.request, "Berth could not decide: " + ended.getMessage());
        }
    }

    @Override
    public ReserveAnswer unreserve(ReserveRequest request) throws InterruptedException {
        Question question = new Question(request);
        CompletableFuture<ReserveAnswer> answer =
                ask(question, (door, desk) -> question.hears(door.unreserve(request, desk)));
        try {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException silent) {
            return refused(
                    request,
                    "Berth did not decide within %d ms. It gives it back as soon as it can".formatted(millis()));
        } catch (ExecutionException ended) {
            return refused(request, "Berth could not decide: " + ended.getMessage());
        }
    }

    private long millis() {
        return patience.toMillis();
    }

    private CompletableFuture<ReserveAnswer> ask(Question question, BiConsumer<ReserveDoor, Desk> words) {
        ReserveRequest request = question.request;
        try {
            return loop.submit(decider -> ask(decider, question, words))
                    .thenCompose(asked -> question.answer)
                    .exceptionally(broken -> refused(request, "Berth could not decide: " + broken.getMessage()));
        } catch (RejectedExecutionException busy) {
            return CompletableFuture.completedFuture(refused(request, "Berth is too busy: " + busy.getMessage()));
        }
    }

    /** Says whether the door was asked. */
    private boolean ask(Decider decider, Question question, BiConsumer<ReserveDoor, Desk> words) {
        if (question.isOver()) {
            return false;
        }
        if (!loop.ready()) {
            question.hears(refused(question.request, NOT_READY));
            return false;
        }
        return decider.ask(Origin.Door.RESERVE, clock.instant(), (door, desk) -> {
            words.accept((ReserveDoor) door, desk);
            return true;
        });
    }

    private static ReserveAnswer refused(ReserveRequest request, String error) {
        List<String> names =
                request.seats().stream().map(seat -> seat.pod().name()).toList();
        return ReserveAnswer.refused(names, error, List.of());
    }
}
