package dev.berth.e2e.prose;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A phrase that users do not expect in a message or in documentation, and what to write instead.
 *
 * @param phrase matches the phrase, in any case unless the pattern says otherwise
 */
record ProseRule(Pattern phrase, String advice) {
    static final int MAX_WORDS = 40;

    private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?])[)\"'*_]*\\s+");
    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N}'’./_-]*");
    private static final String PERSON =
            "(?:users?|operators?|tenants?|engineers?|readers?|people|persons?|programmers?|authors?|reviewers?)";

    static final List<ProseRule> ALL = List.of(
            words("again", "anew", "afresh"),
            words("the noun: the pod, the client, the scheduler", "whoever", "whomever", "whom", "whosoever"),
            words("the noun: the pod, the user, the scheduler", "somebody", "someone", "anybody", "anyone"),
            words("the noun: no pod, no client, no scheduler", "nobody", "no one"),
            words("'that' after a thing: a pod that is pending", "(?<!" + PERSON + " )(?-i:who)"),
            words(
                    "the noun: other pods, other holds, other schedulers",
                    "(?:by|for|from|of|to|with) others",
                    "another's"),
            words("'remove' or 'uninstall'", "be rid", "get rid"),
            words("'without effect'", "in vain"),
            words("nothing, or the exact word", "as it were", "so to speak"),
            words("the other things by name", "the like"),
            words("'otherwise'", "for else", "or else"),
            words("'is invalid', and what is valid", "makes? no sense", "senseless"),
            words("'must be one of …', or 'unknown'", "(?:is|are) none of", "(?-i:is none)"),
            words("'if' or 'even if'", "be it", "be they"),
            words("'so that … not'", "lest"),
            words("a preposition and the noun", "thereof", "hereby", "herein", "whereby", "wherein", "whereof"),
            words("the modern word", "whilst", "amongst", "albeit", "upon", "unto", "shall", "seldom", "henceforth"),
            words("'only'", "merely"),
            words("'that are'", "such as are"),
            words("'does not exist', with the name", "there (?:is|are|was|were) no such", "has no such"),
            words("'with a message'", "in words"),
            words("'delete', 'evict' or 'preempt'", "(?:send|sends|sent|sending) away"),
            words("'release'", "let(?:s|ting)? go", "to let go"),
            words("'was deleted'", "(?:is|are|was|were) gone"),
            words("the plain verb: is, occurs, means", "stands? (?:for|there|here|beside)"),
            words("'next to' or 'together with'", "beside"),
            words("'remove', 'disable' or 'omit'", "leav(?:e|es|ing) (?:\\w+ )?out", "left out"),
            words("'fail' or 'end early'", "br(?:oke|eaks?) off"),
            words("'capacity'", "room"),
            words("'even so', or nothing", "all the same"),
            words("'again'", "once more"),
            words("how long", "for a while"),
            words("'instead of'", "in its stead", "in their stead"),
            words("'use' or 'follow'", "goes? by (?:the|its|what)"),
            words("'is not a …'", "(?<!there )is no(?= (?!longer|more than|reason|\\d))"),
            words("'respect'", "heeds?", "heeded"),
            words(
                    "'if …': the condition in its usual order",
                    "(?<=^|[.;:] )(?-i:Were|Had|Be) (?:the|a|an|it|there|that|they|Berth)"));

    /** Matches each phrase as whole words. */
    private static ProseRule words(String advice, String... phrases) {
        String pattern = "(?<![\\p{L}\\p{N}-])(?:%s)(?![\\p{L}\\p{N}])".formatted(String.join("|", phrases));
        return new ProseRule(Pattern.compile(pattern, Pattern.CASE_INSENSITIVE), advice);
    }

    /** What is wrong with the text: each phrase with the advice, and each sentence that is too long. */
    static List<String> findings(String text) {
        List<String> findings = new ArrayList<>();
        for (ProseRule rule : ALL) {
            Matcher found = rule.phrase.matcher(text);
            while (found.find()) {
                findings.add("'%s': write %s".formatted(found.group().strip(), rule.advice));
            }
        }
        for (String sentence : SENTENCE_END.split(text, -1)) {
            long words = WORD.matcher(sentence).results().count();
            if (words > MAX_WORDS) {
                findings.add("a sentence of %d words ('%.60s …'): write sentences of at most %d"
                        .formatted(words, sentence.strip(), MAX_WORDS));
            }
        }
        return findings;
    }
}
