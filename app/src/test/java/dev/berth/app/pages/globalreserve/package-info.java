/** The pages of kube-globalreserve. */
@NullMarked
package dev.berth.app.pages.globalreserve;

import org.jspecify.annotations.NullMarked;
