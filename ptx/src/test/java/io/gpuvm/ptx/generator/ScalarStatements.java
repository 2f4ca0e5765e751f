package io.gpuvm.ptx.generator;

/// Random statements without memory and control flow.
final class ScalarStatements {
    private final ProgramText t;

    ScalarStatements(ProgramText text) {
        t = text;
    }

    /// Writes a random statement.
    void write() {
        switch (t.pick(14)) {
            case 0, 1, 2 -> integer();
            case 3 -> product();
            case 4 -> bits();
            case 5 -> shift();
            case 6 -> comparison();
            case 7 -> selection();
            case 8, 9 -> real();
            case 10 -> conversion();
            case 11 -> video();
            case 12 -> carry();
            default -> packing();
        }
    }

    private char kind() {
        return "hrrrd".charAt(t.pick(5));
    }

    private static String bitsOf(char kind) {
        return kind == 'h' ? "16" : kind == 'r' ? "32" : "64";
    }

    /// Returns a guard or an empty text.
    private String guard() {
        return t.chance(15) ? "@" + t.maybe("!") + t.p() + " " : "";
    }

    void integer() {
        char k = kind();
        String type = t.choose("u", "s") + bitsOf(k);
        String a = t.register(k);
        switch (t.pick(8)) {
            case 0, 1 ->
                    t.line(
                            "%s%s.%s %s, %s, %s;",
                            guard(),
                            t.choose("add", "sub", "min", "max"),
                            type,
                            t.register(k),
                            a,
                            t.integer(k));
            case 2 ->
                    t.line(
                            "%s%s.b%s %s, %s, %s;",
                            guard(),
                            t.choose("and", "or", "xor"),
                            bitsOf(k),
                            t.register(k),
                            a,
                            t.integer(k));
            case 3 ->
                    t.line("%s.b%s %s, %s;", t.choose("not", "cnot"), bitsOf(k), t.register(k), a);
            case 4 -> t.line("%s.s%s %s, %s;", t.choose("abs", "neg"), bitsOf(k), t.register(k), a);
            case 5 ->
                    t.line(
                            "sad.%s %s, %s, %s, %s;",
                            type, t.register(k), a, t.integer(k), t.integer(k));
            case 6 ->
                    t.line(
                            "%s.sat.s32 %s, %s, %s;",
                            t.choose("add", "sub"), t.r(), t.r(), t.integer('r'));
            default -> division(k, type);
        }
    }

    /// Writes a division whose divisor is positive, so that it has no undefined result.
    private void division(char k, String type) {
        String divisor = "%" + (k == 'h' ? "th" : k == 'r' ? "tr" : "td") + t.temporary();
        String greatest = k == 'h' ? "0x7FFF" : k == 'r' ? "0x7FFFFFFF" : "0x7FFFFFFFFFFFFFFF";
        t.line("and.b%s %s, %s, %s;", bitsOf(k), divisor, t.register(k), greatest);
        t.line("max.s%s %s, %s, %d;", bitsOf(k), divisor, divisor, 1 + t.pick(9));
        t.line(
                "%s.%s %s, %s, %s;",
                t.choose("div", "rem"), type, t.register(k), t.integer(k), divisor);
    }

    private void product() {
        char k = kind();
        String type = t.choose("u", "s") + bitsOf(k);
        switch (t.pick(7)) {
            case 0, 1 ->
                    t.line(
                            "mul%s.%s %s, %s, %s;",
                            t.word("lo hi"), type, t.register(k), t.register(k), t.integer(k));
            case 2 ->
                    t.line(
                            "mad%s.%s %s, %s, %s, %s;",
                            t.word("lo hi"),
                            type,
                            t.register(k),
                            t.register(k),
                            t.integer(k),
                            t.register(k));
            case 3 -> wide("mul", "");
            case 4 -> wide("mad", "c");
            case 5 ->
                    t.line(
                            "mul24%s.%s32 %s, %s, %s;",
                            t.word("lo hi"), t.choose("u", "s"), t.r(), t.r(), t.integer('r'));
            default ->
                    t.line(
                            "%s %s, %s, %s, %s;",
                            t.choose(
                                    "mad24.lo.s32",
                                    "mad24.hi.u32",
                                    "mad24.hi.sat.s32",
                                    "mad.hi.sat.s32"),
                            t.r(),
                            t.r(),
                            t.integer('r'),
                            t.r());
        }
    }

