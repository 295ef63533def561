package dev.berth.sandbox.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/** Packs the parts of a body into few buffers of a size that suits TLS records. */
final class BodyBuffers {

    private static final int MAX_BUFFER_BYTES = 256 * 1024;

    private BodyBuffers() {}

    static int length(List<byte[]> pieces) {
        int length = 0;
        for (byte[] piece : pieces) {
            length = Math.addExact(length, piece.length);
        }
        return length;
    }

    /** At least one buffer, and none larger than it needs to be. */
    static List<ByteBuf> pack(List<byte[]> pieces, ByteBufAllocator allocator) {
        int left = length(pieces);
        List<ByteBuf> packed = new ArrayList<>();
        ByteBuf current = allocator.buffer(Math.min(left, MAX_BUFFER_BYTES));
        for (byte[] piece : pieces) {
            int from = 0;
            while (from < piece.length) {
                if (current.readableBytes() == MAX_BUFFER_BYTES) {
                    packed.add(current);
                    current = allocator.buffer(Math.min(left, MAX_BUFFER_BYTES));
                }
                int part = Math.min(piece.length - from, MAX_BUFFER_BYTES - current.readableBytes());
                current.writeBytes(piece, from, part);
                from += part;
                left -= part;
            }
        }
        packed.add(current);
        return packed;
    }
}
