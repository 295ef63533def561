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
        this.wanted = wanted;
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