    private void wide(String opcode, String third) {
        char k = t.chance(50) ? 'h' : 'r';
        char result = k == 'h' ? 'r' : 'd';
        t.line(
                "%s.wide.%s%s %s, %s, %s%s;",
                opcode,
                t.choose("u", "s"),
                bitsOf(k),
                t.register(result),
                t.register(k),
                t.integer(k),
                third.isEmpty() ? "" : ", " + t.register(result));
    }

    /// Writes an instruction of a newer target, or one that needs several instructions.
    private void newer() {
        switch (t.pick(6)) {
            case 0, 1 ->
                    t.line(
                            "lop3.b32 %s, %s, %s, %s, 0x%02X;",
                            t.r(), t.r(), t.r(), t.integer('r'), t.pick(256));
            case 2 ->
                    t.line(
                            "shf%s%s.b32 %s, %s, %s, %s;",
                            t.word("l r"), t.word("clamp wrap"), t.r(), t.r(), t.r(), count());
            case 3 -> {
                int number = t.temporary();
                String sign = t.f();
                t.line("testp.number.f32 %%tp%d, %s;", number, sign);
                t.line("@%%tp%d copysign.f32 %s, %s, %s;", number, t.f(), sign, t.f());
            }
            case 4 ->
                    t.line(
                            "mov.u32 %s, %%%s;",
                            t.r(),
                            t.choose(
                                    "laneid",
                                    "lanemask_eq",
                                    "lanemask_lt",
                                    "lanemask_le",
                                    "lanemask_gt",
                                    "lanemask_ge",
                                    "ntid.x",
                                    "nctaid.x",
                                    "tid.y",
                                    "ctaid.z",
                                    "ntid.z"));
            default -> t.line("membar%s;", t.word("cta gl sys"));
        }
    }

    private void bits() {
        if (t.newer(50)) {
            newer();
            return;
        }
        char k = t.chance(60) ? 'r' : 'd';
        String width = bitsOf(k);
        switch (t.pick(9)) {
            case 0 ->
                    t.line("%s.b%s %s, %s;", t.choose("popc", "clz"), width, t.r(), t.register(k));
            case 1 ->
                    t.line(
                            "bfind%s.%s%s %s, %s;",
                            t.maybe(".shiftamt"), t.choose("u", "s"), width, t.r(), t.register(k));
            case 2 -> t.line("brev.b%s %s, %s;", width, t.register(k), t.register(k));
            case 3 ->
                    t.line(
                            "bfe.%s%s %s, %s, %s, %s;",
                            t.choose("u", "s"),
                            width,
                            t.register(k),
                            t.register(k),
                            count(),
                            count());
            case 4 ->
                    t.line(
                            "bfi.b%s %s, %s, %s, %s, %s;",
                            width, t.register(k), t.register(k), t.register(k), count(), count());
            case 5, 6 ->
                    t.line(
                            "prmt.b32 %s, %s, %s, %s;",
                            t.r(),
                            t.r(),
                            t.integer('r'),
                            t.chance(50) ? "0x%04X".formatted(t.pick(65536)) : t.r());
            case 7 ->
                    t.line(
                            "prmt.b32%s %s, %s, %s, %s;",
                            t.word("f4e b4e rc8 ecl ecr rc16"),
                            t.r(),
                            t.r(),
                            t.r(),
                            t.chance(50) ? t.r() : String.valueOf(t.pick(4)));
            default ->
                    t.line(
                            "%s.pred %s, %s, %s;",
                            t.choose("and", "or", "xor"), t.p(), t.p(), t.p());
        }
    }

