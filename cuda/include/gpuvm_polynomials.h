/*
 * Polynomials of the device's mathematics. cuda/math/derive.py generates this file; do not edit it.
 */
#ifndef GPUVM_POLYNOMIALS_H
#define GPUVM_POLYNOMIALS_H

/* Constants as sums of two doubles. */
#define GPUVM_LN2_HIGH 0.6931471805599453
#define GPUVM_LN2_LOW 2.3190468138462996e-17
#define GPUVM_LN10_HIGH 2.302585092994046
#define GPUVM_LN10_LOW -2.1707562233822494e-16
#define GPUVM_LOG2E_HIGH 1.4426950408889634
#define GPUVM_LOG2E_LOW 2.0355273740931033e-17
#define GPUVM_LOG10E_HIGH 0.4342944819032518
#define GPUVM_LOG10E_LOW 1.098319650216765e-17
#define GPUVM_PI_HIGH 3.141592653589793
#define GPUVM_PI_LOW 1.2246467991473532e-16
#define GPUVM_PI_2_HIGH 1.5707963267948966
#define GPUVM_PI_2_LOW 6.123233995736766e-17
#define GPUVM_2_PI_HIGH 0.6366197723675814
#define GPUVM_2_PI_LOW -3.935735335036497e-17
#define GPUVM_THIRD_HIGH 0.3333333333333333
#define GPUVM_THIRD_LOW 1.850371707708594e-17
#define GPUVM_SQRT_HALF_HIGH 0.7071067811865476
#define GPUVM_SQRT_HALF_LOW -4.833646656726457e-17
#define GPUVM_HALF_SQRT_PI_HIGH 0.886226925452758
#define GPUVM_HALF_SQRT_PI_LOW -3.8332932499128993e-17
#define GPUVM_1_SQRT_PI_HIGH 0.5641895835477563
#define GPUVM_1_SQRT_PI_LOW 7.66772980658294e-18
#define GPUVM_HALF_LOG_2PI_HIGH 0.9189385332046728
#define GPUVM_HALF_LOG_2PI_LOW -3.8782941580672414e-17

/* log(2): 32 bits, so that products with exponents are exact, and the rest as a sum of two doubles. */
#define GPUVM_LN2_SHORT 0.6931471803691238
#define GPUVM_LN2_REST 1.9082149292705877e-10
#define GPUVM_LN2_REST_LOW 1.1612227229362532e-26

/* What the two doubles of pi / 2 lack. */
#define GPUVM_PI_2_REST -1.4973849048591698e-33

/* Doubles. */

/* (exp(x) - 1 - x) / x^2; for arguments from -0.34692 to 0.34692, error 2^-61.65. */
GPUVM_FUNCTION double gpuvm_exp_tail(double x) {
  double sum = 2.09147553258932e-09;
  sum = __builtin_fma(sum, x, 2.5105312729622103e-08);
  sum = __builtin_fma(sum, x, 2.755727347871858e-07);
  sum = __builtin_fma(sum, x, 2.755725517000089e-06);
  sum = __builtin_fma(sum, x, 2.480158732567746e-05);
  sum = __builtin_fma(sum, x, 0.0001984126987500228);
  sum = __builtin_fma(sum, x, 0.0013888888888883711);
  sum = __builtin_fma(sum, x, 0.008333333333326084);
  sum = __builtin_fma(sum, x, 0.04166666666666667);
  sum = __builtin_fma(sum, x, 0.1666666666666667);
  sum = __builtin_fma(sum, x, 0.5);
  return sum;
}

