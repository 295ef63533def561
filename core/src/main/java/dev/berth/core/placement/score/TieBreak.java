package dev.berth.core.placement.score;

/**
 * Decides among nodes of equal score: the smaller key wins, then the name. The key is a hash of the node's name. So the
 * choice does not depend on history, and nodes are not filled in alphabetical order.
 */
public final class TieBreak {
    private TieBreak() {}

    /** Never negative. */
    public static long keyOf(String nodeName) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < nodeName.length(); i++) {
            hash = (hash ^ nodeName.charAt(i)) * 0x100000001b3L;
        }
        hash = (hash ^ (hash >>> 32)) * 0xd6e8feb86659fd93L;
        return (hash ^ (hash >>> 32)) >>> 1;
    }
}
