package dev.berth.kubernetes.json;

import dev.berth.kubernetes.cursor.ByteQueue;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Finds complete objects in JSON that arrives in pieces, without parsing them. */
final class JsonSplitter {
    /** Selects and receives objects. */
    interface ObjectConsumer {
        /**
         * Whether an object that begins here is requested.
         *
         * @param depth the number of open objects and arrays around it
         * @param key the name in the outermost object that contains it
         */
        boolean wants(int depth, String key);

        void accept(String key, byte[] array, int from, int to);
    }

    private final ObjectConsumer consumer;
    /** The prefix of each line, if each object is one line: such JSON contains no raw line break. */
    private final byte[] linePrefix;
    /** The number of matched bytes of {@link #linePrefix} since the last line break; -1 after a mismatch. */
    private int matchedPrefix = -1;

    private final ByteQueue queue = new ByteQueue();
    /** The number of bytes of the queue that were scanned. */
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
     * For objects of one line each. An object with unbalanced braces or quotes ends where the next line begins, so that
     * it hides no later object.
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

    /** Whether this byte completes the prefix of a line, inside an object that should have ended before. */
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

    /** Passes on the incomplete object, and continues with the object whose prefix was just matched. */
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
            throw new MalformedObjectException("malformed JSON: a closing brace without an opening one");
        }
        if (depth == objectDepth) {
            objectDepth = -1;
            consumer.accept(key, queue.array(), queue.from() + objectFrom, queue.from() + scanned + 1);
        }
    }
}
