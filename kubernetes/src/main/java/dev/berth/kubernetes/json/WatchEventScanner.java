package dev.berth.kubernetes.json;

import java.nio.charset.StandardCharsets;

/**
 * Finds the position of the object in an event, and the event's type, without parsing the object. Neither depth nor
 * length is limited, and nothing within the object can hide the type, which may come before or after it.
 */
final class WatchEventScanner {
    private static final int MAX_TYPE_LENGTH = 64;

    private final byte[] array;
    private final int to;
    private String type = "";
    private int objectFrom = -1;
    private int objectTo = -1;
    private String key = "";

    private WatchEventScanner(byte[] array, int to) {
        this.array = array;
        this.to = to;
    }

    static WatchEventScanner scan(byte[] array, int from, int to) {
        WatchEventScanner span = new WatchEventScanner(array, to);
        span.scanFrom(from);
        return span;
    }

    String type() {
        return type;
    }

    boolean hasObject() {
        return objectFrom >= 0;
    }

    int objectFrom() {
        return objectFrom;
    }

    int objectTo() {
        return objectTo;
    }

    private void scanFrom(int from) {
        int depth = 0;
        String text = "";
        for (int at = from; at < to; at++) {
            switch (array[at]) {
                case '"' -> {
                    int end = stringEnd(at);
                    if (depth == 1) {
                        text = text(at + 1, end);
                        if (key.equals("type")) {
                            type = text;
                            key = "";
                        }
                    }
                    at = end;
                }
                case ':' -> key = depth == 1 ? text : key;
                case ',' -> key = depth == 1 ? "" : key;
                case '{', '[' -> {
                    if (depth == 1 && array[at] == '{' && key.equals("object") && objectFrom < 0) {
                        objectFrom = at;
                        objectTo = to;
                    }
                    depth++;
                }
                case '}', ']' -> {
                    depth--;
                    if (depth == 1 && key.equals("object") && objectTo == to) {
                        objectTo = at + 1;
                    }
                }
                default -> {}
            }
        }
    }

    /** The position of the string's closing quote, or the end if there is none. */
    private int stringEnd(int quote) {
        int at = quote + 1;
        while (at < to && array[at] != '"') {
            at += array[at] == '\\' ? 2 : 1;
        }
        return Math.min(at, to);
    }

    private String text(int from, int end) {
        return end - from > MAX_TYPE_LENGTH ? "" : new String(array, from, end - from, StandardCharsets.UTF_8);
    }
}
