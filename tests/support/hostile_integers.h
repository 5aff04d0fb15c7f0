// Integers that mistakes are made with, as text: the ends of every type, their neighbours, and what
// is no integer in a document.
#pragma once

#include <string_view>

namespace slabscope::tests {

inline constexpr std::string_view hostile_integers[] = {"0",
                                                        "1",
                                                        "-1",
                                                        "-0",
                                                        "00",
                                                        "127",
                                                        "128",
                                                        "255",
                                                        "256",
                                                        "65535",
                                                        "65536",
                                                        "2147483646",
                                                        "2147483647",
                                                        "2147483648",
                                                        "-2147483648",
                                                        "-2147483649",
                                                        "4294967294",
                                                        "4294967295",
                                                        "4294967296",
                                                        "9223372036854775806",
                                                        "9223372036854775807",
                                                        "9223372036854775808",
                                                        "-9223372036854775808",
                                                        "-9223372036854775809",
                                                        "18446744073709551615",
                                                        "18446744073709551616",
                                                        "340282366920938463463374607431768211455",
                                                        "340282366920938463463374607431768211456",
                                                        "1e3",
                                                        "1.0"};

}  // namespace slabscope::tests
