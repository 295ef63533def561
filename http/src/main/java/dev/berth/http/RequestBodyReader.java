package dev.berth.http;

import dev.berth.http.budget.ByteBudget;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

/**
 * Reads a body in pieces, and acquires budget for each piece before it is read. So an announced body that is not sent
 * costs nothing. If several bodies do not fit together, the first one that exceeds the budget releases its part for the
 * others.
 */
final class RequestBodyReader {
    private static final int FIRST_PIECE = 8 * 1024;
    private static final int PIECE = 64 * 1024;

    private final InputStream in;
    private final int maxBytes;
    private final ByteBudget.Share share;
    private final Queue<byte[]> pieces = new ArrayDeque<>();

    RequestBodyReader(InputStream in, int maxBytes, ByteBudget.Share share) {
        this.in = in;
        this.maxBytes = maxBytes;
        this.share = share;
    }

    /**
     * The body, or empty if it is too large.
     *
     * @throws dev.berth.http.budget.MemoryBudgetExceededException if there is no budget for it
     */
    Optional<byte[]> read() throws IOException {
        int total = 0;
        byte[] piece = allocate(FIRST_PIECE);
        int count = in.readNBytes(piece, 0, piece.length);
        while (count == piece.length) {
            pieces.add(piece);
            total += count;
            if (total > maxBytes) {
                return Optional.empty();
            }
            piece = allocate(PIECE);
            count = in.readNBytes(piece, 0, piece.length);
        }
        total += count;
        return total > maxBytes ? Optional.empty() : Optional.of(join(total, piece, count));
    }

    private byte[] allocate(int size) {
        share.acquire(size);
        return new byte[size];
    }

    /** Pieces are released as they are copied; the budget covers both copies for a moment. */
    private byte[] join(int total, byte[] last, int count) {
        share.acquire(total);
        byte[] body = new byte[total];
        int at = 0;
        for (byte[] piece = pieces.poll(); piece != null; piece = pieces.poll()) {
            System.arraycopy(piece, 0, body, at, piece.length);
            at += piece.length;
            share.release(piece.length);
        }
        System.arraycopy(last, 0, body, at, count);
        share.release(last.length);
        return body;
    }

    /**
     * Reads on for a while if the caller goes on sending, so that the caller can read the response. The data is
     * discarded.
     */
    static void drain(InputStream in, int maxBytes) throws IOException {
        byte[] discarded = new byte[FIRST_PIECE];
        long left = maxBytes;
        int count = in.read(discarded);
        while (count >= 0 && left > 0) {
            left -= count;
            count = in.read(discarded);
        }
    }
}
