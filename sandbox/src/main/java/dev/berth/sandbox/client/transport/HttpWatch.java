package dev.berth.sandbox.client.transport;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.JsonText;
import dev.berth.sandbox.unstructured.NestedFields;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A watch over HTTP: one JSON object a line, fetched only as fast as it is polled. */
final class HttpWatch implements WatchStream, Flow.Subscriber<String> {
    private static final int MAX_BUFFERED_LINES = 1_000;

    private final String path;
    private final Runnable onAvailable;
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final AtomicReference<Flow.@Nullable Subscription> subscription = new AtomicReference<>();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final AtomicBoolean complete = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicReference<@Nullable CompletableFuture<?>> exchange = new AtomicReference<>();

    HttpWatch(String path, Runnable onAvailable) {
        this.path = path;
        this.onAvailable = onAvailable;
    }

    void open(HttpClient client, HttpRequest request) {
        CompletableFuture<?> sent = client.sendAsync(request, this::body);
        exchange.set(sent);
        var unused = sent.whenComplete((response, problem) -> {
            if (problem != null) {
                onError(problem);
            }
        });
    }

    private BodySubscriber<?> body(HttpResponse.ResponseInfo info) {
        if (info.statusCode() == 200) {
            return BodySubscribers.fromLineSubscriber(this);
        }
        return BodySubscribers.mapping(BodySubscribers.ofByteArray(), bytes -> toErrorEvent(info.statusCode(), bytes));
    }

    /** A rejection has the form of an error event, so that readers handle both in the same way. */
    private byte[] toErrorEvent(int code, byte[] body) {
        ObjectNode status = NestedFields.newObject().put("kind", "Status").put("code", code);
        String text = new String(body, UTF_8);
        if (text.startsWith("{")) {
            status = JsonText.parse(text);
        } else {
            status.put("message", text);
        }
        ObjectNode event = NestedFields.newObject().put("type", "ERROR");
        event.set("object", status);
        lines.add(event.toString());
        onComplete();
        return body;
    }

    @Override
    public Optional<WatchEvent> poll() {
        String line = lines.poll();
        if (line == null) {
            Throwable problem = failure.get();
            // Read again: a line may have come between the look at the queue and the look at the failure.
            if (problem != null && !closed.get() && lines.isEmpty()) {
                throw new UnreachableException("watch of %s: %s".formatted(path, problem.getMessage()), problem);
            }
            return Optional.empty();
        }
        Flow.Subscription open = subscription.get();
        if (open != null) {
            open.request(1);
        }
        ObjectNode event = JsonText.parse(line);
        WatchEvent.Type type = WatchEvent.Type.valueOf(NestedFields.text(event, "type"));
        return Optional.of(new WatchEvent(type, (ObjectNode) NestedFields.at(event, "object")));
    }

    @Override
    public boolean ended() {
        return complete.get() && lines.isEmpty();
    }

    @Override
    public void close() {
        closed.set(true);
        complete.set(true);
        Flow.Subscription open = subscription.get();
        if (open != null) {
            open.cancel();
        }
        CompletableFuture<?> sent = exchange.get();
        if (sent != null) {
            sent.cancel(true);
        }
        lines.clear();
    }

    @Override
    public void onSubscribe(Flow.Subscription opened) {
        subscription.set(opened);
        opened.request(MAX_BUFFERED_LINES);
    }

    @Override
    public void onNext(String line) {
        if (closed.get()) {
            return;
        }
        lines.add(line);
        onAvailable.run();
    }

    @Override
    public void onError(Throwable problem) {
        failure.compareAndSet(null, problem);
        onAvailable.run();
    }

    @Override
    public void onComplete() {
        complete.set(true);
        onAvailable.run();
    }
}