    private String count() {
        return t.chance(60) ? String.valueOf(t.pick(80)) : t.r();
    }

    private void shift() {
        char k = kind();
        String count = t.chance(60) ? String.valueOf(t.pick(70)) : t.r();
        if (t.chance(50)) {
            t.line("shl.b%s %s, %s, %s;", bitsOf(k), t.register(k), t.register(k), count);
        } else {
            t.line(
                    "shr.%s%s %s, %s, %s;",
                    t.choose("u", "s", "b"), bitsOf(k), t.register(k), t.register(k), count);
        }
    }

    /// Writes a comparison to a predicate.
    void comparison() {
        String results = t.p() + (t.chance(30) ? "|_" : "");
        if (t.chance(20)) {
            int first = t.pick(ProgramText.PREDICATES);
            results = "%p" + first + "|%p" + (first + 1) % ProgramText.PREDICATES;
        }
        boolean combines = t.chance(30);
        String and = combines ? t.word("and or xor") : "";
        String third = combines ? ", " + t.maybe("!") + t.p() : "";
        switch (t.pick(4)) {
            case 0, 1 -> {
                char k = kind();
                boolean unsigned = t.chance(50);
                t.line(
                        "setp%s%s.%s%s %s, %s, %s%s;",
                        unsigned
                                ? t.word("eq ne lt le gt ge lo ls hi hs")
                                : t.word("eq ne lt le gt ge"),
                        and,
                        unsigned ? "u" : "s",
                        bitsOf(k),
                        results,
                        t.register(k),
                        t.integer(k),
                        third);
            }
            case 2 ->
                    t.line(
                            "setp%s%s%s.f32 %s, %s, %s%s;",
                            realComparison(),
                            and,
                            t.maybe(".ftz"),
                            results,
                            t.f(),
                            t.real('f'),
                            third);
            default ->
                    t.line(
                            "setp%s%s.f64 %s, %s, %s%s;",
                            realComparison(), and, results, t.g(), t.real('g'), third);
        }
    }

    private String realComparison() {
        return t.word("eq ne lt le gt ge equ neu ltu leu gtu geu num nan");
    }

    private void selection() {
        char k = "hrdfg".charAt(t.pick(5));
        String type =
                switch (k) {
                    case 'f' -> "f32";
                    case 'g' -> "f64";
                    default -> t.choose("b", "u", "s") + bitsOf(k);
                };
        switch (t.pick(5)) {
            case 0, 1 -> {
                String b = k == 'f' || k == 'g' ? t.real(k) : t.integer(k);
                t.line("selp.%s %s, %s, %s, %s;", type, t.register(k), t.register(k), b, t.p());
            }
            case 2 ->
                    t.line(
                            "slct.%s.s32 %s, %s, %s, %s;",
                            type, t.register(k), t.register(k), t.register(k), t.r());
            case 3 ->
                    t.line(
                            "slct%s.%s.f32 %s, %s, %s, %s;",
                            t.maybe(".ftz"),
                            type,
                            t.register(k),
                            t.register(k),
                            t.register(k),
                            t.f());
            default -> set();
        }
    }

    private void set() {
        boolean combines = t.chance(30);
        String and = combines ? t.word("and or xor") : "";
        String third = combines ? ", " + t.maybe("!") + t.p() : "";
        boolean real = t.chance(40);
        String result = real ? t.f() : t.r();
        String type = real ? "f32" : t.choose("u32", "s32");
        switch (t.pick(3)) {
            case 0 -> {
                char k = kind();
                t.line(
                        "set%s%s.%s.%s%s %s, %s, %s%s;",
                        t.word("eq ne lt le gt ge"),
                        and,
                        type,
                        t.choose("u", "s"),
                        bitsOf(k),
                        result,
                        t.register(k),
                        t.integer(k),
                        third);
            }
            case 1 ->
                    t.line(
                            "set%s%s%s.%s.f32 %s, %s, %s%s;",
                            realComparison(),
                            and,
                            t.maybe(".ftz"),
                            type,
                            result,
                            t.f(),
                            t.real('f'),
                            third);
            default ->
                    t.line(
                            "set%s%s.%s.f64 %s, %s, %s%s;",
                            realComparison(), and, type, result, t.g(), t.real('g'), third);
        }
    }

