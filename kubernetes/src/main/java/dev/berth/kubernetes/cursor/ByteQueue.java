package dev.berth.kubernetes.cursor;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Bytes that have arrived and are not consumed yet, in one array. */
public final class ByteQueue {
    private static final int INITIAL_CAPACITY = 64 * 1024;
    /** No object of the API server is nearly as large: etcd's limit is 1.5 MiB. */
    private static final int MAX_CAPACITY = 256 * 1024 * 1024;

    private byte[] bytes = new byte[INITIAL_CAPACITY];
    private int from;
    private int to;

    public void append(ByteBuffer more) {
        int count = more.remaining();
        if (count > bytes.length - to) {
            ensureCapacity(count);
        }
        more.get(bytes, to, count);
        to += count;
    }

    public byte[] array() {
        return bytes;
    }

    /** The index of the first unconsumed byte. */
    public int from() {
        return from;
    }

    public int to() {
        return to;
    }

    public int size() {
        return to - from;
    }

    public void consume(int count) {
        from += count;
        if (from == to) {
            from = 0;
            to = 0;
        }
    }

    private void ensureCapacity(int count) {
        int size = size();
        if (count > MAX_CAPACITY - size) {
            throw new MalformedObjectException("the object is larger than %d bytes".formatted(MAX_CAPACITY));
        }
        if (size + count > bytes.length) {
            byte[] larger = new byte[Math.max(2 * bytes.length, size + count)];
            System.arraycopy(bytes, from, larger, 0, size);
            bytes = larger;
        } else {
            System.arraycopy(bytes, from, bytes, 0, size);
        }
        from = 0;
        to = size;
    }

    @Override
    public String toString() {
        return Arrays.toString(Arrays.copyOfRange(bytes, from, to));
    }
}