/* (atanh(s) / s - 1 - x / 3) / x^2 of x = s^2; for arguments from 0.0 to 0.029732, error 2^-66.47. */
GPUVM_FUNCTION double gpuvm_atanh_tail(double x) {
  double sum = 0.053878005446940706;
  sum = __builtin_fma(sum, x, 0.052274330133643576);
  sum = __builtin_fma(sum, x, 0.0588343932799463);
  sum = __builtin_fma(sum, x, 0.06666647505950053);
  sum = __builtin_fma(sum, x, 0.0769230789032387);
  sum = __builtin_fma(sum, x, 0.09090909089761286);
  sum = __builtin_fma(sum, x, 0.11111111111114441);
  sum = __builtin_fma(sum, x, 0.14285714285714282);
  sum = __builtin_fma(sum, x, 0.2);
  return sum;
}

/* (sin(r) - r) / r^3 of x = r^2; for arguments from 0.0 to 0.61808, error 2^-57.28. */
GPUVM_FUNCTION double gpuvm_sin_tail(double x) {
  double sum = -7.586576588171073e-13;
  sum = __builtin_fma(sum, x, 1.6058529572267877e-10);
  sum = __builtin_fma(sum, x, -2.5052106219521895e-08);
  sum = __builtin_fma(sum, x, 2.755731921930192e-06);
  sum = __builtin_fma(sum, x, -0.00019841269841265017);
  sum = __builtin_fma(sum, x, 0.008333333333333331);
  sum = __builtin_fma(sum, x, -0.16666666666666666);
  return sum;
}

/* (cos(r) - 1 + x / 2) / x^2 of x = r^2; for arguments from 0.0 to 0.61808, error 2^-60.0. */
GPUVM_FUNCTION double gpuvm_cos_tail(double x) {
  double sum = 4.745804889760674e-14;
  sum = __builtin_fma(sum, x, -1.1470459749675607e-11);
  sum = __builtin_fma(sum, x, 2.087675578389404e-09);
  sum = __builtin_fma(sum, x, -2.7557319221382114e-07);
  sum = __builtin_fma(sum, x, 2.4801587301584618e-05);
  sum = __builtin_fma(sum, x, -0.0013888888888888887);
  sum = __builtin_fma(sum, x, 0.041666666666666664);
  return sum;
}

/* (atan(t) - t) / t^3 of x = t^2; for arguments from 0.0 to 0.0044222, error 2^-63.41. */
GPUVM_FUNCTION double gpuvm_atan_tail(double x) {
  double sum = 0.07604505927209418;
  sum = __builtin_fma(sum, x, -0.09090473306510369);
  sum = __builtin_fma(sum, x, 0.11111110112956461);
  sum = __builtin_fma(sum, x, -0.14285714284680334);
  sum = __builtin_fma(sum, x, 0.19999999999999607);
  sum = __builtin_fma(sum, x, -0.3333333333333333);
  return sum;
}

/* (asin(s) - s) / s^3 of x = s^2; for arguments from 0.0 to 0.2501, error 2^-57.31. */
GPUVM_FUNCTION double gpuvm_asin_tail(double x) {
  double sum = 0.02877844261259304;
  sum = __builtin_fma(sum, x, -0.014881409392818066);
  sum = __builtin_fma(sum, x, 0.017419357964884856);
  sum = __builtin_fma(sum, x, 0.00545087818772055);
  sum = __builtin_fma(sum, x, 0.010324318288744113);
  sum = __builtin_fma(sum, x, 0.011478952690257387);
  sum = __builtin_fma(sum, x, 0.013971235301124539);
  sum = __builtin_fma(sum, x, 0.017352391265909227);
  sum = __builtin_fma(sum, x, 0.022372173002005596);
  sum = __builtin_fma(sum, x, 0.030381944137085216);
  sum = __builtin_fma(sum, x, 0.04464285714637338);
  sum = __builtin_fma(sum, x, 0.07499999999998425);
  sum = __builtin_fma(sum, x, 0.16666666666666669);
  return sum;
}

