/** The HTTP extender of kube-scheduler: which nodes take a pod with all that is kept on them, and binding it there. */
@NullMarked
package dev.berth.http.extender;

import org.jspecify.annotations.NullMarked;
