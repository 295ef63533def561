/**
 * Leader election and membership by Leases. {@link dev.berth.kubernetes.leaderelection.LeaderElector} decides which
 * process may write. {@link dev.berth.kubernetes.leaderelection.MemberRegistry} knows all Berths of a cluster and their
 * configurations.
 */
@NullMarked
package dev.berth.kubernetes.leaderelection;

import org.jspecify.annotations.NullMarked;
