package dev.berth.core.placement.equivalence;

/** The node that won, and its total. */
public record ScoredNode(int slot, long total) {}
