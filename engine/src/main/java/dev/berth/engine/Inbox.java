package dev.berth.engine;

import dev.berth.core.decision.Pace;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What waits for the loop: facts, answers to its own writes, and questions. Facts are taken in the order in which they
 * came. A question is asked after the facts that came before it; but where these take longer than a turn may, it is asked
 * before them: it never waits behind a burst, and has the state of a watch that is a moment behind.
 */
final class Inbox {
    private static final int TAKEN_AT_ONCE = 4_096;

    private final BlockingQueue<Fact> facts;
    private final BlockingQueue<Question> questions;
    /** As many as there are writes in flight at the most, and never refused. */
    private final Queue<Runnable> answers = new ConcurrentLinkedQueue<>();

    private final AtomicLong begun = new AtomicLong();
    /** Facts that were taken in; of the loop's thread alone. */
    private long taken;

    /**
     * Something that is taken in its order.
     *
     * @param refuse what to do when there is nobody any more who could take it in
     */
    private record Fact(Runnable work, Consumer<IllegalStateException> refuse) {
        private static Fact of(Runnable work) {
            return new Fact(work, why -> {});
        }
    }

    /**
     * Something to be asked.
     *
     * @param after how many facts were on their way when it came
     * @param refuse what to do when there is nobody any more who could answer
     */
    private record Question(Runnable work, Consumer<IllegalStateException> refuse, long after) {}

    Inbox(int size) {
        this.facts = new ArrayBlockingQueue<>(size);
        this.questions = new ArrayBlockingQueue<>(size);
    }

    /** Waits while there is no room. */
    void put(Runnable fact) throws InterruptedException {
        begun.incrementAndGet();
        facts.put(Fact.of(() -> {
            taken++;
            fact.run();
        }));
    }

    /** The same for what must not be asked before the facts that came first. Says whether there was room. */
    boolean askInOrder(Runnable work, Consumer<IllegalStateException> refuse) {
        return facts.offer(new Fact(work, refuse));
    }

    /** Says whether there was room. */
    boolean ask(Runnable work, Consumer<IllegalStateException> refuse) {
        boolean room = questions.offer(new Question(work, refuse, begun.get()));
        wake();
        return room;
    }

    void answered(Runnable answer) {
        answers.add(answer);
        wake();
    }

    /** Full ones need no waking up: the loop is busy with them. */
    void wake() {
        facts.offer(Fact.of(() -> {}));
    }

    int size() {
        return facts.size() + questions.size();
    }

    boolean isEmpty() {
        return facts.isEmpty() && questions.isEmpty() && answers.isEmpty();
    }

    /** Waits until something comes in, for so long at the most. Says whether something did. */
    boolean await(Duration pause) throws InterruptedException {
        Fact first = facts.poll(pause.toNanos(), TimeUnit.NANOSECONDS);
        if (first != null) {
            first.work().run();
        }
        return first != null;
    }

    /** Takes in what there is time for, and all questions. */
    void takeIn(Pace pace) {
        boolean more = answers(pace);
        for (int i = 0; more && i < TAKEN_AT_ONCE; i++) {
            askThoseWhoseTurnItIs();
            Fact fact = facts.poll();
            if (fact != null) {
                fact.work().run();
            }
            more = fact != null && !pace.timeIsUp();
        }
        for (int i = questions.size(); i > 0; i--) {
            ask(questions.poll());
        }
    }

    /** Says whether there is time left. */
    private boolean answers(Pace pace) {
        for (Runnable answer = answers.poll(); answer != null; answer = answers.poll()) {
            answer.run();
            if (pace.timeIsUp()) {
                return false;
            }
        }
        return true;
    }

    private void askThoseWhoseTurnItIs() {
        Question next = questions.peek();
        while (next != null && next.after() <= taken) {
            ask(questions.poll());
            next = questions.peek();
        }
    }

    private static void ask(@Nullable Question question) {
        if (question != null) {
            question.work().run();
        }
    }

    /** Nobody will take in what waits. */
    void refuse(IllegalStateException why) {
        for (Fact fact = facts.poll(); fact != null; fact = facts.poll()) {
            fact.refuse().accept(why);
        }
        for (Question question = questions.poll(); question != null; question = questions.poll()) {
            question.refuse().accept(why);
        }
    }
}
