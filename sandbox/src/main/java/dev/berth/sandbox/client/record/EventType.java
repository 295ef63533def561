package dev.berth.sandbox.client.record;

/** Whether an event is news or a reason to look closer. */
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
