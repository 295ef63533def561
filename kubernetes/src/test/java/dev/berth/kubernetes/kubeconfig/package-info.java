/** Good and bad kubeconfigs, certificates, keys and tokens. */
@NullMarked
package dev.berth.kubernetes.kubeconfig;

import org.jspecify.annotations.NullMarked;