/* (sinh(s) - s) / s^3 of x = s^2; for arguments from 0.0 to 1.0, error 2^-56.56. */
GPUVM_FUNCTION double gpuvm_sinh_tail(double x) {
  double sum = 2.8445264169895285e-15;
  sum = __builtin_fma(sum, x, 7.646625361656657e-13);
  sum = __builtin_fma(sum, x, 1.6059048396350562e-10);
  sum = __builtin_fma(sum, x, 2.505210836405804e-08);
  sum = __builtin_fma(sum, x, 2.755731922404034e-06);
  sum = __builtin_fma(sum, x, 0.00019841269841269773);
  sum = __builtin_fma(sum, x, 0.008333333333333333);
  sum = __builtin_fma(sum, x, 0.16666666666666666);
  return sum;
}

/* (tanh(s) - s) / s^3 of x = s^2; for arguments from 0.0 to 0.3026, error 2^-57.57. */
GPUVM_FUNCTION double gpuvm_tanh_tail(double x) {
  double sum = 7.872519584876026e-06;
  sum = __builtin_fma(sum, x, -3.3718010044053525e-05);
  sum = __builtin_fma(sum, x, 9.454941758935152e-05);
  sum = __builtin_fma(sum, x, -0.00023847198564355907);
  sum = __builtin_fma(sum, x, 0.0005899051200674843);
  sum = __builtin_fma(sum, x, -0.0014558190700396025);
  sum = __builtin_fma(sum, x, 0.0035921267673025663);
  sum = __builtin_fma(sum, x, -0.008863235462984688);
  sum = __builtin_fma(sum, x, 0.021869488534068168);
  sum = __builtin_fma(sum, x, -0.05396825396822027);
  sum = __builtin_fma(sum, x, 0.1333333333333331);
  sum = __builtin_fma(sum, x, -0.3333333333333333);
  return sum;
}

/* erf(s) / s of x = s^2; for arguments from 0.0 to 1.0, error 2^-55.27. */
GPUVM_FUNCTION double gpuvm_erf_part(double x) {
  double sum = 2.8067128195611264e-13;
  sum = __builtin_fma(sum, x, -6.1967364287877e-12);
  sum = __builtin_fma(sum, x, 9.323723518153027e-11);
  sum = __builtin_fma(sum, x, -1.2277734486795524e-09);
  sum = __builtin_fma(sum, x, 1.4806027146128752e-08);
  sum = __builtin_fma(sum, x, -1.636576864883207e-07);
  sum = __builtin_fma(sum, x, 1.6462110782018636e-06);
  sum = __builtin_fma(sum, x, -1.4925650236967501e-05);
  sum = __builtin_fma(sum, x, 0.00012055332978879483);
  sum = __builtin_fma(sum, x, -0.0008548327023403001);
  sum = __builtin_fma(sum, x, 0.005223977625441674);
  sum = __builtin_fma(sum, x, -0.026866170645131218);
  sum = __builtin_fma(sum, x, 0.11283791670955126);
  sum = __builtin_fma(sum, x, -0.37612638903183754);
  sum = __builtin_fma(sum, x, 1.1283791670955126);
  return sum;
}

/* exp(s^2) erfc(s) (1 + 2 s) of x = (s - 3) / (s + 3); for arguments from -1.0 to 1.0, error 2^-54.27. */
GPUVM_FUNCTION double gpuvm_erfcx_part(double x) {
  double sum = -2.5208846559132343e-11;
  sum = __builtin_fma(sum, x, 8.373239801913565e-10);
  sum = __builtin_fma(sum, x, 1.1435382719942424e-09);
  sum = __builtin_fma(sum, x, -8.205287217548862e-09);
  sum = __builtin_fma(sum, x, -1.3744637271614611e-08);
  sum = __builtin_fma(sum, x, 4.1031674722876435e-08);
  sum = __builtin_fma(sum, x, 1.0252159854733823e-07);
  sum = __builtin_fma(sum, x, -1.4042772727671948e-07);
  sum = __builtin_fma(sum, x, -6.172971639709339e-07);
  sum = __builtin_fma(sum, x, 3.5571413343395913e-07);
  sum = __builtin_fma(sum, x, 3.4728430145951554e-06);
  sum = __builtin_fma(sum, x, -7.307985940695724e-07);
  sum = __builtin_fma(sum, x, -2.010075903780886e-05);
  sum = __builtin_fma(sum, x, 4.949184182276066e-06);
  sum = __builtin_fma(sum, x, 0.00012509940933306624);
  sum = __builtin_fma(sum, x, -0.00010515971612176149);
  sum = __builtin_fma(sum, x, -0.0007798322831260387);
  sum = __builtin_fma(sum, x, 0.0018886903443894542);
  sum = __builtin_fma(sum, x, 0.0025293918173706497);
  sum = __builtin_fma(sum, x, -0.023770514917107986);
  sum = __builtin_fma(sum, x, 0.06830802734389313);
  sum = __builtin_fma(sum, x, -0.11927366341538978);
  sum = __builtin_fma(sum, x, 0.12964515870276316);
  sum = __builtin_fma(sum, x, -0.04756229435344912);
  sum = __builtin_fma(sum, x, -0.1356211061245812);
  sum = __builtin_fma(sum, x, 1.2530080582697296);
  return sum;
}

