package dev.berth.kubernetes.protobuf;

import dev.berth.kubernetes.cursor.BodyReader;
import dev.berth.kubernetes.cursor.ByteQueue;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.ListSink;
import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.cursor.Strings;
import java.nio.ByteBuffer;

/** Takes a list in protobuf apart: the envelope, in it the list, in it the items, each as soon as it is complete. */
public final class ProtoListReader implements BodyReader {
    private static final int LIST_METADATA = 1;
    private static final int LIST_ITEMS = 2;
    private static final FieldNames NO_NAMES = FieldNames.none();

    private enum Stage {
        MAGIC,
        ENVELOPE,
        LIST,
        AFTER
    }

    private final ListSink sink;
    private final ByteQueue queue = new ByteQueue();
    private final ProtoCursor cursor;
    private Stage stage = Stage.MAGIC;
    private long listLeft;
    // The head of the next field, as far as it has arrived.
    private int field;
    private int headSize;
    private int bodySize;

    public ProtoListReader(Strings strings, ListSink sink) {
        this.sink = sink;
        this.cursor = new ProtoCursor(strings);
    }

    @Override
    public void read(ByteBuffer piece) {
        queue.append(piece);
        while (step()) {
            // Each step uses up a part of what has arrived.
        }
    }

    @Override
    public void end() {
        boolean whole = stage == Stage.AFTER || (stage == Stage.LIST && listLeft == 0);
        if (!whole) {
            throw new MalformedObject("the list broke off with %d bytes unread".formatted(queue.size()));
        }
    }

    private boolean step() {
        return switch (stage) {
            case MAGIC -> magic();
            case ENVELOPE -> envelope();
            case LIST -> list();
            case AFTER -> {
                queue.use(queue.size());
                yield false;
            }
        };
    }

    private boolean magic() {
        if (queue.size() < Envelope.MAGIC_SIZE) {
            return false;
        }
        Envelope.requireMagic(queue.array(), queue.from(), queue.to());
        queue.use(Envelope.MAGIC_SIZE);
        stage = Stage.ENVELOPE;
        return true;
    }

    private boolean envelope() {
        if (!head()) {
            return false;
        }
        if (field == Envelope.RAW) {
            queue.use(headSize);
            listLeft = bodySize;
            stage = Stage.LIST;
            return true;
        }
        if (queue.size() < headSize + bodySize) {
            return false;
        }
        queue.use(headSize + bodySize);
        return true;
    }

    private boolean list() {
        if (listLeft == 0) {
            stage = Stage.AFTER;
            return true;
        }
        if (!head() || queue.size() < headSize + bodySize) {
            return false;
        }
        int from = queue.from() + headSize;
        if (field == LIST_ITEMS) {
            sink.item(cursor.over(queue.array(), from, from + bodySize));
        } else if (field == LIST_METADATA) {
            metadata(cursor.over(queue.array(), from, from + bodySize));
        }
        listLeft -= headSize + bodySize;
        queue.use(headSize + bodySize);
        return true;
    }

    private void metadata(ProtoCursor in) {
        String version = "";
        String continueToken = "";
        for (int at = in.next(NO_NAMES); at != 0; at = in.next(NO_NAMES)) {
            switch (at) {
                case 2 -> version = in.ownText();
                case 3 -> continueToken = in.ownText();
                default -> in.skip();
            }
        }
        sink.list(version, continueToken);
    }

    /** Whether the head of the next field has arrived whole. Lists and envelopes have none but lengthy fields. */
    private boolean head() {
        int at = queue.from();
        long tag = 0;
        long length = 0;
        boolean inLength = false;
        int shift = 0;
        while (at < queue.to()) {
            byte next = queue.array()[at++];
            long bits = (long) (next & 0x7f) << shift;
            shift += 7;
            if (inLength) {
                length |= bits;
            } else {
                tag |= bits;
            }
            if (next < 0) {
                if (shift > 35) {
                    throw new MalformedObject("malformed protobuf: the head of a field is too long");
                }
                continue;
            }
            if (inLength) {
                return head(tag, length, at - queue.from());
            }
            inLength = true;
            shift = 0;
        }
        return false;
    }

    private boolean head(long tag, long length, int size) {
        if ((tag & 7) != 2 || length > Integer.MAX_VALUE - 16) {
            throw new MalformedObject("malformed protobuf: tag (%d) with length (%d)".formatted(tag, length));
        }
        field = (int) (tag >>> 3);
        headSize = size;
        bodySize = (int) length;
        return true;
    }
}
