package io.gpuvm.top;

/// Question to the user, and the answer so far.
///
/// @param kind kind of the question
/// @param backend control socket of the backend; null for the filter
/// @param vm virtual machine; null for the filter
/// @param question text before the answer
/// @param answer typed characters
public record TopPrompt(Kind kind, String backend, String vm, String question, String answer) {
    /// Kinds of questions.
    public enum Kind {
        /// The filter of names.
        FILTER,
        /// A new weight, to be confirmed.
        WEIGHT,
        /// A new cap, to be confirmed.
        CAP,
        /// Confirmation of the weight in the answer.
        CONFIRM_WEIGHT,
        /// Confirmation of the cap in the answer.
        CONFIRM_CAP,
        /// Confirmation that the running commands are stopped.
        CONFIRM_KILL;

        /// Returns whether one key answers the question.
        boolean isConfirmation() {
            return this == CONFIRM_WEIGHT || this == CONFIRM_CAP || this == CONFIRM_KILL;
        }
    }

    TopPrompt withAnswer(String newAnswer) {
        return new TopPrompt(kind, backend, vm, question, newAnswer);
    }
}
