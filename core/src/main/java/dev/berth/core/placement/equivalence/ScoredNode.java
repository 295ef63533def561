package dev.berth.core.placement.equivalence;

/** The best node and its total score. */
public record ScoredNode(int slot, long total) {}