    private void real() {
        if (t.chance(65)) {
            single();
        } else {
            doublePrecision();
        }
    }

    private String rounding() {
        return t.word("rn rn rz rm rp");
    }

    private void single() {
        String ftz = t.maybe(".ftz");
        String sat = t.chance(25) ? ".sat" : "";
        switch (t.pick(9)) {
            case 0, 1 ->
                    t.line(
                            "%s%s%s%s.f32 %s, %s, %s;",
                            t.choose("add", "sub", "mul"),
                            rounding(),
                            ftz,
                            sat,
                            t.f(),
                            t.f(),
                            t.real('f'));
            case 2, 3 ->
                    t.line(
                            "%s%s%s%s.f32 %s, %s, %s, %s;",
                            t.choose("fma", "mad"),
                            rounding(),
                            ftz,
                            sat,
                            t.f(),
                            t.f(),
                            t.real('f'),
                            t.f());
            case 4 -> t.line("div%s%s.f32 %s, %s, %s;", rounding(), ftz, t.f(), t.f(), t.real('f'));
            case 5 ->
                    t.line(
                            "%s%s%s.f32 %s, %s;",
                            t.choose("rcp", "sqrt"), rounding(), ftz, t.f(), t.f());
            case 6 -> t.line("%s%s.f32 %s, %s;", t.choose("abs", "neg"), ftz, t.f(), t.f());
            case 7 ->
                    t.line(
                            "%s%s.f32 %s, %s, %s;",
                            t.choose("min", "max"), ftz, t.f(), t.f(), t.real('f'));
            default ->
                    t.line(
                            "testp%s.f32 %s, %s;",
                            t.word("finite infinite number notanumber normal subnormal"),
                            t.p(),
                            t.f());
        }
    }

    private void doublePrecision() {
        switch (t.pick(8)) {
            case 0, 1 ->
                    t.line(
                            "%s%s.f64 %s, %s, %s;",
                            t.choose("add", "sub", "mul"), rounding(), t.g(), t.g(), t.real('g'));
            case 2 ->
                    t.line(
                            "fma%s.f64 %s, %s, %s, %s;",
                            rounding(), t.g(), t.g(), t.real('g'), t.g());
            case 3 -> t.line("div%s.f64 %s, %s, %s;", rounding(), t.g(), t.g(), t.real('g'));
            case 4 -> t.line("%s%s.f64 %s, %s;", t.choose("rcp", "sqrt"), rounding(), t.g(), t.g());
            case 5 -> t.line("%s.f64 %s, %s;", t.choose("abs", "neg"), t.g(), t.g());
            case 6 ->
                    t.line("%s.f64 %s, %s, %s;", t.choose("min", "max"), t.g(), t.g(), t.real('g'));
            default ->
                    t.line(
                            "testp%s.f64 %s, %s;",
                            t.word("finite infinite number notanumber normal subnormal"),
                            t.p(),
                            t.g());
        }
    }

    private void conversion() {
        switch (t.pick(8)) {
            case 0 -> {
                String[] to = target();
                t.line(
                        "cvt%s%s.%s.f32 %s, %s;",
                        t.word("rni rzi rmi rpi"), t.maybe(".ftz"), to[0], to[1], t.f());
            }
            case 1 -> {
                String[] to = target();
                t.line("cvt%s.%s.f64 %s, %s;", t.word("rni rzi rmi rpi"), to[0], to[1], t.g());
            }
            case 2 -> {
                String[] from = target();
                t.line(
                        "cvt%s%s.f32.%s %s, %s;",
                        rounding(), t.maybe(".sat"), from[0], t.f(), from[1]);
            }
            case 3 -> {
                String[] from = target();
                t.line("cvt%s.f64.%s %s, %s;", rounding(), from[0], t.g(), from[1]);
            }
            case 4 -> realConversion();
            case 5 -> half();
            default -> integers();
        }
    }

