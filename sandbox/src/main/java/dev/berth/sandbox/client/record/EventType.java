package dev.berth.sandbox.client.record;

/** The type of an Event: Normal or Warning. */
public enum EventType {
    NORMAL("Normal"),
    WARNING("Warning");

    private final String value;

    EventType(String word) {
        this.value = word;
    }

    public String value() {
        return value;
    }
}
