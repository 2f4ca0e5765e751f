package io.gpuvm.gf100.isa;

import static io.gpuvm.gf100.isa.FormList.fixed;

import java.util.List;

/// Forms of the conversions between number formats.
///
/// Bits 24:23 and 21:20 are the sizes of source and result (1, 2, 4, 8 bytes; floats from 2); bits
/// 9 and 7 select signed integers. A source narrower than a word is a part of a word.
final class ConversionForms {
    private static final int FLOAT_BIAS = NumberType.F16.ordinal() - 1;

    private static final Legend LEGEND =
            Legend.COMMON
                    .and('f', Field.FTZ)
                    .and('s', Field.SATURATE)
                    .and('r', Field.ROUNDING)
                    .and('H', Field.PART)
                    .and('D', Field.DST_TYPE)
                    .biased('E', Field.DST_TYPE, FLOAT_BIAS)
                    .biased('g', Field.SRC_TYPE, NumberType.U8.ordinal())
                    .biased('h', Field.SRC_TYPE, NumberType.U16.ordinal())
                    .biased('w', Field.SRC_TYPE, NumberType.U32.ordinal())
                    .biased('W', Field.SRC_TYPE, NumberType.U64.ordinal());

    private ConversionForms() {}

    static List<Form> list() {
        FormList list = new FormList(LEGEND);
        wholeNumbers(list);
        floats(list);
        floatToInteger(list);
        integerToFloat(list);
        integers(list);
        return list.forms();
    }

    /// Adds the conversions that keep the format: unchanged, or rounded to a whole number.
    private static void wholeNumbers(FormList list) {
        String same = "F2F.ftz.dst.src.sat d.cc, b";
        String whole = "F2F.ftz.dst.src.whole.sat d.cc, b";
        FormList.Fixed rounded = fixed(Field.WHOLE, 1);
        FormList.Fixed[] half = types(NumberType.F16, NumberType.F16);
        FormList.Fixed[] single = types(NumberType.F32, NumberType.F32);
        FormList.Fixed[] dbl = types(NumberType.F64, NumberType.F64);
        list.add(
                        "00010 0-Hf ------ C {b=int} -01-01 dddddd nppp -y0vs j 0100",
                        same + ".half",
                        half)
                .add("00010 0--f ------ C {b=float} -10-10 dddddd nppp -y0vs j 0100", same, single)
                .add("00010 0--f ------ C {b=double} -11-11 dddddd nppp -y0vs j 0100", same, dbl)
                .add(
                        "00010 0-Hf ----rr C {b=int} -01-01 dddddd nppp -y1vs j 0100",
                        whole + ".half",
                        half[0],
                        half[1],
                        rounded)
                .add(
                        "00010 0--f ----rr C {b=float} -10-10 dddddd nppp -y1vs j 0100",
                        whole,
                        single[0],
                        single[1],
                        rounded)
                .add(
                        "00010 0--f ----rr C {b=double} -11-11 dddddd nppp -y1vs j 0100",
                        whole,
                        dbl[0],
                        dbl[1],
                        rounded);
    }

    private static void floats(FormList list) {
        String narrowing = "F2F.ftz.dst.src.rnd.sat d.cc, b";
        String widening = "F2F.ftz.dst.src.sat d.cc, b";
        list.add(
                        "00010 0--f ----rr C {b=float} -10-01 dddddd nppp -y-vs j 0100",
                        narrowing,
                        types(NumberType.F16, NumberType.F32))
                .add(
                        "00010 0--f ----rr C {b=double} -11-10 dddddd nppp -y-vs j 0100",
                        narrowing,
                        types(NumberType.F32, NumberType.F64))
                .add(
                        "00010 0-Hf ------ C {b=int} -01-10 dddddd nppp -y-vs j 0100",
                        widening + ".half",
                        types(NumberType.F32, NumberType.F16))
                .add(
                        "00010 0--f ------ C {b=float} -10-11 dddddd nppp -y-vs j 0100",
                        widening,
                        types(NumberType.F64, NumberType.F32));
    }

    private static void floatToInteger(FormList list) {
        String text = "F2I.ftz.wdst.src.int d.cc, b";
        list.add(
                        "00010 1-Hf ----rr C {b=int} 001-DD dddddd nppp -yDv- j 0100",
                        text + ".half",
                        source(NumberType.F16))
                .add(
                        "00010 1--f ----rr C {b=float} 010-DD dddddd nppp -yDv- j 0100",
                        text,
                        source(NumberType.F32))
                .add(
                        "00010 1--f ----rr C {b=double} 011-DD dddddd nppp -yDv- j 0100",
                        text,
                        source(NumberType.F64));
    }

    private static void integerToFloat(FormList list) {
        String text = "I2F.fdst.src.rnd d.cc, b";
        list.add("00011 0-HH ----rr C {b=int} 000-EE dddddd nppp gy-v- j 0100", text + ".byte")
                .add("00011 0-H- ----rr C {b=int} 001-EE dddddd nppp hy-v- j 0100", text + ".half")
                .add("00011 0--- ----rr C {b=int} 010-EE dddddd nppp wy-v- j 0100", text)
                .add("00011 0--- ----rr C {r=int} 011-EE dddddd nppp Wy-v- j 0100", text);
    }

    private static void integers(FormList list) {
        String text = "I2I.dst.src.sat d.cc, b";
        list.add("00011 1-HH ------ C {b=int} 000-DD dddddd nppp gyDvs j 0100", text + ".byte")
                .add("00011 1-H- ------ C {b=int} 001-DD dddddd nppp hyDvs j 0100", text + ".half")
                .add("00011 1--- ------ C {b=int} 010-DD dddddd nppp wyDvs j 0100", text);
    }

    private static FormList.Fixed[] types(NumberType result, NumberType source) {
        return new FormList.Fixed[] {
            fixed(Field.DST_TYPE, result.ordinal()), fixed(Field.SRC_TYPE, source.ordinal())
        };
    }

    private static FormList.Fixed source(NumberType source) {
        return fixed(Field.SRC_TYPE, source.ordinal());
    }
}
