/** Has the volumes of placed pods bound before the pods themselves are, and keeps them for these pods meanwhile. */
@NullMarked
package dev.berth.core.volume.binding;

import org.jspecify.annotations.NullMarked;
