/** What of volumes, claims and drivers matters to placement, as the API server tells it, and the writes that bind them. */
@NullMarked
package dev.berth.kubernetes.volumebinding;

import org.jspecify.annotations.NullMarked;
