package dev.berth.sandbox.client.record;

/** The source of an Event: a component, and its host (empty if it does not matter). */
public record EventSource(String component, String host) {
    public EventSource {
        if (component.isEmpty()) {
            throw new IllegalArgumentException("an event source needs a component name");
        }
    }

    public static EventSource controller(String name) {
        return new EventSource(name, "");
    }
}
