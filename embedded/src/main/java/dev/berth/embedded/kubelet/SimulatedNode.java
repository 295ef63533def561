package dev.berth.embedded.kubelet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.kubelet.fit.Room;
import java.time.Instant;
import java.util.Optional;

/** What one kubelet remembers: who is on its node, which addresses are taken, and when it must report next. */
final class SimulatedNode {
    /** Marks the nodes that have a simulated kubelet. */
    static final String MARK = "simulate.berth.dev/kubelet";

    private static final String READY = "simulate.berth.dev/ready";

    /** How the kubelet presents itself. */
    enum Mode {
        READY,
        NOT_READY,
        /** Neither reports nor acts. */
        SILENT
    }

    private final String name;
    private final Room room = new Room();
    private Optional<Addresses> addresses = Optional.empty();
    private Instant leaseDue = Instant.MIN;
    private Instant statusDue = Instant.MIN;
    private String uid = "";
    private boolean stockTaken;
    private boolean reporting;
    private boolean renewing;

    SimulatedNode(String name) {
        this.name = name;
    }

    static boolean simulated(ObjectNode node) {
        return Meta.annotation(node, MARK).filter("true"::equals).isPresent();
    }

    static Mode mode(ObjectNode node) {
        return switch (Meta.annotation(node, READY).orElse("true")) {
            case "false" -> Mode.NOT_READY;
            case "silent" -> Mode.SILENT;
            default -> Mode.READY;
        };
    }

    String name() {
        return name;
    }

    Room room() {
        return room;
    }

    /** The addresses of the node's range; made when first asked for. */
    Addresses addresses(ObjectNode node) {
        if (addresses.isEmpty()) {
            addresses = Optional.of(Addresses.of(Json.text(node, "spec", "podCIDR")));
        }
        return addresses.get();
    }

    void giveBack(String address) {
        addresses.ifPresent(range -> range.giveBack(address));
    }

    /** Takes note of the node's identity; one registered anew must be reported on at once. */
    void meet(ObjectNode node) {
        if (!uid.equals(Meta.uid(node))) {
            uid = Meta.uid(node);
            leaseDue = Instant.MIN;
            statusDue = Instant.MIN;
            addresses = Optional.empty();
        }
    }

    /** True once: what ran here before this process began must be counted before anybody new is let in. */
    boolean takesStock() {
        boolean first = !stockTaken;
        stockTaken = true;
        return first;
    }

    Instant leaseDue() {
        return leaseDue;
    }

    void leaseDue(Instant due) {
        leaseDue = due;
    }

    Instant statusDue() {
        return statusDue;
    }

    void statusDue(Instant due) {
        statusDue = due;
    }

    boolean reporting() {
        return reporting;
    }

    void reporting(boolean now) {
        reporting = now;
    }

    boolean renewing() {
        return renewing;
    }

    void renewing(boolean now) {
        renewing = now;
    }
}
