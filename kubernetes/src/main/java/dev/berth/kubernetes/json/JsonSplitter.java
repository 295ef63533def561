package dev.berth.kubernetes.json;

import dev.berth.kubernetes.cursor.ByteQueue;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Finds whole objects in JSON that arrives in pieces, without understanding them. */
final class JsonSplitter {
    /** Says which objects are wanted and receives them. */
    interface ObjectConsumer {
        /**
         * Whether an object is wanted that begins here.
         *
         * @param depth how many objects and arrays are open around it
         * @param key the name in the outermost object under which it stands
         */
        boolean wants(int depth, String key);

        void accept(String key, byte[] array, int from, int to);
    }

    private final ObjectConsumer consumer;
    /** What each line begins with, where each object is one line: no raw line break is in JSON that is written so. */
    private final byte[] linePrefix;
    /** How much of {@link #linePrefix} was seen since the last line break; -1 where something else was. */
    private int matchedPrefix = -1;

    private final ByteQueue queue = new ByteQueue();
    /** How many of the queue's bytes have been looked at. */
    private int scanned;

    private int depth;
    private boolean inString;
    private boolean escaped;
    private int textFrom;
    private String lastText = "";
    private String key = "";
    private int objectDepth = -1;
    private int objectFrom;

    JsonSplitter(ObjectConsumer objectConsumer) {
        this(objectConsumer, "");
    }

    private JsonSplitter(ObjectConsumer objectConsumer, String linePrefix) {
        this.consumer = objectConsumer;
        this.linePrefix = linePrefix.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * For objects that are a line each. One whose braces or quotes do not match ends where the next line begins, so that it
     * hides none of those that follow.
     */
    static JsonSplitter forLines(ObjectConsumer objectConsumer, String linePrefix) {
        return new JsonSplitter(objectConsumer, linePrefix);
    }

    void read(ByteBuffer piece) {
        queue.append(piece);
        while (scanned < queue.size()) {
            scan(queue.array()[queue.from() + scanned]);
            scanned++;
            if (objectDepth < 0 && !inString) {
                queue.consume(scanned);
                scanned = 0;
            }
        }
    }

    boolean isComplete() {
        return depth == 0;
    }

    private void scan(byte next) {
        if (linePrefix.length > 0 && completesLinePrefix(next)) {
            restartAtLine();
            return;
        }
        if (inString) {
            scanInString(next);
            return;
        }
        switch (next) {
            case '"' -> {
                inString = true;
                textFrom = scanned + 1;
            }
            case ':' -> {
                if (depth == 1) {
                    key = lastText;
                }
            }
            case '{' -> open();
            case '[' -> depth++;
            case ']' -> depth--;
            case '}' -> close();
            default -> {}
        }
    }

    /** Whether this byte completes the beginning of a line, in the midst of an object that should have ended before. */
    private boolean completesLinePrefix(byte next) {
        if (next == '\n') {
            matchedPrefix = 0;
            if (objectDepth < 0) {
                depth = 0;
                inString = false;
                escaped = false;
            }
            return false;
        }
        matchedPrefix = matchedPrefix >= 0 && linePrefix[matchedPrefix] == next ? matchedPrefix + 1 : -1;
        if (matchedPrefix < linePrefix.length) {
            return false;
        }
        matchedPrefix = -1;
        return objectDepth >= 0 && objectFrom != scanned + 1 - linePrefix.length;
    }

    /** Hands over what there is of the object before, and goes on in the one whose beginning was just seen. */
    private void restartAtLine() {
        int lineFrom = scanned + 1 - linePrefix.length;
        String begin = new String(linePrefix, StandardCharsets.UTF_8);
        consumer.accept(key, queue.array(), queue.from() + objectFrom, queue.from() + lineFrom);
        depth = 1;
        objectDepth = 0;
        objectFrom = lineFrom;
        inString = false;
        escaped = false;
        lastText = begin.substring(begin.indexOf('"') + 1, begin.lastIndexOf('"'));
        key = lastText;
    }

    private void scanInString(byte next) {
        if (escaped) {
            escaped = false;
        } else if (next == '\\') {
            escaped = true;
        } else if (next == '"') {
            inString = false;
            if (depth == 1) {
                lastText =
                        new String(queue.array(), queue.from() + textFrom, scanned - textFrom, StandardCharsets.UTF_8);
            }
        }
    }

    private void open() {
        if (objectDepth < 0 && consumer.wants(depth, key)) {
            objectDepth = depth;
            objectFrom = scanned;
        }
        depth++;
    }

    private void close() {
        if (depth == 0 && linePrefix.length > 0) {
            // The rest of a line whose object seemed to end too early.
            return;
        }
        depth--;
        if (depth < 0) {
            throw new MalformedObjectException("malformed JSON: an object is closed that was not opened");
        }
        if (depth == objectDepth) {
            objectDepth = -1;
            consumer.accept(key, queue.array(), queue.from() + objectFrom, queue.from() + scanned + 1);
        }
    }
}
