package dev.berth.core.resource;

/** The format in which a quantity was written, and is written again. */
public enum QuantityFormat {
    /** {@code 12M} is 12 000 000. */
    DECIMAL_SI,
    /** {@code 12Mi} is 12 · 2²⁰. */
    BINARY_SI,
    /** {@code 12e6} is 12 000 000. */
    DECIMAL_EXPONENT
}
