// The elementwise steps of an integer LSTM. Goals, in order: bit-exact with the reference; one pass over each vector;
// nothing is read or written outside the given cells. Every vector is loaded like a partial last vector, because the
// functions are long, and a second copy for full vectors takes the compiler a minute.

/// Gate inputs have 12 fraction bits and therefore 3 integer bits.
private let gateIntegerBits: Int32 = 3

/// Computes `output[i] = clamp(rescaled sums[i] + addend[i])` in 16 bits.
@inline(__always)
func rescaleAdding<V: VectorISA>(
  _: V.Type, count: Int, sums: UnsafePointer<Int32>, multipliers: UnsafePointer<Int32>, shifts: UnsafePointer<Int32>,
  addend: UnsafePointer<Int16>, output: UnsafeMutablePointer<Int16>
) {
  let low = V.splat(-32768 as Int32), high = V.splat(32767 as Int32)
  var index = 0
  while index < count {
    let left = min(V.lanes, count &- index)
    let multiplier = VectorMultiplier<V>(
      multiplier: V.loadFirstInts(left, multipliers + index), shift: V.loadFirstInts(left, shifts + index))
    let x = multiplier.apply(V.loadFirstInts(left, sums + index)) &+ V.loadFirstInt16(left, addend + index)
    V.storeFirstInt16(left, V.clamp(x, low, high), output + index)
    index &+= V.lanes
  }
}

/// Computes `cells = forget × cells + input × new`, where the activations of the gates are applied here. Without an
/// input gate, `input` is one minus the forget gate.
@inline(__always)
func updateCells<V: VectorISA>(
  _: V.Type, count: Int, input: UnsafePointer<Int16>?, forget: UnsafePointer<Int16>, new: UnsafePointer<Int16>,
  cellExponent: Int32, limit: Int32, cells: UnsafeMutablePointer<Int16>
) {
  let sigmoid = ShortFunctions<V>(logisticIntegerBits: gateIntegerBits)
  let tangent = ShortFunctions<V>(tangentIntegerBits: gateIntegerBits)
  let low = V.splat(limit > 0 ? 0 &- limit : -32768), high = V.splat(limit > 0 ? limit : 32767)
  @inline(__always) func updated(_ admitting: V.I, _ forgetting: V.I, _ new: V.I, _ cell: V.I) -> V.I {
    let keeping = sigmoid.logistic(forgetting)
    let admitted = input == nil ? V.splat(32767) &- keeping : sigmoid.logistic(admitting)
    let kept = ShortFunctions<V>.divide(keeping &* cell, byPowerOfTwo: 15)
    let added = ShortFunctions<V>.divide(
      admitted &* tangent.hyperbolicTangent(new), byPowerOfTwo: 30 &+ cellExponent)
    return V.clamp(kept &+ added, low, high)
  }
  var index = 0
  while index < count {
    let left = min(V.lanes, count &- index)
    var admitting = V.I()
    if let input { admitting = V.loadFirstInt16(left, input + index) }
    let cell = updated(
      admitting, V.loadFirstInt16(left, forget + index), V.loadFirstInt16(left, new + index),
      V.loadFirstInt16(left, cells + index))
    V.storeFirstInt16(left, cell, cells + index)
    index &+= V.lanes
  }
}

/// Computes `output = rescaled gate × tanh(cells)` as int8, where the activation of the gate is applied here.
@inline(__always)
func emitCells<V: VectorISA>(
  _: V.Type, count: Int, gate: UnsafePointer<Int16>, cells: UnsafePointer<Int16>, cellIntegerBits: Int32,
  multiplier: Int32, shift: Int32, zeroPoint: Int32, output: UnsafeMutablePointer<Int8>
) {
  let sigmoid = ShortFunctions<V>(logisticIntegerBits: gateIntegerBits)
  let tangent = ShortFunctions<V>(tangentIntegerBits: cellIntegerBits)
  let factor = VectorMultiplier<V>(multiplier: V.splat(multiplier), shift: V.splat(shift))
  let zero = V.splat(zeroPoint), low = V.splat(-128 as Int32), high = V.splat(127 as Int32)
  @inline(__always) func emitted(_ gate: V.I, _ cell: V.I) -> V.I {
    V.clamp(factor.apply(sigmoid.logistic(gate) &* tangent.hyperbolicTangent(cell)) &+ zero, low, high)
  }
  var index = 0
  while index < count {
    let left = min(V.lanes, count &- index)
    let bytes = emitted(V.loadFirstInt16(left, gate + index), V.loadFirstInt16(left, cells + index))
    V.storeFirstBytes(left, bytes, output + index)
    index &+= V.lanes
  }
}
