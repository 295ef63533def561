/** The pages of kube-globalreserve. */
@NullMarked
package dev.berth.e2e.pages.globalreserve;

import org.jspecify.annotations.NullMarked;
