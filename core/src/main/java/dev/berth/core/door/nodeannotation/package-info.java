/**
 * Resources that an annotation of a node reserves for the pods of one owner.
 *
 * <p>From wire to ledger: the informer of nodes, {@code NodeAnnotationParser} (module kubernetes), the fact {@link
 * dev.berth.core.door.nodeannotation.NodeReservedResources}, {@link
 * dev.berth.core.door.nodeannotation.NodeAnnotationDoor}, {@link dev.berth.core.reconcile.ObjectController}, {@link
 * dev.berth.core.reconcile.HoldSync}, {@link dev.berth.core.door.DoorContext#putHold}, the ledger. The door writes
 * nothing back but events.
 */
@NullMarked
package dev.berth.core.door.nodeannotation;

import org.jspecify.annotations.NullMarked;
