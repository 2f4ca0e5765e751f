package io.gpuvm.trap.vfiouser;

import io.gpuvm.linux.EventFd;

/// Handler of DEVICE_SET_IRQS.
final class SetIrqsHandler implements CommandHandler {
    private static final int DISABLE = SetIrqsBody.ACTION_TRIGGER | SetIrqsBody.DATA_NONE;

    private final IrqTable irqs;
    private final SetIrqsBody body = new SetIrqsBody();

    SetIrqsHandler(IrqTable irqs) {
        this.irqs = irqs;
    }

    @Override
    public int handle(Request request, Reply reply) {
        if (request.bodyBytes() < SetIrqsBody.BYTES) {
            return request.refuse(
                    Refusal.BODY_TOO_SHORT, "bytes", request.bodyBytes(), SetIrqsBody.BYTES);
        }
        body.wrap(request.buffer(), request.body());
        if (!checkFlags(request) || !checkVectors(request) || !checkDescriptors(request)) {
            return Request.REFUSED;
        }
        Irq irq = Irq.of((int) body.index());
        if (body.count() == 0) {
            irqs.disable(irq);
            return 0;
        }
        switch (body.action()) {
            case SetIrqsBody.ACTION_TRIGGER -> trigger(irq, request);
            case SetIrqsBody.ACTION_UNMASK -> {
                return unmask(request);
            }
            default -> mask();
        }
        return 0;
    }

    private boolean checkFlags(Request request) {
        if (body.argsz() < SetIrqsBody.BYTES) {
            request.refuse(Refusal.ARGSZ_TOO_SMALL, "argsz", body.argsz(), SetIrqsBody.BYTES);
            return false;
        }
        if (body.index() >= Irq.COUNT) {
            request.refuse(Refusal.IRQ_INDEX, "index", body.index(), Irq.COUNT - 1);
            return false;
        }
        int flags = body.flags();
        int known = SetIrqsBody.ACTIONS | SetIrqsBody.DATA_TYPES;
        if ((flags & ~known) != 0) {
            request.refuse(Refusal.IRQ_FLAGS, "flags", flags, known);
            return false;
        }
        if (Integer.bitCount(body.action()) != 1) {
            request.refuse(Refusal.IRQ_ACTION, "flags", flags, 1);
            return false;
        }
        if (Integer.bitCount(body.dataType()) != 1) {
            request.refuse(Refusal.IRQ_DATA_TYPE, "flags", flags, 1);
            return false;
        }
        return true;
    }

    private boolean checkVectors(Request request) {
        Irq irq = Irq.of((int) body.index());
        long start = body.start();
        long count = body.count();
        long vectors = irqs.vectors(irq);
        if (start >= vectors || count > vectors - start) {
            request.refuse(Refusal.IRQ_RANGE, "start", start, vectors - count);
            return false;
        }
        if (count == 0 && (start != 0 || body.flags() != DISABLE)) {
            request.refuse(Refusal.IRQ_COUNT_ZERO, "flags", body.flags(), DISABLE);
            return false;
        }
        if (body.action() != SetIrqsBody.ACTION_TRIGGER && !irq.maskable()) {
            request.refuse(Refusal.IRQ_NOT_MASKABLE, "index", body.index(), 0);
            return false;
        }
        long bytes = request.bodyBytes() - SetIrqsBody.BYTES;
        if (body.dataType() == SetIrqsBody.DATA_BOOL && bytes != count) {
            request.refuse(Refusal.BODY_LENGTH_WRONG, "bytes", bytes, count);
            return false;
        }
        return true;
    }

    private boolean checkDescriptors(Request request) {
        boolean events = body.dataType() == SetIrqsBody.DATA_EVENTFD;
        int descriptors = request.descriptors().size();
        if (descriptors > 0 && (!events || descriptors != body.count())) {
            request.refuse(
                    Refusal.IRQ_DESCRIPTORS, "descriptors", descriptors, events ? body.count() : 0);
            return false;
        }
        if (events && body.action() == SetIrqsBody.ACTION_MASK) {
            request.refuse(Refusal.IRQ_MASK_EVENT, "flags", body.flags(), 0);
            return false;
        }
        if (!request.checkDescriptors()) {
            return false;
        }
        for (int i = 0; i < descriptors; i++) {
            if (!EventFd.isEventFd(request.descriptors().get(i).number())) {
                request.refuse(Refusal.IRQ_NO_EVENTFD, "descriptor", i, descriptors - 1L);
                return false;
            }
        }
        return true;
    }

    private void trigger(Irq irq, Request request) {
        boolean connect = !request.descriptors().isEmpty();
        for (int i = 0; i < body.count(); i++) {
            int vector = (int) body.start() + i;
            switch (body.dataType()) {
                case SetIrqsBody.DATA_NONE -> irqs.fire(irq, vector);
                case SetIrqsBody.DATA_BOOL -> {
                    if (body.chosen(i)) {
                        irqs.fire(irq, vector);
                    }
                }
                default -> {
                    if (connect) {
                        irqs.connect(irq, vector, takeEvent(request));
                    } else {
                        irqs.disconnect(irq, vector);
                    }
                }
            }
        }
    }

    private int unmask(Request request) {
        if (body.dataType() == SetIrqsBody.DATA_EVENTFD) {
            return resample(request);
        }
        if (body.dataType() == SetIrqsBody.DATA_NONE || body.chosen(0)) {
            irqs.unmask();
        }
        return 0;
    }

    /// Sets the eventfd that signals the end of an interrupt. A semaphore is refused, because a
    /// single write by its creator could make the serving thread unmask any number of times.
    private int resample(Request request) {
        if (request.descriptors().isEmpty()) {
            irqs.resample(null);
            return 0;
        }
        EventFd event = takeEvent(request);
        if (event.isSemaphore()) {
            event.close();
            return request.refuse(Refusal.IRQ_SEMAPHORE, "descriptor", 0, 0);
        }
        irqs.resample(event);
        return 0;
    }

    private void mask() {
        if (body.dataType() == SetIrqsBody.DATA_NONE || body.chosen(0)) {
            irqs.mask();
        }
    }

    private static EventFd takeEvent(Request request) {
        return EventFd.adopt(request.descriptors().removeFirst());
    }
}
