/**
 * Access to an API server, from a kubeconfig file ({@link dev.berth.kubernetes.kubeconfig.Kubeconfig}) or from inside a
 * pod ({@link dev.berth.kubernetes.kubeconfig.InClusterConfig}): certificates, keys, tokens and exec plugins.
 */
@NullMarked
package dev.berth.kubernetes.kubeconfig;

import org.jspecify.annotations.NullMarked;
