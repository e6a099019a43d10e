/// The memory layout of packed byte weights. Each panel of columns starts with four rows of 32-bit values: biases with
/// the zero points folded in, weight sums, scales, and float biases. Each tap and each group of `groupBytes` channels
/// follows, with as many bytes per column.
struct QuantizedPanel<V: VectorISA> {
  static var headerRows: Int { @inline(__always) get { 4 } }

  let pointer: UnsafeRawPointer

  @inline(__always) static func bytes(taps: Int, tapDepth: Int) -> Int {
    (headerRows &+ taps &* groups(tapDepth) &* (V.groupBytes &>> 2)) &* 2 &* V.vectorBytes
  }

  /// Returns the number of groups of channels, including a partial last one.
  @inline(__always) static func groups(_ tapDepth: Int) -> Int { (tapDepth &+ V.groupBytes &- 1) / V.groupBytes }

  @inline(__always) func next(_ bytes: Int) -> QuantizedPanel { QuantizedPanel(pointer: pointer + bytes) }

  /// Returns the biases of a vector of columns. `half` is 0 for the first vector and 1 for the second.
  @inline(__always) func bias(_ half: Int) -> V.I { V.loadInts(pointer, half) }
  @inline(__always) func weightSum(_ half: Int) -> V.I { V.loadInts(pointer, 2 &+ half) }
  @inline(__always) func scale(_ half: Int) -> V.F { V.load(pointer, 4 &+ half) }
  @inline(__always) func floatBias(_ half: Int) -> V.F { V.load(pointer, 6 &+ half) }
  @inline(__always) var weights: UnsafeRawPointer { pointer + 8 &* V.vectorBytes }
}