    /// Returns a type of integers, and a register that holds it.
    private String[] target() {
        String type = t.choose("u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64");
        int bits = Integer.parseInt(type.substring(1));
        char kind = bits <= 16 ? (t.chance(50) ? 'h' : 'r') : bits == 32 ? 'r' : 'd';
        return new String[] {type, t.register(kind)};
    }

    private void integers() {
        String[] to = target();
        String[] from = target();
        t.line("cvt%s.%s.%s %s, %s;", t.maybe(".sat"), to[0], from[0], to[1], from[1]);
    }

    private void realConversion() {
        switch (t.pick(4)) {
            case 0 -> t.line("cvt%s.f64.f32 %s, %s;", t.maybe(".ftz"), t.g(), t.f());
            case 1 ->
                    t.line(
                            "cvt%s%s%s.f32.f64 %s, %s;",
                            rounding(), t.maybe(".ftz"), t.maybe(".sat"), t.f(), t.g());
            case 2 ->
                    t.line(
                            "cvt%s%s%s.f32.f32 %s, %s;",
                            t.word("rni rzi rmi rpi"),
                            t.maybe(".ftz"),
                            t.maybe(".sat"),
                            t.f(),
                            t.f());
            default -> t.line("cvt%s.f64.f64 %s, %s;", t.word("rni rzi rmi rpi"), t.g(), t.g());
        }
    }

    /// Writes a conversion from half precision. The other direction is followed by its inverse,
    /// since a register with a NaN of half precision has no certain bits.
    private void half() {
        if (t.chance(50)) {
            t.line("cvt%s.f32.f16 %s, %s;", t.maybe(".sat"), t.f(), t.h());
            return;
        }
        String half = "%th" + t.temporary();
        t.line("cvt%s.f16.f32 %s, %s;", rounding(), half, t.f());
        t.line("cvt.f32.f16 %s, %s;", t.f(), half);
    }

