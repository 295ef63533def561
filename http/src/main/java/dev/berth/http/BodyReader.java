package dev.berth.http;

import dev.berth.http.budget.ByteBudget;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

/**
 * Reads a body in pieces, each paid for before it is read: a body that is announced and not sent costs nothing, and of
 * several that do not fit together the first to find no room makes room for the others.
 */
final class BodyReader {
    private static final int FIRST_PIECE = 8 * 1024;
    private static final int PIECE = 64 * 1024;

    private final InputStream in;
    private final int mostBytes;
    private final ByteBudget.Share share;
    private final Queue<byte[]> pieces = new ArrayDeque<>();

    BodyReader(InputStream in, int mostBytes, ByteBudget.Share share) {
        this.in = in;
        this.mostBytes = mostBytes;
        this.share = share;
    }

    /**
     * The body, or empty when it is too large.
     *
     * @throws dev.berth.http.budget.OverBudget when there is no room for it
     */
    Optional<byte[]> read() throws IOException {
        int total = 0;
        byte[] piece = take(FIRST_PIECE);
        int got = in.readNBytes(piece, 0, piece.length);
        while (got == piece.length) {
            pieces.add(piece);
            total += got;
            if (total > mostBytes) {
                return Optional.empty();
            }
            piece = take(PIECE);
            got = in.readNBytes(piece, 0, piece.length);
        }
        total += got;
        return total > mostBytes ? Optional.empty() : Optional.of(together(total, piece, got));
    }

    private byte[] take(int size) {
        share.take(size);
        return new byte[size];
    }

    /** Pieces are let go as they are copied; what both take for a moment is paid for. */
    private byte[] together(int total, byte[] last, int got) {
        share.take(total);
        byte[] body = new byte[total];
        int at = 0;
        for (byte[] piece = pieces.poll(); piece != null; piece = pieces.poll()) {
            System.arraycopy(piece, 0, body, at, piece.length);
            at += piece.length;
            share.giveBack(piece.length);
        }
        System.arraycopy(last, 0, body, at, got);
        share.giveBack(last.length);
        return body;
    }

    /** A caller that goes on sending is heard a while, so that it reads the answer. Nothing is kept. */
    static void drain(InputStream in, int mostBytes) throws IOException {
        byte[] thrownAway = new byte[FIRST_PIECE];
        long left = mostBytes;
        int got = in.read(thrownAway);
        while (got >= 0 && left > 0) {
            left -= got;
            got = in.read(thrownAway);
        }
    }
}
