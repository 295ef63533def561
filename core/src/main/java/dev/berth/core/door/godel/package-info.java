/**
 * Gödel's resource reservation: when a pod that requests it is deleted, its capacity is held for the successor.
 *
 * <h2>Words</h2>
 *
 * The <i>original pod</i> is the pod that is deleted. The <i>successor</i> is the pod with the same return key that is
 * bound into the hold. The <i>predecessor</i> is the pod whose hold the original pod had claimed itself. A <i>return
 * hold</i> is the hold of this door. The <i>checkpoint</i> is the list of pods that request a Reservation, as objects
 * on the API server.
 *
 * <h2>From the wire to the ledger</h2>
 *
 * Steps 1 to 3 are in module kubernetes, step 4 in engine, the others in core. A class in parentheses is called by the
 * step or only passes the value on.
 *
 * <pre>{@code
 *   a Reservation is added or updated                      a pod is deleted
 *    1. ApiListerWatcher (GodelReservationProjection)       1. ApiListerWatcher (PodProjection)
 *    2. Reflector (KnownObjects)                            2. Reflector (KnownObjects)
 *    3. WatchedResourceEventHandler (FactPublisher)         3. PodEventHandler (FactPublisher)
 *    4. LedgerLoop (Inbox)                                  4. LedgerLoop (Inbox)
 *    5. Scheduler (ComponentDispatcher)                     5. Scheduler
 *    6. GodelDoor.onFact (OriginalPodVerifier)              6. EventHandlers (ComponentDispatcher)
 *    7. GodelReservationController (ObjectController)       7. GodelDoor.onPodDelete
 *    8. ReturnHoldRefresher (GodelReservationStateUpdater)  8. DeletedPodController (PlannedReservations)
 *    9. ComponentHandle (HoldTrial, SchedulingContext)      9. ComponentHandle.putHold (SchedulingContext)
 *   10. Ledger                                             10. Ledger
 * }</pre>
 *
 * <h2>From the ledger to the wire</h2>
 *
 * A turn calls {@link dev.berth.core.door.godel.GodelDoor#reconcile}, which compares the observed objects with the
 * desired ones.
 *
 * <pre>{@code
 *   create a Reservation                                   mark a Reservation Matched, or delete it
 *    1. GodelReservationCreator (Reconciler, DeletedPod)    1. ObjectController (Reconciler, GodelReservationWriter)
 *    2. ComponentHandle (SchedulingContext)                 2. ComponentHandle (SchedulingContext)
 *    3. LedgerLoop (EffectQueue)                            3. LedgerLoop (EffectQueue)
 *    4. WriteDispatcher                                     4. WriteDispatcher
 *    5. EffectWriter (WriteEncoders, GodelApi.create)       5. EffectWriter (WriteEncoders, GodelApi.markMatched, delete)
 *    6. ApiClient                                           6. ApiClient
 * }</pre>
 *
 * <p>The result of a write comes back through LedgerLoop to {@link dev.berth.core.door.godel.GodelDoor#onWriteResult}.
 *
 * <pre>{@code
 *   a Reservation expires                                  Berth restarts
 *    1. LedgerLoop.turn                                     1. StartupReservations.verifyOriginalPods
 *    2. Scheduler.advance (Ledger.expiredAt)                2. CheckpointReconciler.restoreSuccessors
 *    3. ComponentDispatcher.onHoldEnded                     3. StartupReservations.onSynced
 *    4. GodelDoor.onHoldEnded                               4. DeletedPodController.onSynced
 *    5. GodelReservationController.onHoldEnded              5. CheckpointReconciler.onSynced
 *    6. GodelReservationWriter (ExpiryMessage)              6. ComponentHandle.putHold (SchedulingContext)
 *    7. delete the Reservation, as above                    7. Ledger
 * }</pre>
 *
 * <p>The TTL is the annotation of the pod, or the default of {@code DoorSettings} in module app: 60 seconds. After a
 * restart {@code GodelDoor.reconcile} runs these steps once, when everything is listed. The checkpoint names the pods
 * that were deleted while no Berth was the leader.
 *
 * <h2>Lifecycle of a Reservation</h2>
 *
 * {@link dev.berth.core.door.godel.GodelReservationLifecycle} has one row for each transition. An event that has no row for
 * a state leaves the state as it is. GodelReservationLifecycleTest reads this table and compares every state and every
 * event.
 *
 * <pre>{@code
 *   POD_TERMINATING --> POD_STOPPED --> CREATE_PENDING <--> CREATE_SENT --> CREATE_ACCEPTED
 *                            |               |                 |    |             |    |
 *                            v               v                 |    v             v    |
 *                        FORGOTTEN       FORGOTTEN             |  CREATE_..._CANCELLED |
 *                                                              v             |         v
 *   Reservations by hand, and after a restart: --------------> ACTIVE <------|---------+
 *                                                              |             |
 *          +-----------+----------------+--------------+-------+------+      |
 *          | ^         | ^              |              |              |      |
 *          v |         v |              v              v              v      |
 *    MATCH_OBSERVED  CLAIMED         EXPIRED     CAPACITY_LOST    CANCELLED <+
 *          |           |                |              |              |
 *          |           v                |              |              |
 *          |        MATCHED             |              |              |
 *          +-----------+----------------+--------------+--------------+
 *          v
 *   DELETE_ACCEPTED, DELETING --> FORGOTTEN
 *
 *   state                      event              next state
 *   -------------------------  -----------------  -------------------------
 *   POD_TERMINATING            POD_STOPPED        POD_STOPPED
 *   POD_STOPPED                NOT_RESERVED       FORGOTTEN
 *   POD_STOPPED                CREATE_REQUESTED   CREATE_PENDING
 *   CREATE_PENDING             CREATE_SENT        CREATE_SENT
 *   CREATE_PENDING             OBSERVED           ACTIVE
 *   CREATE_PENDING             SUCCESSOR_BOUND    FORGOTTEN
 *   CREATE_PENDING             CANCELLED          FORGOTTEN
 *   CREATE_SENT                CREATE_REQUESTED   CREATE_PENDING
 *   CREATE_SENT                CREATE_ACCEPTED    CREATE_ACCEPTED
 *   CREATE_SENT                CREATE_FAILED      CREATE_PENDING
 *   CREATE_SENT                OBSERVED           ACTIVE
 *   CREATE_SENT                CANCELLED          CREATE_SENT_CANCELLED
 *   CREATE_ACCEPTED            CREATE_REQUESTED   CREATE_PENDING
 *   CREATE_ACCEPTED            CREATE_SENT        CREATE_SENT
 *   CREATE_ACCEPTED            OBSERVED           ACTIVE
 *   CREATE_ACCEPTED            CANCELLED          CREATE_ACCEPTED_CANCELLED
 *   CREATE_SENT_CANCELLED      CREATE_ACCEPTED    CREATE_ACCEPTED_CANCELLED
 *   CREATE_SENT_CANCELLED      CREATE_FAILED      FORGOTTEN
 *   CREATE_SENT_CANCELLED      OBSERVED           CANCELLED
 *   CREATE_ACCEPTED_CANCELLED  OBSERVED           CANCELLED
 *   ACTIVE                     SUCCESSOR_BOUND    CLAIMED
 *   ACTIVE                     MATCH_OBSERVED     MATCH_OBSERVED
 *   ACTIVE                     MATCHED            MATCHED
 *   ACTIVE                     DEADLINE_PASSED    EXPIRED
 *   ACTIVE                     CANCELLED          CANCELLED
 *   ACTIVE                     CAPACITY_LOST      CAPACITY_LOST
 *   ACTIVE                     DELETE_ACCEPTED    DELETE_ACCEPTED
 *   ACTIVE                     DELETION_OBSERVED  DELETING
 *   ACTIVE                     REMOVED            FORGOTTEN
 *   MATCH_OBSERVED             MATCH_REVERTED     ACTIVE
 *   MATCH_OBSERVED             SUCCESSOR_BOUND    CLAIMED
 *   MATCH_OBSERVED             MATCHED            MATCHED
 *   MATCH_OBSERVED             DEADLINE_PASSED    EXPIRED
 *   MATCH_OBSERVED             CANCELLED          CANCELLED
 *   MATCH_OBSERVED             CAPACITY_LOST      CAPACITY_LOST
 *   MATCH_OBSERVED             DELETE_ACCEPTED    DELETE_ACCEPTED
 *   MATCH_OBSERVED             DELETION_OBSERVED  DELETING
 *   MATCH_OBSERVED             REMOVED            FORGOTTEN
 *   CLAIMED                    SUCCESSOR_LOST     ACTIVE
 *   CLAIMED                    MATCHED            MATCHED
 *   CLAIMED                    MATCH_NOT_FOUND    MATCH_NOT_FOUND
 *   CLAIMED                    DEADLINE_PASSED    EXPIRED
 *   CLAIMED                    CANCELLED          CANCELLED
 *   CLAIMED                    DELETE_ACCEPTED    DELETE_ACCEPTED
 *   CLAIMED                    DELETION_OBSERVED  DELETING
 *   CLAIMED                    REMOVED            FORGOTTEN
 *   MATCHED                    DELETE_ACCEPTED    DELETE_ACCEPTED
 *   MATCHED                    DELETION_OBSERVED  DELETING
 *   MATCHED                    REMOVED            FORGOTTEN
 *   MATCH_NOT_FOUND            MATCHED            MATCHED
 *   MATCH_NOT_FOUND            DELETE_ACCEPTED    DELETE_ACCEPTED
 *   MATCH_NOT_FOUND            DELETION_OBSERVED  DELETING
 *   MATCH_NOT_FOUND            REMOVED            FORGOTTEN
 *   EXPIRED                    MATCHED            MATCHED
 *   EXPIRED                    CANCELLED          CANCELLED
 *   EXPIRED                    CAPACITY_LOST      CAPACITY_LOST
 *   EXPIRED                    DELETE_ACCEPTED    DELETE_ACCEPTED
 *   EXPIRED                    DELETION_OBSERVED  DELETING
 *   EXPIRED                    REMOVED            FORGOTTEN
 *   CANCELLED                  MATCHED            MATCHED
 *   CANCELLED                  DELETE_ACCEPTED    DELETE_ACCEPTED
 *   CANCELLED                  DELETION_OBSERVED  DELETING
 *   CANCELLED                  REMOVED            FORGOTTEN
 *   CAPACITY_LOST              MATCHED            MATCHED
 *   CAPACITY_LOST              MATCH_NOT_FOUND    MATCH_NOT_FOUND
 *   CAPACITY_LOST              CANCELLED          CANCELLED
 *   CAPACITY_LOST              DELETE_ACCEPTED    DELETE_ACCEPTED
 *   CAPACITY_LOST              DELETION_OBSERVED  DELETING
 *   CAPACITY_LOST              REMOVED            FORGOTTEN
 *   DELETE_ACCEPTED            DELETION_OBSERVED  DELETING
 *   DELETE_ACCEPTED            REMOVED            FORGOTTEN
 *   DELETING                   REMOVED            FORGOTTEN
 * }</pre>
 *
 * <p>In addition to its state, a Reservation that the watch shows has a capacity: HELD, WAITING or WAITING_FOR_EDIT. The
 * capacity says whether the hold in the ledger is the Reservation's, and stays as it was when the Reservation ends.
 *
 * <p>A Reservation that ended is deleted, with one exception. As long as a restarted Berth would hold the capacity
 * again without it, the Reservation stays as a <i>tombstone</i>. ResurrectionGuard decides which Reservations are
 * tombstones.
 */
@NullMarked
package dev.berth.core.door.godel;

import org.jspecify.annotations.NullMarked;
