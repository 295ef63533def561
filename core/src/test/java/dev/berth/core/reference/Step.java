package dev.berth.core.reference;

import dev.berth.core.cluster.Namespace;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import java.time.Instant;
import java.util.Optional;

/** A step of a history. A step can be applied after any other steps, because histories are shrunk. */
public sealed interface Step {
    /** The step as a text for users. */
    String description();

    /** A node appears or changes. */
    record PutNode(Node node) implements Step {
        @Override
        public String description() {
            return "node %s (uid %s) with %s".formatted(node.name(), node.uid(), node.allocatable());
        }
    }

    /** A node goes. */
    record RemoveNode(NodeUid uid) implements Step {
        @Override
        public String description() {
            return "node uid %s goes".formatted(uid);
        }
    }

    /** News of a pod. */
    record PutPod(Pod pod) implements Step {
        @Override
        public String description() {
            return "pod %s (uid %s) asking %s on %s, %s%s%s"
                    .formatted(
                            pod,
                            pod.uid(),
                            pod.spec().requests(),
                            pod.nodeName().orElse("no node"),
                            pod.phase(),
                            pod.terminating() ? ", terminating" : "",
                            Claim.holdRecordedOn(pod)
                                    .map(hold -> ", using " + hold)
                                    .orElse(""));
        }
    }

    /** A pod goes. */
    record RemovePod(PodUid uid) implements Step {
        @Override
        public String description() {
            return "pod uid %s goes".formatted(uid);
        }
    }

    /** A Service or workload appears or changes. */
    record PutWorkload(Workload workload) implements Step {
        @Override
        public String description() {
            return workload.toString();
        }
    }

    /** A Service or workload goes. */
    record RemoveWorkload(Workload.WorkloadKey key) implements Step {
        @Override
        public String description() {
            return key + " goes";
        }
    }

    /** A namespace appears or changes. */
    record PutNamespace(Namespace namespace) implements Step {
        @Override
        public String description() {
            return namespace.toString();
        }
    }

    /** A namespace goes. */
    record RemoveNamespace(String name) implements Step {
        @Override
        public String description() {
            return "namespace %s goes".formatted(name);
        }
    }

    /** A hold appears or changes. */
    record PutHold(Hold hold) implements Step {
        @Override
        public String description() {
            return "hold %s on node uid %s of %s%s, %s, backed by %s, listing %s, for %s%s"
                    .formatted(
                            hold.id(),
                            hold.node(),
                            hold.size(),
                            hold.allocateOnce() ? " for once" : "",
                            hold.policy(),
                            hold.backers(),
                            hold.listedUsers(),
                            hold.owners(),
                            hold.draw()
                                    .map(draw -> ", drawing on %s for %s".formatted(draw.source(), draw.owner()))
                                    .orElse(""));
        }
    }

    /** A hold goes. */
    record RemoveHold(HoldId id) implements Step {
        @Override
        public String description() {
            return "hold %s goes".formatted(id);
        }
    }

    /** A pod is placed, where that is allowed. */
    record Assume(PodUid pod, NodeUid node, Optional<HoldId> hold) implements Step {
        @Override
        public String description() {
            return "pod uid %s assumed on node uid %s%s"
                    .formatted(pod, node, hold.map(id -> " using " + id).orElse(""));
        }
    }

    /** A placement did not come to be. */
    record Forget(PodUid pod) implements Step {
        @Override
        public String description() {
            return "pod uid %s forgotten".formatted(pod);
        }
    }

    /** Time passes, and what is due ends. */
    record Expire(Instant now) implements Step {
        @Override
        public String description() {
            return "it is %s".formatted(now);
        }
    }

    /** Takes a snapshot. */
    record TakeSnapshot() implements Step {
        @Override
        public String description() {
            return "a snapshot";
        }
    }

    /** A fresh ledger is built from a list in an order that the seed decides. */
    record Rebuild(long seed) implements Step {
        @Override
        public String description() {
            return "rebuilt from a list";
        }
    }
}
