/** Tests of Berth as a whole: the product, the sandbox and the scripts together. */
@NullMarked
package dev.berth.e2e;

import org.jspecify.annotations.NullMarked;
