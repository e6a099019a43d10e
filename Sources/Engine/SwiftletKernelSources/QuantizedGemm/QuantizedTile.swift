/// The accumulators of one tile, two vectors per row. The code for each tile height passes them to a common epilogue.
struct QuantizedTile<V: VectorISA> {
  var c00 = V.I(), c01 = V.I(), c10 = V.I(), c11 = V.I(), c20 = V.I(), c21 = V.I()
  var c30 = V.I(), c31 = V.I(), c40 = V.I(), c41 = V.I(), c50 = V.I(), c51 = V.I()
}