/* gamma(1.5 + x); for arguments from -0.5 to 0.5, error 2^-54.52. */
GPUVM_FUNCTION double gpuvm_gamma_part(double x) {
  double sum = -5.6133701811373474e-05;
  sum = __builtin_fma(sum, x, 8.42004940832307e-05);
  sum = __builtin_fma(sum, x, -3.508332910493835e-05);
  sum = __builtin_fma(sum, x, 5.2624722524983273e-05);
  sum = __builtin_fma(sum, x, -0.00014449881557941462);
  sum = __builtin_fma(sum, x, 0.00021674646083594376);
  sum = __builtin_fma(sum, x, -0.0002976788427763031);
  sum = __builtin_fma(sum, x, 0.000446507283961519);
  sum = __builtin_fma(sum, x, -0.000677138203779565);
  sum = __builtin_fma(sum, x, 0.001015638786009833);
  sum = __builtin_fma(sum, x, -0.0015219379191626621);
  sum = __builtin_fma(sum, x, 0.0022824815358754138);
  sum = __builtin_fma(sum, x, -0.003422808745206522);
  sum = __builtin_fma(sum, x, 0.005131652873680224);
  sum = __builtin_fma(sum, x, -0.007690211003035752);
  sum = __builtin_fma(sum, x, 0.011522514850590625);
  sum = __builtin_fma(sum, x, -0.017222443126832104);
  sum = __builtin_fma(sum, x, 0.025837606475807417);
  sum = __builtin_fma(sum, x, -0.03800193555457135);
  sum = __builtin_fma(sum, x, 0.05861030381673562);
  sum = __builtin_fma(sum, x, -0.07752305229985755);
  sum = __builtin_fma(sum, x, 0.14464535904462655);
  sum = __builtin_fma(sum, x, -0.1072948045647722);
  sum = __builtin_fma(sum, x, 0.41481345368830114);
  sum = __builtin_fma(sum, x, 0.03233839744888501);
  sum = __builtin_fma(sum, x, 0.886226925452758);
  return sum;
}

