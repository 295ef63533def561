package dev.berth.kubernetes.protobuf;

import dev.berth.kubernetes.cursor.ByteQueue;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.ListSink;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.cursor.StreamReader;
import dev.berth.kubernetes.cursor.StringInterner;
import java.nio.ByteBuffer;

/**
 * Splits a protobuf list: the envelope contains the list, and the list contains the items. Each item is passed on as
 * soon as it is complete.
 */
public final class ProtoListReader implements StreamReader {
    private static final int LIST_METADATA = 1;
    private static final int LIST_ITEMS = 2;
    private static final FieldNames NO_NAMES = FieldNames.none();

    private enum ParseStage {
        MAGIC,
        ENVELOPE,
        LIST,
        AFTER
    }

    private final ListSink sink;
    private final ByteQueue queue = new ByteQueue();
    private final ProtoCursor cursor;
    private ParseStage stage = ParseStage.MAGIC;
    private long remainingListBytes;
    // The head of the next field, as far as it has arrived.
    private int field;
    private int headerSize;
    private int bodySize;

    public ProtoListReader(StringInterner stringInterner, ListSink sink) {
        this.sink = sink;
        this.cursor = new ProtoCursor(stringInterner);
    }

    @Override
    public void read(ByteBuffer piece) {
        queue.append(piece);
        while (step()) {
            // Each step consumes a part of what has arrived.
        }
    }

    @Override
    public void end() {
        boolean whole = stage == ParseStage.AFTER || (stage == ParseStage.LIST && remainingListBytes == 0);
        if (!whole) {
            throw new MalformedObjectException("the list ended early with %d bytes unread".formatted(queue.size()));
        }
    }

    private boolean step() {
        return switch (stage) {
            case MAGIC -> readMagic();
            case ENVELOPE -> readEnvelopeField();
            case LIST -> readListField();
            case AFTER -> {
                queue.consume(queue.size());
                yield false;
            }
        };
    }

    private boolean readMagic() {
        if (queue.size() < ProtoEnvelope.MAGIC_SIZE) {
            return false;
        }
        ProtoEnvelope.requireMagic(queue.array(), queue.from(), queue.to());
        queue.consume(ProtoEnvelope.MAGIC_SIZE);
        stage = ParseStage.ENVELOPE;
        return true;
    }

    private boolean readEnvelopeField() {
        if (!readFieldHeader()) {
            return false;
        }
        if (field == ProtoEnvelope.RAW) {
            queue.consume(headerSize);
            remainingListBytes = bodySize;
            stage = ParseStage.LIST;
            return true;
        }
        if (queue.size() < headerSize + bodySize) {
            return false;
        }
        queue.consume(headerSize + bodySize);
        return true;
    }

    private boolean readListField() {
        if (remainingListBytes == 0) {
            stage = ParseStage.AFTER;
            return true;
        }
        if (!readFieldHeader() || queue.size() < headerSize + bodySize) {
            return false;
        }
        int from = queue.from() + headerSize;
        if (field == LIST_ITEMS) {
            sink.onItem(cursor.reset(queue.array(), from, from + bodySize));
        } else if (field == LIST_METADATA) {
            readListMeta(cursor.reset(queue.array(), from, from + bodySize));
        }
        remainingListBytes -= headerSize + bodySize;
        queue.consume(headerSize + bodySize);
        return true;
    }

    private void readListMeta(ProtoCursor in) {
        String version = "";
        String continueToken = "";
        for (int at = in.nextField(NO_NAMES); at != 0; at = in.nextField(NO_NAMES)) {
            switch (at) {
                case 2 -> version = in.uninternedText();
                case 3 -> continueToken = in.uninternedText();
                default -> in.skip();
            }
        }
        sink.onListMeta(version, continueToken);
    }

    /**
     * Whether the head of the next field has arrived completely. Lists and envelopes have only length-delimited fields.
     */
    private boolean readFieldHeader() {
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
                    throw new MalformedObjectException("malformed protobuf: the head of a field is too long");
                }
                continue;
            }
            if (inLength) {
                return readFieldHeader(tag, length, at - queue.from());
            }
            inLength = true;
            shift = 0;
        }
        return false;
    }

    private boolean readFieldHeader(long tag, long length, int size) {
        if ((tag & 7) != 2 || length > Integer.MAX_VALUE - 16) {
            throw new MalformedObjectException("malformed protobuf: tag (%d) with length (%d)".formatted(tag, length));
        }
        field = (int) (tag >>> 3);
        headerSize = size;
        bodySize = (int) length;
        return true;
    }
}
