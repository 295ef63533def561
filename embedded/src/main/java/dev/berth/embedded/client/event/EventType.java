package dev.berth.embedded.client.event;

/** Whether an event is news or a reason to look closer. */
public enum EventType {
    NORMAL("Normal"),
    WARNING("Warning");

    private final String word;

    EventType(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }
}
