module attributes { test.a = #tirx.tile<S[4 : 1@nope]> } {}