/* log(gamma(1 + x)) / x; for arguments from -0.5 to 0.5, error 2^-56.59. */
GPUVM_FUNCTION double gpuvm_lgamma_1(double x) {
  double sum = 0.2331921266866054;
  sum = __builtin_fma(sum, x, -0.24025245552681862);
  sum = __builtin_fma(sum, x, -0.18947756655876552);
  sum = __builtin_fma(sum, x, 0.19472176853583203);
  sum = __builtin_fma(sum, x, 0.1686556126817108);
  sum = __builtin_fma(sum, x, -0.17396451715070047);
  sum = __builtin_fma(sum, x, -0.005399712296235696);
  sum = __builtin_fma(sum, x, 0.004945338328244218);
  sum = __builtin_fma(sum, x, 0.056971969494995923);
  sum = __builtin_fma(sum, x, -0.059467630506988924);
  sum = __builtin_fma(sum, x, 0.048020858519722875);
  sum = __builtin_fma(sum, x, -0.05059570584998663);
  sum = __builtin_fma(sum, x, 0.055798122160668526);
  sum = __builtin_fma(sum, x, -0.059073275414740396);
  sum = __builtin_fma(sum, x, 0.06247981994150854);
  sum = __builtin_fma(sum, x, -0.0666469660070385);
  sum = __builtin_fma(sum, x, 0.07143424085913012);
  sum = __builtin_fma(sum, x, -0.07693384797749431);
  sum = __builtin_fma(sum, x, 0.08335378642428555);
  sum = __builtin_fma(sum, x, -0.09095396147817056);
  sum = __builtin_fma(sum, x, 0.10009945898417442);
  sum = __builtin_fma(sum, x, -0.11133426738296036);
  sum = __builtin_fma(sum, x, 0.1255096695007263);
  sum = __builtin_fma(sum, x, -0.1440498967441441);
  sum = __builtin_fma(sum, x, 0.16955717699761294);
  sum = __builtin_fma(sum, x, -0.2073855510288846);
  sum = __builtin_fma(sum, x, 0.27058080842778387);
  sum = __builtin_fma(sum, x, -0.4006856343865307);
  sum = __builtin_fma(sum, x, 0.8224670334241132);
  sum = __builtin_fma(sum, x, -0.5772156649015329);
  return sum;
}

/* log(gamma(2 + x)) / x; for arguments from -0.5 to 0.5, error 2^-56.32. */
GPUVM_FUNCTION double gpuvm_lgamma_2(double x) {
  double sum = 1.4963573191192003e-08;
  sum = __builtin_fma(sum, x, -3.1314285360886705e-08);
  sum = __builtin_fma(sum, x, 4.509983567521808e-08);
  sum = __builtin_fma(sum, x, -9.501416425423385e-08);
  sum = __builtin_fma(sum, x, 2.129692727315228e-07);
  sum = __builtin_fma(sum, x, -4.511181191016309e-07);
  sum = __builtin_fma(sum, x, 9.549510392959532e-07);
  sum = __builtin_fma(sum, x, -2.0388192484564222e-06);
  sum = __builtin_fma(sum, x, 4.374892520636031e-06);
  sum = __builtin_fma(sum, x, -9.439541921024715e-06);
  sum = __builtin_fma(sum, x, 2.05072105479096e-05);
  sum = __builtin_fma(sum, x, -4.492623209360517e-05);
  sum = __builtin_fma(sum, x, 9.945751290176889e-05);
  sum = __builtin_fma(sum, x, -0.00022315475870367355);
  sum = __builtin_fma(sum, x, 0.0005096695247392805);
  sum = __builtin_fma(sum, x, -0.0011927539116954181);
  sum = __builtin_fma(sum, x, 0.0028905103307415836);
  sum = __builtin_fma(sum, x, -0.0073855510286741114);
  sum = __builtin_fma(sum, x, 0.020580808427784546);
  sum = __builtin_fma(sum, x, -0.06735230105319809);
  sum = __builtin_fma(sum, x, 0.3224670334241132);
  sum = __builtin_fma(sum, x, 0.42278433509846713);
  return sum;
}

/* remainder of Stirling's formula times s, of x = 1 / s^2; for arguments from 0.0 to 0.01, error 2^-64.25. */
GPUVM_FUNCTION double gpuvm_stirling(double x) {
  double sum = 0.0054946692695328455;
  sum = __builtin_fma(sum, x, -0.00190544046745418);
  sum = __builtin_fma(sum, x, 0.00084167002419677);
  sum = __builtin_fma(sum, x, -0.0005952378153941455);
  sum = __builtin_fma(sum, x, 0.0007936507931872132);
  sum = __builtin_fma(sum, x, -0.002777777777777489);
  sum = __builtin_fma(sum, x, 0.08333333333333333);
  return sum;
}

