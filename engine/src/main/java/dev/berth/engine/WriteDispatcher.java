package dev.berth.engine;

import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import java.time.Duration;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Sends the writes of doors and plugins. For each key one write is in flight, and only the newest one waits. So the memory is
 * bounded by the number of objects while the API server is down. A write that is throttled or has no response is sent
 * again until the server answers; each write is safe to send twice. Owned by the loop.
 */
final class WriteDispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(WriteDispatcher.class);
    /** The log has a line each time so many attempts have failed. */
    private static final int TRIES_PER_WARNING = 5;

    private record PendingWrite(Effect.Write write, int tries) {}

    private final DispatchContext context;
    private final int maxInFlight;
    private final BiConsumer<Effect.Write, WriteResult> onCompleted;
    private final Map<String, PendingWrite> waiting = new LinkedHashMap<>();
    /** Keys with a write that is in flight or backs off. */
    private final Set<String> busyKeys = new HashSet<>();

    /** Keys with a write without a response, which the server may have carried out. */
    private final Set<String> uncertainKeys = new HashSet<>();

    private final DeniedWriteLog denials = new DeniedWriteLog();
    private int inFlight;

    /** @param onCompleted receives the final result of each write */
    WriteDispatcher(DispatchContext context, int maxInFlight, BiConsumer<Effect.Write, WriteResult> onCompleted) {
        this.context = context;
        this.maxInFlight = maxInFlight;
        this.onCompleted = onCompleted;
    }

    void add(Effect.Write write) {
        waiting.put(write.key(), new PendingWrite(write, 0));
    }

    /** The number of writes that are in flight, or will be sent while this process is the leader. */
    int pendingCount() {
        if (!context.mayWrite().getAsBoolean() || waiting.isEmpty()) {
            return busyKeys.size();
        }
        int both = 0;
        for (String key : busyKeys) {
            both += waiting.containsKey(key) ? 1 : 0;
        }
        return busyKeys.size() + waiting.size() - both;
    }

    int inFlight() {
        return inFlight;
    }

    /** Sends up to the limit, while this process is certainly the leader. */
    void send() {
        Iterator<PendingWrite> next = waiting.values().iterator();
        while (inFlight < maxInFlight && next.hasNext() && context.mayWrite().getAsBoolean()) {
            PendingWrite pendingWrite = next.next();
            if (busyKeys.add(pendingWrite.write().key())) {
                next.remove();
                send(pendingWrite);
            }
        }
        for (DeniedWriteLog.Warning warning :
                denials.pollWarnings(context.clock().instant())) {
            warnAbout(warning.last()).log(warning.message());
        }
    }

    private void send(PendingWrite pendingWrite) {
        inFlight++;
        context.apiServerClient()
                .write(pendingWrite.write())
                .whenComplete((writeResponse, broken) -> context.inbox()
                        .accept(() -> onResponse(pendingWrite, BindDispatcher.orUnknown(writeResponse, broken))));
    }

    private void onResponse(PendingWrite pendingWrite, WriteResponse writeResponse) {
        inFlight--;
        Effect.Write write = pendingWrite.write();
        if (writeResponse instanceof WriteResponse.Succeeded) {
            denials.onWritten(write).forEach(LOG::info);
            complete(write, WriteResult.WRITTEN);
        } else if (writeResponse instanceof WriteResponse.Conflict conflict) {
            complete(write, new WriteResult(WriteResult.ResultKind.CONFLICT, conflict.message()));
        } else if (writeResponse instanceof WriteResponse.NotFound notFound) {
            complete(write, new WriteResult(WriteResult.ResultKind.NOT_FOUND, notFound.message()));
        } else if (writeResponse instanceof WriteResponse.Denied denied) {
            denials.add(write, denied);
            // A component releases what a denied write would have promised. But an earlier attempt may have been
            // carried
            // out, so the component must read the object first. The result CONFLICT makes it do so.
            WriteResult.ResultKind kind = uncertainKeys.contains(write.key())
                    ? WriteResult.ResultKind.CONFLICT
                    : WriteResult.ResultKind.DENIED;
            complete(write, new WriteResult(kind, denied.message(), denied.request()));
        } else if (writeResponse instanceof WriteResponse.Throttled throttled) {
            retryLater(pendingWrite, throttled.retryAfter(), throttled.message());
        } else if (writeResponse instanceof WriteResponse.Unknown unknown) {
            uncertainKeys.add(write.key());
            retryLater(pendingWrite, Duration.ZERO, unknown.message());
        } else {
            throw new IllegalStateException("unknown response (%s)".formatted(writeResponse));
        }
    }

    private static LoggingEventBuilder warnAbout(Effect.Write write) {
        return LOG.atWarn().addKeyValue("door", write.component().text()).addKeyValue("object", write.object());
    }

    private void complete(Effect.Write write, WriteResult writeResult) {
        busyKeys.remove(write.key());
        uncertainKeys.remove(write.key());
        onCompleted.accept(write, writeResult);
    }

    private void retryLater(PendingWrite pendingWrite, Duration atLeast, String why) {
        int tries = pendingWrite.tries() + 1;
        if (tries % TRIES_PER_WARNING == 0) {
            warnAbout(pendingWrite.write())
                    .addArgument(pendingWrite.write().object())
                    .addArgument(tries)
                    .addArgument(why)
                    .log("writing {} has failed {} times, Berth retries: {}");
        }
        Duration delay = RetryDelays.atLeast(atLeast, tries);
        context.delayedTasks().schedule(context.clock().instant().plus(delay), () -> {
            busyKeys.remove(pendingWrite.write().key());
            waiting.putIfAbsent(pendingWrite.write().key(), new PendingWrite(pendingWrite.write(), tries));
        });
    }
}
