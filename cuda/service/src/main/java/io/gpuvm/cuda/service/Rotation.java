package io.gpuvm.cuda.service;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// Objects that are visited in rotation, as many in each turn as steps are left. Confined to the
/// poller.
final class Rotation<T> {
    private final List<T> objects = new ArrayList<>();

    /// Index of the object that is visited next.
    private int next;

    void add(T object) {
        objects.add(object);
    }

    boolean isEmpty() {
        return objects.isEmpty();
    }

    int size() {
        return objects.size();
    }

    T get(int index) {
        return objects.get(index);
    }

    /// Removes all objects.
    ///
    /// @return removed objects, in the order of their addition
    List<T> clear() {
        List<T> removed = List.copyOf(objects);
        objects.clear();
        next = 0;
        return removed;
    }

    /// Visits each object once, or as many as steps are left; the next call continues with the next
    /// object. Calls begin with the oldest object if steps suffice for all.
    ///
    /// @param most maximum number of visits
    /// @param visitor returns whether the object is removed; may add objects, which it does not
    ///   visit in this call
    /// @return number of removed objects
    int visit(PollSteps steps, int most, Predicate<T> visitor) {
        int before = objects.size();
        int visits = Math.min(before, most);
        if (visits == before && steps.left() >= before) {
            next = 0;
        }
        int removed = 0;
        for (int i = 0; i < visits && steps.take(); i++) {
            if (next >= before - removed) {
                next = 0;
            }
            if (visitor.test(objects.get(next))) {
                objects.remove(next);
                removed++;
            } else {
                next++;
            }
        }
        return removed;
    }
}
