package dev.berth.core.placement.score;

/**
 * What decides among nodes of equal score: the smaller lot, then the name. It follows from the node's name alone, so that
 * the choice does not depend on history, and it is even over the names, so that the first in the alphabet is not always
 * the first to be filled.
 */
public final class TieBreak {
    private TieBreak() {}

    /** Not negative. */
    public static long keyOf(String nodeName) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < nodeName.length(); i++) {
            hash = (hash ^ nodeName.charAt(i)) * 0x100000001b3L;
        }
        hash = (hash ^ (hash >>> 32)) * 0xd6e8feb86659fd93L;
        return (hash ^ (hash >>> 32)) >>> 1;
    }
}
