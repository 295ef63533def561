/** What wakes pods that wait for their storage, and what does not, where the real controllers bind it. */
@NullMarked
package dev.berth.e2e.scenario.storage;

import org.jspecify.annotations.NullMarked;