/* erfinv(y) / y of x = -log(1 - y^2); for arguments from 0.0 to 5.0, error 2^-22.74. */
GPUVM_FUNCTION double gpuvm_quantile_center(double x) {
  double sum = 2.2605977741170975e-08;
  sum = __builtin_fma(sum, x, -1.098948458299626e-07);
  sum = __builtin_fma(sum, x, -5.48766581695036e-06);
  sum = __builtin_fma(sum, x, 7.257810853178963e-05);
  sum = __builtin_fma(sum, x, -0.0001761591830400175);
  sum = __builtin_fma(sum, x, -0.0022867828511138845);
  sum = __builtin_fma(sum, x, 0.011525431199929647);
  sum = __builtin_fma(sum, x, 0.2320181828567194);
  sum = __builtin_fma(sum, x, 0.8862267858628946);
  return sum;
}

/* erfcinv(exp(-x^2)) - x; for arguments from 1.2 to 4.0, error 2^-16.77. */
GPUVM_FUNCTION double gpuvm_quantile_tail_1(double x) {
  double sum = -0.0001454678114326416;
  sum = __builtin_fma(sum, x, 0.0030554523890100015);
  sum = __builtin_fma(sum, x, -0.027499855633738864);
  sum = __builtin_fma(sum, x, 0.13799431529447084);
  sum = __builtin_fma(sum, x, -0.4185401646415389);
  sum = __builtin_fma(sum, x, 0.7645716380614458);
  sum = __builtin_fma(sum, x, -0.7235438661209981);
  sum = __builtin_fma(sum, x, -0.09952563697029482);
  return sum;
}

/* erfcinv(exp(-x^2)) - x; for arguments from 4.0 to 27.5, error 2^-12.06. */
GPUVM_FUNCTION double gpuvm_quantile_tail_2(double x) {
  double sum = -4.3592466441721184e-09;
  sum = __builtin_fma(sum, x, 4.936865725829259e-07);
  sum = __builtin_fma(sum, x, -2.3129874378049245e-05);
  sum = __builtin_fma(sum, x, 0.0005819132495117436);
  sum = __builtin_fma(sum, x, -0.00857460910118308);
  sum = __builtin_fma(sum, x, 0.07676507091340325);
  sum = __builtin_fma(sum, x, -0.4500628694279206);
  return sum;
}

/* Floats, in doubles. */

/* (exp(x) - 1 - x) / x^2; for arguments from -0.34692 to 0.34692, error 2^-32.65. */
GPUVM_FUNCTION double gpuvm_expf_tail(double x) {
  double sum = 0.00019891080463998843;
  sum = __builtin_fma(sum, x, 0.0013933730715792083);
  sum = __builtin_fma(sum, x, 0.008333310844647862);
  sum = __builtin_fma(sum, x, 0.04166646419740569);
  sum = __builtin_fma(sum, x, 0.16666666681704215);
  sum = __builtin_fma(sum, x, 0.500000001353873);
  return sum;
}

/* (atanh(s) / s - 1 - x / 3) / x^2 of x = s^2; for arguments from 0.0 to 0.029732, error 2^-48.4. */
GPUVM_FUNCTION double gpuvm_atanhf_tail(double x) {
  double sum = 0.08209740995402692;
  sum = __builtin_fma(sum, x, 0.09077263237072496);
  sum = __builtin_fma(sum, x, 0.11111256896026728);
  sum = __builtin_fma(sum, x, 0.1428571374241372);
  sum = __builtin_fma(sum, x, 0.20000000000323234);
  return sum;
}

/* (sin(r) - r) / r^3 of x = r^2; for arguments from 0.0 to 0.61808, error 2^-35.82. */
GPUVM_FUNCTION double gpuvm_sinf_tail(double x) {
  double sum = 2.7249314054698804e-06;
  sum = __builtin_fma(sum, x, -0.00019840082012765537);
  sum = __builtin_fma(sum, x, 0.008333331865959415);
  sum = __builtin_fma(sum, x, -0.16666666663832763);
  return sum;
}

