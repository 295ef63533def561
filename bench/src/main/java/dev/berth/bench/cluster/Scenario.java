package dev.berth.bench.cluster;

/** A measured scenario. */
enum Scenario {
    CEILING("a", Binder.NONE, "no scheduler: binds over 32 connections"),
    KUBE_SCHEDULER("b", Binder.KUBE_SCHEDULER, "kube-scheduler"),
    BERTH("c", Binder.BERTH, "Berth"),
    BERTH_AMONG_HOLDS("d", Binder.BERTH, "Berth, 1,000 holds for other pods"),
    KUBE_SCHEDULER_DEPLOYMENTS("eb", Binder.KUBE_SCHEDULER, "kube-scheduler, 100 Deployments"),
    BERTH_DEPLOYMENTS("ec", Binder.BERTH, "Berth, 100 Deployments"),
    BERTH_WITH_RESERVATIONS("f", Binder.BERTH, "Berth, 10,000 Reservations, for half of the pods");

    /** The scheduler that binds. */
    enum Binder {
        NONE("none"),
        KUBE_SCHEDULER("default-scheduler"),
        BERTH("berth-scheduler");

        private final String schedulerName;

        Binder(String schedulerName) {
            this.schedulerName = schedulerName;
        }

        String schedulerName() {
            return schedulerName;
        }
    }

    private final String id;
    private final Binder binder;
    private final String title;

    Scenario(String letter, Binder binder, String title) {
        this.id = letter;
        this.binder = binder;
        this.title = title;
    }

    String id() {
        return id;
    }

    Binder binder() {
        return binder;
    }

    String title() {
        return title;
    }

    boolean usesDeployments() {
        return this == KUBE_SCHEDULER_DEPLOYMENTS || this == BERTH_DEPLOYMENTS;
    }

    /** The number of Reservations that exist before the pods. */
    int reservations() {
        return switch (this) {
            case BERTH_AMONG_HOLDS -> 1_000;
            case BERTH_WITH_RESERVATIONS -> 10_000;
            case CEILING, KUBE_SCHEDULER, BERTH, KUBE_SCHEDULER_DEPLOYMENTS, BERTH_DEPLOYMENTS -> 0;
        };
    }

    /** The Reservation with this number. */
    String reservation(int number) {
        return this == BERTH_WITH_RESERVATIONS
                ? ApiObjectJson.reservationForPods(number)
                : ApiObjectJson.reservation(number);
    }

    /** The scenario that its rate is compared with. */
    Scenario baseline() {
        return usesDeployments() ? KUBE_SCHEDULER_DEPLOYMENTS : KUBE_SCHEDULER;
    }
}
