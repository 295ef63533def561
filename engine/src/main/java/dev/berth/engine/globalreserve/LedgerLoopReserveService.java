package dev.berth.engine.globalreserve;

import dev.berth.core.door.DoorHandle;
import dev.berth.core.door.globalreserve.GlobalReserveDoor;
import dev.berth.core.door.globalreserve.ReserveRequest;
import dev.berth.core.door.globalreserve.ReserveResponse;
import dev.berth.core.door.globalreserve.ReserveService;
import dev.berth.core.hold.Origin;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.engine.LedgerLoop;
import dev.berth.engine.LoopClient;
import dev.berth.engine.LoopUnavailableException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The Reserve API of the ledger in this process: each request is one command of the loop. A request that the loop cannot
 * decide now is rejected with the reason.
 */
public final class LedgerLoopReserveService implements ReserveService {
    private final LoopClient loopClient;
    private final InstantSource clock;
    private final Duration timeout;

    /** @param timeout how long to wait for the loop; longer than the door's own time limit for a response */
    public LedgerLoopReserveService(LedgerLoop loop, InstantSource clock, Duration timeout) {
        this.loopClient = new LoopClient(loop, timeout);
        this.clock = clock;
        this.timeout = timeout;
    }

    @Override
    public ReserveResponse reserve(ReserveRequest request) throws InterruptedException {
        try {
            return loopClient.call((scheduler, reply) -> {
                if (!reply.isDecided()) {
                    callDoor(scheduler, (door, handle) -> door.reserve(request, handle, reply::complete));
                }
            });
        } catch (LoopUnavailableException unavailable) {
            return rejected(
                    request,
                    switch (unavailable.reason()) {
                        case TIMED_OUT ->
                            "Berth did not decide within %d ms, and reserved nothing".formatted(timeout.toMillis());
                        case REPLY_LATE ->
                            "Berth decided, but sent no response within %d ms. The places may be reserved: unreserve to be sure"
                                    .formatted(2 * timeout.toMillis());
                        case NOT_READY, TOO_BUSY, FAILED -> message(unavailable);
                    });
        }
    }

    @Override
    public ReserveResponse unreserve(ReserveRequest request) throws InterruptedException {
        try {
            return loopClient.call((scheduler, reply) ->
                    callDoor(scheduler, (door, handle) -> reply.complete(door.unreserve(request, handle))));
        } catch (LoopUnavailableException unavailable) {
            return rejected(
                    request,
                    switch (unavailable.reason()) {
                        case TIMED_OUT, REPLY_LATE ->
                            "Berth did not decide within %d ms. It releases the places as soon as it can"
                                    .formatted(timeout.toMillis());
                        case NOT_READY, TOO_BUSY, FAILED -> message(unavailable);
                    });
        }
    }

    private void callDoor(Scheduler scheduler, BiConsumer<GlobalReserveDoor, DoorHandle> call) {
        scheduler.callDoor(Origin.DoorId.GLOBALRESERVE, clock.instant(), (door, handle) -> {
            call.accept((GlobalReserveDoor) door, handle);
            return true;
        });
    }

    private static String message(LoopUnavailableException unavailable) {
        return switch (unavailable.reason()) {
            case NOT_READY -> unavailable.message();
            case TOO_BUSY -> "Berth is too busy: " + unavailable.message();
            case TIMED_OUT, REPLY_LATE, FAILED -> "Berth could not decide: " + unavailable.message();
        };
    }

    private static ReserveResponse rejected(ReserveRequest request, String error) {
        List<String> names = request.assignments().stream()
                .map(podAssignment -> podAssignment.pod().name())
                .toList();
        return ReserveResponse.rejected(names, error, List.of());
    }
}
