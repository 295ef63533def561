package dev.berth.kubernetes.json;

import dev.berth.kubernetes.cursor.ByteQueue;
import dev.berth.kubernetes.cursor.MalformedObject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Finds whole objects in JSON that arrives in pieces, without understanding them. */
final class JsonSplitter {
    /** Says which objects are wanted and receives them. */
    interface Wanted {
        /**
         * Whether an object is wanted that begins here.
         *
         * @param depth how many objects and arrays are open around it
         * @param key the name in the outermost object under which it stands
         */
        boolean wants(int depth, String key);

        void object(String key, byte[] array, int from, int to);
    }

    private final Wanted wanted;
    /** What each line begins with, where each object is one line: no raw line break is in JSON that is written so. */
    private final byte[] lineBegin;
    /** How much of {@link #lineBegin} was seen since the last line break; -1 where something else was. */
    private int matched = -1;

    private final ByteQueue queue = new ByteQueue();
    /** How many of the queue's bytes have been looked at. */
    private int seen;

    private int depth;
    private boolean inString;
    private boolean escaped;
    private int textFrom;
    private String lastText = "";
    private String key = "";
    private int wantedDepth = -1;
    private int wantedFrom;

    JsonSplitter(Wanted wanted) {
        this(wanted, "");
    }

    private JsonSplitter(Wanted wanted, String lineBegin) {
        this.wanted = wanted;
        this.lineBegin = lineBegin.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * For objects that are a line each. One whose braces or quotes do not match ends where the next line begins, so that it
     * hides none of those that follow.
     */
    static JsonSplitter ofLines(Wanted wanted, String lineBegin) {
        return new JsonSplitter(wanted, lineBegin);
    }

    void read(ByteBuffer piece) {
        queue.append(piece);
        while (seen < queue.size()) {
            look(queue.array()[queue.from() + seen]);
            seen++;
            if (wantedDepth < 0 && !inString) {
                queue.use(seen);
                seen = 0;
            }
        }
    }

    boolean atRest() {
        return depth == 0;
    }

    private void look(byte next) {
        if (lineBegin.length > 0 && lineBegan(next)) {
            beginAgain();
            return;
        }
        if (inString) {
            lookInString(next);
            return;
        }
        switch (next) {
            case '"' -> {
                inString = true;
                textFrom = seen + 1;
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
    private boolean lineBegan(byte next) {
        if (next == '\n') {
            matched = 0;
            if (wantedDepth < 0) {
                depth = 0;
                inString = false;
                escaped = false;
            }
            return false;
        }
        matched = matched >= 0 && lineBegin[matched] == next ? matched + 1 : -1;
        if (matched < lineBegin.length) {
            return false;
        }
        matched = -1;
        return wantedDepth >= 0 && wantedFrom != seen + 1 - lineBegin.length;
    }

    /** Hands over what there is of the object before, and goes on in the one whose beginning was just seen. */
    private void beginAgain() {
        int lineFrom = seen + 1 - lineBegin.length;
        String begin = new String(lineBegin, StandardCharsets.UTF_8);
        wanted.object(key, queue.array(), queue.from() + wantedFrom, queue.from() + lineFrom);
        depth = 1;
        wantedDepth = 0;
        wantedFrom = lineFrom;
        inString = false;
        escaped = false;
        lastText = begin.substring(begin.indexOf('"') + 1, begin.lastIndexOf('"'));
        key = lastText;
    }

    private void lookInString(byte next) {
        if (escaped) {
            escaped = false;
        } else if (next == '\\') {
            escaped = true;
        } else if (next == '"') {
            inString = false;
            if (depth == 1) {
                lastText = new String(queue.array(), queue.from() + textFrom, seen - textFrom, StandardCharsets.UTF_8);
            }
        }
    }

    private void open() {
        if (wantedDepth < 0 && wanted.wants(depth, key)) {
            wantedDepth = depth;
            wantedFrom = seen;
        }
        depth++;
    }

    private void close() {
        if (depth == 0 && lineBegin.length > 0) {
            // The rest of a line whose object seemed to end too early.
            return;
        }
        depth--;
        if (depth < 0) {
            throw new MalformedObject("malformed JSON: an object is closed that was not opened");
        }
        if (depth == wantedDepth) {
            wantedDepth = -1;
            wanted.object(key, queue.array(), queue.from() + wantedFrom, queue.from() + seen + 1);
        }
    }
}
