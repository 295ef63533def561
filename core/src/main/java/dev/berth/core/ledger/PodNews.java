package dev.berth.core.ledger;

/** What news of a pod meant to the ledger. */
public enum PodNews {
    /** Nobody had heard of it. */
    NEW,
    /** Something about it changed. */
    UPDATED,
    /** It is bound to the node it was assumed on. */
    CONFIRMED,
    /** It is bound to another node than it was assumed on: the fact wins. */
    ELSEWHERE,
    /** Nothing changed. */
    SAME,
    /** What is known is newer; nothing changed. */
    STALE
}