    private String part(String register) {
        return register + t.choose("", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1");
    }

    private String type32() {
        return t.word("u32 s32");
    }

    private void video() {
        String opcode = t.choose("vadd", "vsub", "vabsdiff", "vmin", "vmax", "vshl", "vshr");
        boolean shifts = opcode.startsWith("vsh");
        String types = type32() + type32() + (shifts ? ".u32" : type32());
        String mode = t.maybe(".sat") + (shifts ? t.word("clamp wrap") : "");
        String a = part(t.r());
        String b = part(t.r());
        switch (t.pick(6)) {
            case 0, 1 -> t.line("%s%s%s %s, %s, %s;", opcode, types, mode, t.r(), a, b);
            case 2 ->
                    t.line(
                            "%s%s%s%s %s, %s, %s, %s;",
                            opcode, types, mode, t.word("add min max"), t.r(), a, b, t.r());
            case 3 ->
                    t.line(
                            "%s%s%s %s%s, %s, %s, %s;",
                            opcode, types, mode, t.r(), t.word("b0 b1 b2 b3 h0 h1"), a, b, t.r());
            case 4 -> vectorMultiplyAdd(a, b);
            default -> {
                String compare = "vset" + type32() + type32() + t.word("eq ne lt le gt ge");
                if (t.chance(50)) {
                    t.line("%s %s, %s, %s;", compare, t.r(), a, b);
                } else {
                    t.line(
                            "%s%s %s, %s, %s, %s;",
                            compare, t.word("add min max"), t.r(), a, b, t.r());
                }
            }
        }
    }

    /// Writes `vmad`. The type of the result follows from the types of the operands.
    private void vectorMultiplyAdd(String a, String b) {
        String aType = type32();
        String bType = type32();
        String scale = t.choose("", "", ".shr7", ".shr15");
        boolean po = t.chance(25);
        boolean minus = !po && t.chance(25);
        boolean minusC = !po && !minus && t.chance(25);
        boolean signed = (aType + bType).contains("s") || minus || minusC;
        t.line(
                "vmad.%s%s%s%s%s%s %s, %s%s, %s, %s%s;",
                signed ? "s32" : "u32",
                aType,
                bType,
                po ? ".po" : "",
                t.maybe(".sat"),
                scale,
                t.r(),
                minus ? "-" : "",
                a,
                b,
                minusC ? "-" : "",
                t.r());
    }

    /// Writes a chain of additions, subtractions or multiply-adds with carry.
    private void carry() {
        boolean wide = t.chance(30);
        char k = wide ? 'd' : 'r';
        String type = t.word(wide ? "u64 s64" : "u32 s32");
        int length = 2 + t.pick(3);
        switch (t.pick(3)) {
            case 0 -> {
                t.line("add.cc%s %s, %s, %s;", type, t.register(k), t.register(k), t.integer(k));
                chain("addc", type, k, length);
            }
            case 1 -> {
                t.line("sub.cc%s %s, %s, %s;", type, t.register(k), t.register(k), t.integer(k));
                chain("subc", type, k, length);
            }
            default -> {
                t.line(
                        "mad%s.cc%s %s, %s, %s, %s;",
                        t.word("lo hi"),
                        type,
                        t.register(k),
                        t.register(k),
                        t.integer(k),
                        t.register(k));
                for (int i = 1; i < length; i++) {
                    t.line(
                            "madc%s%s%s %s, %s, %s, %s;",
                            t.word("lo hi"),
                            i + 1 < length ? ".cc" : "",
                            type,
                            t.register(k),
                            t.register(k),
                            t.register(k),
                            t.register(k));
                }
            }
        }
    }

    private void chain(String opcode, String type, char k, int length) {
        for (int i = 1; i < length; i++) {
            t.line(
                    "%s%s%s %s, %s, %s;",
                    opcode,
                    i + 1 < length ? ".cc" : "",
                    type,
                    t.register(k),
                    t.register(k),
                    t.integer(k));
        }
    }

    private void packing() {
        switch (t.pick(8)) {
            case 0 -> t.line("mov.b64 %s, {%s, %s};", t.d(), t.r(), t.r());
            case 1 -> t.line("mov.b64 {%%r0, %%r%d}, %s;", 1 + t.pick(4), t.d());
            case 2 -> t.line("mov.b32 %s, {%s, %s};", t.r(), t.h(), t.h());
            case 3 -> t.line("mov.b32 {%%h0, %%h%d}, %s;", 1 + t.pick(3), t.r());
            case 4 -> t.line("mov.b64 %s, {%s, %s, %s, %s};", t.d(), t.h(), t.h(), t.h(), t.h());
            case 5 -> floatBits();
            case 6 -> t.line("mov.b32 %s, %s;", t.f(), t.r());
            default -> t.line("mov.b64 %s, %s;", t.g(), t.d());
        }
    }

    /// Writes a move of a float's bits to an integer; every NaN has the same bits.
    private void floatBits() {
        int number = t.temporary();
        if (t.chance(50)) {
            String from = t.f();
            t.line("testp.notanumber.f32 %%tp%d, %s;", number, from);
            t.line("mov.b32 %%tr%d, %s;", number, from);
            t.line("selp.b32 %s, 0x7FFFFFFF, %%tr%d, %%tp%d;", t.r(), number, number);
        } else {
            String from = t.g();
            t.line("testp.notanumber.f64 %%tp%d, %s;", number, from);
            t.line("mov.b64 %%td%d, %s;", number, from);
            t.line("selp.b64 %s, 0x7FF8000000000000, %%td%d, %%tp%d;", t.d(), number, number);
        }
    }
}
