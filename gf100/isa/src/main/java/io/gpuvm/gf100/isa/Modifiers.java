package io.gpuvm.gf100.isa;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// All modifiers that a line of the table can name, by key.
///
/// Names are from `cuobjdump` if known; the remaining names are gpuvm's.
final class Modifiers {
    private static final Map<String, Modifier> BY_KEY = new HashMap<>();

    /// Name of a value that the hardware does not have.
    private static final String RESERVED = null;

    static {
        flag("cc", Field.CC_OUT, "CC");
        flag("x", Field.CARRY_IN, "X");
        flag("sat", Field.SATURATE, "SAT");
        flag("ftz", Field.FTZ, "FTZ");
        flag("fmz", Field.FMZ, "FMZ");
        flag("po", Field.PLUS_ONE, "PO");
        flag("bf", Field.BOOLEAN_FLOAT, "BF");
        flag("hi", Field.HIGH, "HI");
        flag("w", Field.WRAP, "W");
        flag("brev", Field.REVERSE, "BREV");
        flag("sh", Field.SHIFT_AMOUNT, "SH");
        flag("e", Field.EXTENDED, "E");
        flag("e2", Field.EXTENDED_2, "E");
        flag("u", Field.UNIFORM, "U");
        flag("lmt", Field.LIMIT, "LMT");
        flag("s", Field.JOIN, "S");
        flag("lz", Field.LEVEL_ZERO, "LZ");
        flag("trig", Field.TRIGGER, "TRIG");
        flag("term", Field.TERMINATE, "TERMINATE");
        add("noinc", Field.COUNTED, "NOINC", "");
        add("u32", Field.SIGNED, "U32", "");
        BY_KEY.put(
                "types",
                new Modifier(
                        "types",
                        List.of(Field.SIGNED_A, Field.SIGNED_B),
                        List.of("U32.U32", "S32.U32", "U32.S32", "")));
        add("rnd", Field.ROUNDING, "", "RM", "RP", "RZ");
        add("whole", Field.ROUNDING, "ROUND", "FLOOR", "CEIL", "TRUNC");
        add("int", Field.ROUNDING, "", "FLOOR", "CEIL", "TRUNC");
        add("scale", Field.SCALE, "", "D2", "D4", "D8", "M8", "M4", "M2", RESERVED);
        add("cmp", Field.COMPARISON, names(Comparison.values()));
        add("logic", Field.LOGIC, "AND", "OR", "XOR", RESERVED);
        add("op", Field.LOGIC_INNER, names(LogicOp.values()));
        add("inner", Field.LOGIC_INNER, "AND", "OR", "XOR", RESERVED);
        add("wide", Field.WIDE_PART, "", "XLO", "XMED", "XHI");
        add("prmt", Field.PERMUTE, "", "F4E", "B4E", "RC8", "ECL", "ECR", "RC16", RESERVED);
        add("mufu", Field.FUNCTION, names(MufuFunction.values()));
        add("rro", Field.REDUCE_EX2, "SINCOS", "EX2");
        add("ud", Field.SIGNED, "UD", "");
        add("mx", Field.MAXIMUM, "", "MX");
        add("vcmp", Field.COMPARISON, "F", "LT", "EQ", "LE", "GT", "NE", "GE", "T");
        add("parta", Field.PART_A, "B0", "B1", "B2", "B3", "H0", "H1", "", RESERVED);
        add("partb", Field.PART_B, "B0", "B1", "B2", "B3", "H0", "H1", "", RESERVED);
        add("result", Field.VIDEO_RESULT, "H1", "H0", "B0", "B2", "ACC", "MIN", "MAX", "");
        add("vshift", Field.VIDEO_SHIFT, "", "SHR7", "SHR15", RESERVED);
        add("vote", Field.VOTE, "ALL", "ANY", "EQ", RESERVED);
        add("level", Field.LEVEL, "CTA", "GL", "SYS", RESERVED);
        add("size", Field.SIZE, "U8", "S8", "U16", "S16", "", "64", "128", RESERVED);
        add("each", Field.SIZE, "U8", "S8", "U16", "S16", "32", "64", "128", RESERVED);
        add("each2", Field.SIZE_2, "U8", "S8", "U16", "S16", "32", "64", "128", RESERVED);
        add("ldcache", Field.CACHE, "", "CG", "CS", "CV");
        add("ldlcache", Field.CACHE, "", "CG", "LU", "CV");
        add("stcache", Field.CACHE, "", "CG", "CS", "WT");
        add("atom", Field.ATOMIC, names(AtomicOp.values()));
        addTypes();
        add("bar", Field.BARRIER_OP, "RED.POPC", "RED.AND", "RED.OR", RESERVED, "ARV");
        add("bpt", Field.BREAKPOINT, "DRAIN", "CAL", "PAUSE", "TRAP");
        add("cctl", Field.CACHE_CONTROL, "QRY1", "PF1", "PF1.5", "PF2", "WB", "IV", "IVALL", "RS");
        add("cache", Field.CACHE_KIND, "", "U", "C", "I");
        add("group", Field.GROUPING, "", "T", "P", RESERVED);
        add("flags", Field.FLAGS_HIGH, "PR", "CC");
        add("byte", Field.PART, "", "B1", "B2", "B3");
        add("half", Field.PART, "", "H1");
        addLanes();
    }

    private Modifiers() {}

    /// @throws IllegalArgumentException if no modifier has this key
    static Modifier named(String key) {
        Modifier modifier = BY_KEY.get(key);
        if (modifier == null) {
            throw new IllegalArgumentException("modifier=" + key + ", expected a known key");
        }
        return modifier;
    }

    private static void flag(String key, Field field, String name) {
        add(key, field, "", name);
    }

    private static void add(String key, Field field, String... names) {
        List<String> list = new ArrayList<>();
        Collections.addAll(list, names);
        BY_KEY.put(key, new Modifier(key, List.of(field), Collections.unmodifiableList(list)));
    }

    private static String[] names(Enum<?>[] values) {
        String[] names = new String[values.length];
        for (Enum<?> value : values) {
            names[value.ordinal()] = value.name();
        }
        return names;
    }

    private static void addTypes() {
        String[] atomic = new String[AtomicType.F32.code() + 1];
        atomic[AtomicType.U32.code()] = "";
        atomic[AtomicType.U64.code()] = "64";
        atomic[AtomicType.S32.code()] = "S32";
        atomic[AtomicType.F32.code()] = "F32.FTZ.RN";
        add("atype", Field.ATOMIC_TYPE, atomic);
        String[] numbers = names(NumberType.values());
        add("dst", Field.DST_TYPE, numbers);
        add("src", Field.SRC_TYPE, numbers);
        String[] floats = new String[numbers.length];
        String[] wide = numbers.clone();
        for (NumberType type : NumberType.values()) {
            floats[type.ordinal()] = type.isFloat() ? type.name() : RESERVED;
            wide[type.ordinal()] = type.bytes() == 1 ? RESERVED : type.name();
        }
        add("fdst", Field.DST_TYPE, floats);
        add("wdst", Field.DST_TYPE, wide);
    }

    private static void addLanes() {
        int all = (1 << 4) - 1;
        String[] names = new String[all + 1];
        for (int mask = 0; mask < all; mask++) {
            StringBuilder name = new StringBuilder("L");
            for (int lane = 0; lane < 4; lane++) {
                if ((mask >> lane & 1) != 0) {
                    name.append(lane);
                }
            }
            names[mask] = name.toString();
        }
        names[0] = "LNONE";
        names[all] = "";
        add("lanes", Field.QUAD_LANES, names);
    }
}
