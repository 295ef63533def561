package dev.berth.testkit.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An open watch; its events are read as they arrive and returned in order. */
public final class ApiWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ApiWatch.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int TIMEOUT_SECONDS = 30;

    private final String name;
    private final InputStream body;
    private final BlockingQueue<Item> items = new LinkedBlockingQueue<>();
    private final List<String> skipped = new ArrayList<>();

    private sealed interface Item {
        record Json(JsonNode event) implements Item {

            Event asEvent() {
                return new Event(event.path("type").asText(), event.path("object"));
            }
        }

        record Frame(ProtoMessage event) implements Item {}

        record EndedByServer() implements Item {}

        record Broken(IOException cause) implements Item {}
    }

    /** One event of a watch in JSON. */
    public record Event(String type, JsonNode object) {

        public String name() {
            return object.at("/metadata/name").asText();
        }

        public String resourceVersion() {
            return object.at("/metadata/resourceVersion").asText();
        }

        @Override
        public String toString() {
            return type + " " + name();
        }
    }

    ApiWatch(String name, InputStream body, boolean protobuf) {
        this.name = name;
        this.body = body;
        Thread reader = new Thread(protobuf ? this::readFrames : this::readJson, "watching");
        reader.setDaemon(true);
        reader.start();
    }

    /** The next event of a watch in JSON. */
    public Event next() {
        Item item = take();
        if (item instanceof Item.Json json) {
            return json.asEvent();
        }
        throw new AssertionError("%s gave no event in JSON but (%s), after %s".formatted(name, item, skipped));
    }

    /** The next event of a watch in JSON, or nothing where the server ended the watch. */
    public Optional<Event> nextOrEnd() {
        Item item = take();
        if (item instanceof Item.Json json) {
            return Optional.of(json.asEvent());
        }
        if (item instanceof Item.EndedByServer) {
            return Optional.empty();
        }
        throw new AssertionError("%s gave no event in JSON but (%s), after %s".formatted(name, item, skipped));
    }

    /** The next event of a watch in protobuf: field 1 is the type, field 2 holds the object in field 1. */
    public ProtoMessage nextFrame() {
        Item item = take();
        if (item instanceof Item.Frame frame) {
            return frame.event();
        }
        throw new AssertionError("%s gave no frame but (%s), after %s".formatted(name, item, skipped));
    }

    /** The next events, each as {@code TYPE name}. */
    public List<String> next(int count) {
        List<String> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add(next().toString());
        }
        return events;
    }

    /** Skips events up to the first one of this type and name. */
    public Event await(String type, String object) {
        while (true) {
            Event event = next();
            if (event.type().equals(type) && event.name().equals(object)) {
                return event;
            }
        }
    }

    /** Waits until the server ends the watch, and returns the events before that. */
    public List<Event> awaitEnd() {
        List<Event> events = new ArrayList<>();
        Optional<Event> event = nextOrEnd();
        while (event.isPresent()) {
            events.add(event.get());
            event = nextOrEnd();
        }
        return events;
    }

    private Item take() {
        try {
            Item item = items.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            if (item == null) {
                throw new AssertionError(
                        "%s said nothing for %d s, after %s".formatted(name, TIMEOUT_SECONDS, skipped));
            }
            skipped.add(item.toString());
            return item;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while watching", e);
        }
    }

    private void readJson() {
        try (MappingIterator<JsonNode> events = JSON.readerFor(JsonNode.class).readValues(body)) {
            while (events.hasNextValue()) {
                items.add(new Item.Json(events.nextValue()));
            }
            items.add(new Item.EndedByServer());
        } catch (IOException e) {
            LOG.debug("{} broke", name, e);
            items.add(new Item.Broken(e));
        }
    }

    private void readFrames() {
        try (DataInputStream frames = new DataInputStream(body)) {
            while (true) {
                byte[] frame = new byte[frames.readInt()];
                frames.readFully(frame);
                items.add(new Item.Frame(ProtoMessage.parse(frame)));
            }
        } catch (EOFException e) {
            LOG.debug("{} ended", name, e);
            items.add(new Item.EndedByServer());
        } catch (IOException e) {
            LOG.debug("{} broke", name, e);
            items.add(new Item.Broken(e));
        }
    }

    @Override
    public void close() {
        try {
            body.close();
        } catch (IOException e) {
            LOG.debug("{} was closed already", name, e);
        }
    }
}
