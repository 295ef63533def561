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

    @Override
    public ReserveAnswer reserve(ReserveRequest request) throws InterruptedException {
        return await(request, begin(request));
    }

    /** The same without waiting. */
    public CompletableFuture<ReserveAnswer> begin(ReserveRequest request) {
        CompletableFuture<ReserveAnswer> future = new CompletableFuture<>();
        return ask(request, future, (door, desk) -> door.reserve(request, desk, answer -> loop.answer(future, answer)));
    }

    @Override
    public ReserveAnswer unreserve(ReserveRequest request) throws InterruptedException {
        CompletableFuture<ReserveAnswer> future = new CompletableFuture<>();
        return await(request, ask(request, future, (door, desk) -> loop.answer(future, door.unreserve(request, desk))));
    }

    private CompletableFuture<ReserveAnswer> ask(
            ReserveRequest request, CompletableFuture<ReserveAnswer> future, BiConsumer<ReserveDoor, Desk> question) {
        try {
            return loop.submit(decider -> ask(decider, request, future, question))
                    .thenCompose(asked -> future)
                    .exceptionally(broken -> refused(request, "Berth could not decide: " + broken.getMessage()));
        } catch (RejectedExecutionException busy) {
            return CompletableFuture.completedFuture(refused(request, "Berth is too busy: " + busy.getMessage()));
        }
    }

    /** Says whether the door was asked. */
    private boolean ask(
            Decider decider,
            ReserveRequest request,
            CompletableFuture<ReserveAnswer> future,
            BiConsumer<ReserveDoor, Desk> question) {
        if (!loop.ready()) {
            loop.answer(future, refused(request, NOT_READY));
            return false;
        }
        return decider.ask(Origin.Door.RESERVE_API, clock.instant(), (door, desk) -> {
            question.accept((ReserveDoor) door, desk);
            return true;
        });
    }

    private ReserveAnswer await(ReserveRequest request, CompletableFuture<ReserveAnswer> future)
            throws InterruptedException {
        try {
            return future.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException silent) {
            return refused(request, "Berth did not decide within %d ms".formatted(patience.toMillis()));
        } catch (ExecutionException ended) {
            return refused(request, "Berth could not decide: " + ended.getMessage());
        }
    }

    private static ReserveAnswer refused(ReserveRequest request, String error) {
        List<String> names =
                request.seats().stream().map(seat -> seat.pod().name()).toList();
        return ReserveAnswer.refused(names, error, List.of());
    }
}
