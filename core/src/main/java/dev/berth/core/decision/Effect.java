package dev.berth.core.decision;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Origin;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** Something to be written to the API server because of a decision. */
public sealed interface Effect {

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

    /**
     * Say on the pod's status that it has no place: PodScheduled=False with this reason and message.
     *
     * @param message cut to what a condition can hold
     */
    record MarkUnscheduled(PodRef pod, Reason reason, String message) implements Effect {
        public MarkUnscheduled {
            message = MessageLimit.CONDITION.cut(message);
        }

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

    /**
     * Tell the people who look at the subject's events.
     *
     * @param note cut to what an event can hold
     */
    record Announce(Subject subject, Kind kind, String note) implements Effect {
        public Announce {
            note = MessageLimit.EVENT.cut(note);
        }

        public Announce(PodRef pod, Kind kind, String note) {
            this(Subject.of(pod), kind, note);
        }

        /** What an event says in one word each. */
        public record Kind(String type, String reason, String action) {
            public static final Kind SCHEDULED = normal("Scheduled", "Binding");
            public static final Kind FAILED_SCHEDULING = warning("FailedScheduling", "Scheduling");

            public static Kind normal(String reason, String action) {
                return new Kind("Normal", reason, action);
            }

            public static Kind warning(String reason, String action) {
                return new Kind("Warning", reason, action);
            }
        }
    }

    /**
     * Bring an object other than a pod to what a door says. It must be safe to send twice: an answer can get lost, and
     * then it is sent again.
     */
    non-sealed interface Write extends Effect {
        /** Who hears what became of it. */
        Origin.Door door();

        /**
         * What it is about. Of the writes of one key one is on its way at a time, and of those that wait the newest alone
         * is sent, without a word about the others.
         */
        String key();

        /** How the log names what it is about: by the names that people use. */
        default String object() {
            return key();
        }
    }
}
