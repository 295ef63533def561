package dev.berth.core.decision;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** Something to be written to the API server because of a decision. */
public sealed interface Effect {
    PodRef pod();

    /** Which pod: the UID is a precondition of every write. */
    record PodRef(String namespace, String name, PodUid uid, String schedulerName) {
        public static PodRef of(Pod pod) {
            return new PodRef(pod.namespace(), pod.name(), pod.uid(), pod.schedulerName());
        }

        @Override
        public String toString() {
            return namespace + "/" + name;
        }
    }

    /** Bind the pod to the node; the annotations are its record and part of the same write. */
    record Bind(PodRef pod, String node, Map<String, String> annotations) implements Effect {
        public Bind {
            annotations = Collections.unmodifiableMap(new TreeMap<>(annotations));
        }
    }

    /** Say on the pod's status that it has no place: PodScheduled=False with this reason and message. */
    record MarkUnscheduled(PodRef pod, Reason reason, String message) implements Effect {
        /** The reasons kube-scheduler gives. */
        public enum Reason {
            UNSCHEDULABLE("Unschedulable"),
            SCHEDULER_ERROR("SchedulerError");

            private final String word;

            Reason(String word) {
                this.word = word;
            }

            public String word() {
                return word;
            }
        }
    }

    /** Tell the people who look at the pod's events. */
    record Announce(PodRef pod, Kind kind, String note) implements Effect {
        /** The events kube-scheduler writes, with their type and action. */
        public enum Kind {
            SCHEDULED("Normal", "Scheduled", "Binding"),
            FAILED_SCHEDULING("Warning", "FailedScheduling", "Scheduling");

            private final String type;
            private final String reason;
            private final String action;

            Kind(String type, String reason, String action) {
                this.type = type;
                this.reason = reason;
                this.action = action;
            }

            public String type() {
                return type;
            }

            public String reason() {
                return reason;
            }

            public String action() {
                return action;
            }
        }
    }
}
