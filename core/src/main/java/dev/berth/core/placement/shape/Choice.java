package dev.berth.core.placement.shape;

/** The node that won, and its total. */
public record Choice(int slot, long total) {}
