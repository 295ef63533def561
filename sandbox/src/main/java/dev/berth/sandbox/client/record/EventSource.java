package dev.berth.sandbox.client.record;

/** Who reports: a component, and the host it runs on where that matters (empty otherwise). */
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
