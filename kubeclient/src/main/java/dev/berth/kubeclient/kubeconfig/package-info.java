/** Access to an API server: kubeconfig files, the service account of a pod, exec plugins, tokens. */
@NullMarked
package dev.berth.kubeclient.kubeconfig;

import org.jspecify.annotations.NullMarked;
