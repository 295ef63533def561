package dev.berth.testkit.mutation;

/**
 * A defect that Berth had.
 *
 * @param id the number of the item that describes it, and a letter where the item describes several
 * @param summary what Berth did wrong, in one sentence
 * @param className the product's class in which it is planted
 * @param method the replaced method as in {@code Optional draw(Nomination, Pod, Desk)}: a defect whose method has
 *     vanished or has other parameters must be planted elsewhere, and the build says so
 */
public record Defect(String id, String summary, String className, String method, FaultyBody faultyBody) {
    /** The replaced method, with the name of its class. */
    public String location() {
        String type = className.substring(className.lastIndexOf('.') + 1).replace('$', '.');
        return type + "." + methodName();
    }

    String methodName() {
        return method.substring(method.lastIndexOf(' ', method.indexOf('(')) + 1, method.indexOf('('));
    }

    @Override
    public String toString() {
        return "%s: %s".formatted(id, summary);
    }
}
