/** The pages of kube-globalreserve. */
@NullMarked
package dev.berth.app.pages.reserve;

import org.jspecify.annotations.NullMarked;
