/** Good and bad kubeconfigs, certificates, keys and tokens. */
@NullMarked
package dev.berth.kubernetes.connection;

import org.jspecify.annotations.NullMarked;
