/**
 * Kubernetes objects as scheduling reads them, immutable: {@link dev.berth.core.cluster.Node}, {@link
 * dev.berth.core.cluster.Pod} with its {@link dev.berth.core.cluster.PodSpec}, {@link dev.berth.core.cluster.Workload} and
 * {@link dev.berth.core.cluster.Namespace}. Here are also the matching rules of Kubernetes: {@link
 * dev.berth.core.cluster.LabelSelector}, {@link dev.berth.core.cluster.NodeAffinity}, {@link
 * dev.berth.core.cluster.Toleration} and {@link dev.berth.core.cluster.HostPort}.
 */
@NullMarked
package dev.berth.core.cluster;

import org.jspecify.annotations.NullMarked;