/* (cos(r) - 1 + x / 2) / x^2 of x = r^2; for arguments from 0.0 to 0.61808, error 2^-40.1. */
GPUVM_FUNCTION double gpuvm_cosf_tail(double x) {
  double sum = -2.7300448619488353e-07;
  sum = __builtin_fma(sum, x, 2.4800596435621998e-05);
  sum = __builtin_fma(sum, x, -0.0013888887664713619);
  sum = __builtin_fma(sum, x, 0.0416666666643024);
  return sum;
}

/* (atan(t) - t) / t^3 of x = t^2; for arguments from 0.0 to 0.0044222, error 2^-39.51. */
GPUVM_FUNCTION double gpuvm_atanf_tail(double x) {
  double sum = -0.14212308991246397;
  sum = __builtin_fma(sum, x, 0.1999987840930511);
  sum = __builtin_fma(sum, x, -0.33333333303466867);
  return sum;
}

/* (asin(s) - s) / s^3 of x = s^2; for arguments from 0.0 to 0.2501, error 2^-29.96. */
GPUVM_FUNCTION double gpuvm_asinf_tail(double x) {
  double sum = 0.03370072632136513;
  sum = __builtin_fma(sum, x, 0.017143716819253568);
  sum = __builtin_fma(sum, x, 0.031101727829067168);
  sum = __builtin_fma(sum, x, 0.04459931916287114);
  sum = __builtin_fma(sum, x, 0.07500094761172901);
  sum = __builtin_fma(sum, x, 0.1666666633654049);
  return sum;
}

/* (tanh(s) - s) / s^3 of x = s^2; for arguments from 0.0 to 0.3026, error 2^-33.26. */
GPUVM_FUNCTION double gpuvm_tanhf_tail(double x) {
  double sum = 0.002526109195335942;
  sum = __builtin_fma(sum, x, -0.008526140804281013);
  sum = __builtin_fma(sum, x, 0.02181840370577729);
  sum = __builtin_fma(sum, x, -0.05396469612817426);
  sum = __builtin_fma(sum, x, 0.1333332418591519);
  sum = __builtin_fma(sum, x, -0.33333333294954137);
  return sum;
}

/* Angles atan(n / 8), n = 0 to 8, as sums of two doubles. */
static __constant__ const double gpuvm_angles[9][2] = {
  {0.0, 0.0},
  {0.12435499454676144, -3.1253241424539383e-18},
  {0.24497866312686414, 1.0698755618734451e-17},
  {0.35877067027057225, -2.4623815582638635e-17},
  {0.4636476090008061, 2.2698777452961687e-17},
  {0.5585993153435624, -5.4556305485916264e-18},
  {0.6435011087932844, 1.5834785051444286e-17},
  {0.7188299996216245, -2.1478388444456983e-17},
  {0.7853981633974483, 3.061616997868383e-17},
};

/* The binary digits of 2 / pi after the point, 64 in each word. */
static __constant__ const unsigned long long gpuvm_two_over_pi[20] = {
  0xa2f9836e4e441529ull, 0xfc2757d1f534ddc0ull, 0xdb6295993c439041ull, 0xfe5163abdebbc561ull,
  0xb7246e3a424dd2e0ull, 0x06492eea09d1921cull, 0xfe1deb1cb129a73eull, 0xe88235f52ebb4484ull,
  0xe99c7026b45f7e41ull, 0x3991d639835339f4ull, 0x9c845f8bbdf9283bull, 0x1ff897ffde05980full,
  0xef2f118b5a0a6d1full, 0x6d367ecf27cb09b7ull, 0x4f463f669e5fea2dull, 0x7527bac7ebe5f17bull,
  0x3d0739f78a5292eaull, 0x6bfb5fb11f8d5d08ull, 0x56033046fc7b6babull, 0xf0cfbc209af4361dull,
};

#endif
