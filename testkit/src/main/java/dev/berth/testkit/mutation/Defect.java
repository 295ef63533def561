package dev.berth.testkit.mutation;

/**
 * A defect that Berth had.
 *
 * @param id the number of the item that describes it, with a letter if the item describes several
 * @param summary what Berth did wrong, in one sentence
 * @param className the class in which it is planted
 * @param method the replaced method as in {@code Optional draw(Nomination, Pod, Handle)}: if the method is removed or
 * its parameters change, the defect must be planted elsewhere, and the build fails
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
