package dev.berth.core.door.koordinator;

/** What happens in {@link RandomHistory}. An operation with twice the weight is drawn twice as often. */
enum HistoryOperation {
    CREATE_RESERVATION(8),
    CREATE_POD(10),
    /** A pod that one of the Reservations is for. */
    CREATE_OWNER(6),
    DELETE_POD(3),
    DELETE_TERMINATING_POD(6),
    FINISH_POD(1),
    DELETE_RESERVATION(2),
    /** The Reservation waits for finalizers from then on. */
    TERMINATE_RESERVATION(1),
    RESIZE_BY_TEMPLATE(3),
    RESIZE_BY_STATUS(3),
    EDIT_OWNERS(1),
    EDIT_ALLOCATE_ONCE(1),
    EDIT_DEADLINE(1),
    EDIT_UNSCHEDULABLE(1),
    RELABEL_POD(1),
    CORDON(3),
    NOT_READY(2),
    TAINT(1),
    DELETE_NODE(1),
    REGISTER_NODE(3),
    /** A node of the same name is there after a restart. */
    REPLACE_NODE_WHILE_DOWN(1),
    SHRINK_NODE(1),
    BIND_BY_OTHER_SCHEDULER(2),
    CHANGE_BUDGET(1),
    RESTART(2),
    KILL_AFTER_SOME_TURNS(3),
    LOSE_ANSWERS(2),
    CHANGE_SERVER_MODE(4),
    DELAY_ANSWERS(2),
    PASS_TIME(7),
    PASS_MINUTES(1),
    /** Another program names another node in the status of a placed Reservation. */
    MOVE_BY_STATUS(1),
    /** Another program sets a placed Reservation back to Pending. */
    TAKE_BACK_TO_PENDING(1);

    final int weight;

    HistoryOperation(int weight) {
        this.weight = weight;
    }
}
